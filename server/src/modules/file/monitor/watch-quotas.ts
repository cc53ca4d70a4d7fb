import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../platform/context.ts';
import { job } from '../../../platform/module.ts';
import { keptBelow } from '../storage-quota.ts';

export interface NearlyFull {
  readonly dept: string;
  readonly deptPath: string;
  /** Of the quota. */
  readonly percent: number;
  readonly isFull: boolean;
}
/** Says it to whoever looks after what is kept there, and above. */
export type TellNearlyFull = (db: Db, of: NearlyFull) => Promise<void>;

/** Percent at which it is told, once each; below the last one it is told anew. */
const LEVELS = [100, 90] as const;
const CALM = 85;

/** Hourly. Running again says nothing more: what was told is noted in the same transaction. */
export const watchQuotas = (tell: TellNearlyFull) =>
  job({
    name: 'file:quotas',
    payload: z.object({}),
    every: '52 * * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        // Uploads wait for whoever holds their quota: it is held no longer than until what was told is noted.
        const { rows } = await sql<{ id: number; name: string; path: string; told: number; percent: number }>`
          select o.id, o.name, o.dept_path as path, q.told,
            case when q.bytes = 0 then 100 else ${keptBelow(sql.ref('o.dept_path'))} * 100 / q.bytes end as percent
          from file_quota q join org_dept o on o.id = q.dept_id order by o.id`.execute(db);
        for (const { id, name, path, told, percent } of rows) {
          const level = LEVELS.find((one) => percent >= one) ?? (percent < CALM ? 0 : told);
          if (level === told) continue;
          const { numUpdatedRows: noted } = await db
            .updateTable('file_quota')
            .set({ told: level })
            .where('dept_id', '=', id)
            .where('told', '=', told)
            .executeTakeFirstOrThrow();
          if (noted > 0n && level > told)
            await tell(db, { dept: name, deptPath: path, percent: Math.floor(percent), isFull: level === 100 });
        }
      }),
  });
