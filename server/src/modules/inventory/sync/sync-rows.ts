import { syncConflictMachine, syncRunMachine } from '@mooring/contract/inventory/state-machines';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import { statefulTable } from '../../../platform/db/move.ts';
import type { DeptAt } from '../../org/api.ts';

export const runRows = statefulTable('inventory_sync_run', syncRunMachine);
export const conflictRows = statefulTable('inventory_sync_conflict', syncConflictMachine);
export const TOKEN = 'asset-register';
export const SYNC_JOB = 'inventory:sync';
export const SYNC_CAN = 'inventory:sync:update';

/** A register as it is read. */
export interface Source {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly sealed: Buffer | null;
  readonly schedule: 'none' | 'hourly' | 'daily';
  readonly addsNew: boolean;
  readonly dept: DeptAt;
}
export async function sourceOf(db: Db, id: number): Promise<Source | undefined> {
  const { rows } = await sql<Omit<Source, 'dept'> & { dept_id: number; dept_path: string }>`
    select id, name, url, token_sealed as sealed, schedule, adds_new as "addsNew", dept_id, dept_path from inventory_sync_source where id = ${id}`.execute(
    db,
  );
  const [row] = rows;
  return row && { ...row, dept: { id: row.dept_id, path: row.dept_path } };
}

/** Open lists of registers, readings and conflicts are read again. `path` is the register's; the scope's if left out. */
export async function invalidateSync(ctx: Pick<Ctx, 'invalidate'>, db: Db, path?: string): Promise<void> {
  for (const group of ['source', 'record', 'conflict']) await ctx.invalidate(db, `/tms/sync/${group}`, path);
}

/** One reading of a register, or one decision about what it found, at a time: both write its conflicts, in orders of their own. */
export async function holdSources(db: Db, ids: readonly number[], how: 'read' | 'change'): Promise<void> {
  const lock = how === 'change' ? sql`for no key update` : sql`for share`;
  await sql`select from inventory_sync_source where id = any(${ids}::bigint[]) order by id ${lock}`.execute(db);
}
