import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import { batchLoader } from '../batch-loader.ts';

/** How a terminal stands with us at this moment. */
export interface AccessState {
  readonly gen: number;
  readonly disabled: boolean;
  /** Of its certificates that count. */
  readonly fingerprints: ReadonlySet<string>;
  /** Where its organisation, and those above, want it to fetch its files; the nearest first. */
  readonly domains: readonly Domain[];
}
export interface Domain {
  readonly id: number;
  readonly url: string;
}

const TOGETHER = { most: 500, waitMs: 5 };

/** Asked in batches, so that all terminals may come at once. Undefined for one that isn't there. */
export const accessStateOf = (app: AppContext) =>
  batchLoader<string, AccessState>(
    (sns) =>
      app.unscoped(async (db) => {
        const found = await sql<{ sn: string; gen: number; disabled: boolean; fingerprints: string[] | null; domains: Domain[] | null }>`
        select d.sn, d.credential_gen as gen, d.status = '4' as disabled,
          (select array_agg(c.fingerprint) from device_credential c where c.device_id = d.id and c.revoked_at is null and c.expires_at > ${app.now()}) as fingerprints,
          (select json_agg(json_build_object('id', s.id, 'url', s.url) order by length(s.dept_path) desc, s.id)
            from settings_download_domain s where s.enabled and d.dept_path >= s.dept_path and d.dept_path < s.dept_path || '~') as domains
        from device d where d.sn = any(${sns}::text[]) and d.deleted_at is null`.execute(db);
        return new Map(
          found.rows.map((row) => [
            row.sn,
            { gen: row.gen, disabled: row.disabled, fingerprints: new Set(row.fingerprints ?? []), domains: row.domains ?? [] },
          ]),
        );
      }),
    TOGETHER,
  );
