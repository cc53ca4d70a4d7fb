import { sql } from 'kysely';
import { z } from 'zod';
import type { Job } from '../../platform/module.ts';
import type { Files } from './files.ts';

const KEEP_DAYS = 7;

/** Nightly: uploads that nobody went on with, files past their time, blobs that no file names. Running twice finds nothing more. */
export const sweepJob = (files: Files): Job<object> => ({
  name: 'file:sweep',
  payload: z.object({}),
  every: '23 3 * * *',
  async run(ctx) {
    const stale = await ctx.unscoped((db) => sql<{ id: number }>`delete from file_upload where state <> 'assembling' and touched_at < now() - make_interval(days => ${KEEP_DAYS}) returning id`.execute(db));
    for (const { id } of stale.rows) await files.staging.clear(id);
    const gone = await ctx.unscoped((db) => sql<{ sha256: string }>`delete from file_file where expires_at < now() returning sha256`.execute(db));
    for (const sha256 of new Set(gone.rows.map((row) => row.sha256))) {
      const used = await ctx.unscoped((db) =>
        sql<{ n: number }>`select (exists (select from file_file where sha256 = ${sha256}) or exists (select from firmware_package where sha256 = ${sha256}))::int as n`.execute(db),
      );
      if (used.rows[0]?.n === 0) await files.store.delete(sha256);
    }
  },
});
