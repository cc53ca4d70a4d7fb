import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from './context.ts';
import { job, type Module } from './module.ts';
import { readSetting } from './settings.ts';

/** As long as the settings say, in months; a partition goes as a whole. */
async function keepHistory(db: Db): Promise<void> {
  const { changesMonths, eventsMonths } = await readSetting(db, 'retention');
  for (const [table, months] of Object.entries({ state_change: changesMonths, device_event: eventsMonths }))
    await sql`select keep_partitions(${table}, ${months})`.execute(db);
}

/** Partitions of the coming months are there before their rows, and old ones go. Running twice changes nothing. */
export const history: Module = {
  name: 'history',
  seed: keepHistory,
  jobs: [job({ name: 'history:keep', fixed: true, payload: z.object({}), every: '7 2 * * *', run: (ctx) => ctx.unscoped(keepHistory) })],
};
