import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import { batchLoader } from '../batch-loader.ts';

/**
 * Download domains (id and address, with a blank between) that were asked for published bytes and don't have them, or are asked at this moment. Of what
 * isn't published, and of domains that came or changed since, nothing is known: those may have it.
 */
export const awayFrom = (app: AppContext) =>
  batchLoader<string, ReadonlySet<string>>(
    (hashes) =>
      app.unscoped(async (db) => {
        // The same bytes may be in several packages: where one of them was found, they are.
        const { rows } = await sql<{ sha256: string; of: string }>`
          select sha256, domain_id || ' ' || url as of from rollout_place where sha256 = any(${hashes}::text[]) and domain_id is not null
          group by 1, 2 having not coalesce(bool_or(there), false)`.execute(db);
        const found = Map.groupBy(rows, (row) => row.sha256);
        return new Map([...found].map(([sha256, of]) => [sha256, new Set(of.map((row) => row.of))]));
      }),
    { most: 500, waitMs: 5 },
  );
