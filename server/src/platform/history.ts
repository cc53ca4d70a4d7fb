import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from './context.ts';
import { job, type Module } from './module.ts';

/** How long history is kept, in months; a partition goes as a whole. */
const kept = { state_change: 24, device_event: 12 } as const;

async function keepHistory(db: Db): Promise<void> {
  for (const [table, months] of Object.entries(kept)) await sql`select keep_partitions(${table}, ${months})`.execute(db);
}

/** Partitions of the coming months are there before their rows, and old ones go. Running twice changes nothing. */
export const history: Module = {
  name: 'history',
  seed: keepHistory,
  jobs: [job({ name: 'history:keep', payload: z.object({}), every: '7 2 * * *', run: (ctx) => ctx.unscoped(keepHistory) })],
};
