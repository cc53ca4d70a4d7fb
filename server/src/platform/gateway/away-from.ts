import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import { batchLoader } from '../batch-loader.ts';

/** Bytes at a download domain, as they are asked for. */
export const atDomain = (sha256: string, { id }: { readonly id: number }): string => `${sha256} ${id}`;

/**
 * The addresses at which a download domain was asked for published bytes and doesn't have them, or is asked for the first time at this moment. Of what isn't
 * published, and of domains that came or changed since, nothing is known: those may have it.
 */
export const awayFrom = (app: AppContext) =>
  batchLoader<string, ReadonlySet<string>>(
    (keys) =>
      app.unscoped(async (db) => {
        const asked = keys.map((key) => key.split(' '));
        // The same bytes may be in several packages: what was found last counts, for a cache forgets.
        const { rows } = await sql<{ key: string; url: string }>`
          select key, url from (
            select distinct on (p.sha256, p.domain_id, p.url) p.sha256 || ' ' || p.domain_id as key, p.url, p.there
            from unnest(${asked.map(([sha256]) => sha256)}::text[], ${asked.map(([, id]) => id)}::bigint[]) k (sha256, domain_id)
              join rollout_place p on p.sha256 = k.sha256 and p.domain_id = k.domain_id
            order by p.sha256, p.domain_id, p.url, p.tried_at desc nulls last, p.id desc
          ) newest where there is not true`.execute(db);
        const found = Map.groupBy(rows, (row) => row.key);
        return new Map([...found].map(([key, of]) => [key, new Set(of.map((row) => row.url))]));
      }),
    { most: 500, waitMs: 5 },
  );
