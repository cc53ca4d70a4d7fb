import { sql } from 'kysely';
import type { House } from '../house.ts';
import { coalesce } from './coalesce.ts';

/** How a terminal stands with us at this moment. */
export interface Standing {
  readonly gen: number;
  readonly disabled: boolean;
  /** Of its certificates that count. */
  readonly fingerprints: ReadonlySet<string>;
}

/** Asked in batches, so that all terminals may come at once. Undefined for one that isn't there. */
export const standingOf = (house: House) =>
  coalesce<string, Standing>((sns) =>
    house.unscoped(async (db) => {
      const found = await sql<{ sn: string; gen: number; disabled: boolean; fingerprints: string[] | null }>`
        select d.sn, d.credential_gen as gen, d.status = '4' as disabled,
          (select array_agg(c.fingerprint) from device_credential c where c.device_id = d.id and c.revoked_at is null and c.expires_at > ${house.now()}) as fingerprints
        from device d where d.sn = any(${sns}::text[]) and d.deleted_at is null`.execute(db);
      return new Map(
        found.rows.map((row) => [row.sn, { gen: row.gen, disabled: row.disabled, fingerprints: new Set(row.fingerprints ?? []) }]),
      );
    }),
  );
