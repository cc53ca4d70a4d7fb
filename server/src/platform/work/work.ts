import { backgroundJobMachine } from '@mooring/contract/file/background-job-state-machine';
import { fault } from '@mooring/contract/kit/fault';
import type { DB } from '@mooring/database/tables';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import type { Ctx, Db } from '../context.ts';
import { move, recordCreated, statefulTable } from '../db/move.ts';

export const backgroundJobs = statefulTable('work', backgroundJobMachine);
export type BackgroundJobRow = Selectable<DB['work']>;
const GROUP = '/file/work';

/** Of one person, waiting or running. */
export const MOST_OPEN = 10;

/** Before one begins to wait, for the first time or again. Fault: WORK_FULL. */
export async function checkOpenWork({ db, actor }: Pick<Ctx, 'db' | 'actor'>): Promise<void> {
  const { rows } = await sql<{ open: number }>`select open_work_of(${actor.userId}) as open`.execute(db);
  if ((rows[0]?.open ?? 0) >= MOST_OPEN) throw fault('WORK_FULL', { most: MOST_OPEN });
}

/** A long work of the actor, waiting for its job. Fault: WORK_FULL. */
export async function addBackgroundJob(ctx: Ctx, of: { kind: string; name: string; params: unknown; total?: number }): Promise<number> {
  await checkOpenWork(ctx);
  const { id } = await ctx.db
    .insertInto('work')
    .values({
      kind: of.kind,
      name: of.name,
      params: JSON.stringify(of.params),
      state: 'waiting',
      total: of.total ?? null,
      user_id: ctx.actor.userId,
      token_id: ctx.actor.apiToken?.id ?? null,
      dept_path: ctx.scope.path,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordCreated(ctx.db, backgroundJobs, [id], ctx.actor.userId);
  await ctx.invalidate(ctx.db, GROUP);
  return id;
}

/** Undefined where it was cancelled or deleted before its turn. */
export const startBackgroundJob = (ctx: Ctx, id: number): Promise<BackgroundJobRow | undefined> =>
  ctx.inTx(async (db) => {
    const moved = await move(db, backgroundJobs, 'start', [id], { set: { started_at: ctx.now(), done: 0, failed: 0, reason: null } });
    await ctx.invalidate(db, GROUP);
    return moved.length === 0 ? undefined : db.selectFrom('work').selectAll().where('id', '=', id).executeTakeFirst();
  });

/** Notes how far it is; false where its owner cancelled it. */
export async function isWanted(db: Db, id: number, done: number, total: number | null): Promise<boolean> {
  const row = await sql<{
    id: number;
  }>`update work set done = ${done}, total = coalesce(${total}::bigint, total) where id = ${id} and state = 'running' returning id`.execute(
    db,
  );
  return row.rows.length > 0;
}

export async function endBackgroundJob(
  ctx: Ctx,
  db: Db,
  id: number,
  event: 'finish' | 'fail',
  set: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await move(db, backgroundJobs, event, [id], { set: { ended_at: ctx.now(), ...set } });
  await ctx.invalidate(db, GROUP);
}

/** What had been done, and what had failed, until the job noticed that its owner cancelled it. */
export async function noteCancelled(ctx: Ctx, db: Db, id: number, set: { done: number; failed: number; failures: string }): Promise<void> {
  await db.updateTable('work').set(set).where('id', '=', id).where('state', '=', 'cancelled').execute();
  await ctx.invalidate(db, GROUP);
}

/** What nobody carries out any more, and why. Past the range policy: nobody acts there. Answers how many were still open. */
export const failBackgroundJobs = (
  { unscoped, invalidate, now }: Pick<AppContext, 'unscoped' | 'invalidate' | 'now'>,
  which: readonly number[] | RawBuilder<unknown>,
  reason: 'WORK_DROPPED' | 'WORK_LOST',
): Promise<number> =>
  unscoped(async (db) => {
    const moved = await move(db, backgroundJobs, 'fail', which, { set: { ended_at: now(), reason } });
    const ids = moved.map((one) => one.id);
    const rows = await db
      .selectFrom('work')
      .select('dept_path')
      .distinct()
      .where('id', 'in', [0, ...ids])
      .execute();
    for (const { dept_path } of rows) await invalidate(db, GROUP, dept_path);
    return moved.length;
  });
