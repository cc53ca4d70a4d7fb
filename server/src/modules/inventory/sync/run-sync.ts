import { FEED_PAGES } from '@mooring/contract/inventory/asset-feed';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { move, recordCreated } from '../../../platform/db/move.ts';
import { type Envelope, enqueue } from '../../../platform/jobs/enqueue.ts';
import { job } from '../../../platform/module.ts';
import { readSetting } from '../../../platform/settings.ts';
import { comparePart } from './compare.ts';
import { readFeed } from './read-feed.ts';
import { conflictRows, holdSources, invalidateSync, runRows, type Source, SYNC_CAN, SYNC_JOB, sourceOf, TOKEN } from './sync-rows.ts';

/** Owners or products that are named in another way make a conflict of each terminal: nobody decides so many. */
const MOST_CONFLICTS = 10_000;
const MOST_MS = 2 * 3_600_000;
/** So long what is over is kept for the history. */
const KEEP_DAYS = 90;

interface By {
  readonly id: number | null;
  readonly name: string;
}
/** A run that waits for its turn; undefined where one is under way. */
export async function addRun(db: Db, source: { id: number; path: string }, by: By, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into inventory_sync_run (source_id, by_name, started_at, beat_at, dept_path) values (${source.id}, ${by.name}, ${now}, ${now}, ${source.path})
    on conflict do nothing returning id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) return undefined;
  await recordCreated(db, runRows, [Number(id)], by.id);
  return Number(id);
}

/** In the register's own range, whoever asked: what it says is of that organisation and those below it. */
export const queueRun = (
  db: Db,
  run: number,
  { id: deptId, path }: { id: number; path: string },
  by: Omit<NonNullable<Envelope['by']>, 'scope'>,
): Promise<void> => {
  const scope = { platform: 'manager' as const, deptId, path };
  return enqueue(db, SYNC_JOB, { payload: { run, cursor: null }, by: { ...by, scope } }, { key: `sync:${run}`, maxAttempts: 3 });
};

interface Step {
  readonly run: number;
  readonly cursor: string | null;
}
interface Open {
  readonly source: Source;
  readonly answers: number;
  readonly startedAt: Date;
}

/** The register, if this answer is still to be read: a step that comes twice finds the next one named. */
const openRun = (ctx: Ctx, { run, cursor }: Step): Promise<Open | undefined> =>
  ctx.inTx(async (db) => {
    const begun = await move(db, runRows, 'start', sql`id = ${run} and state = 'waiting'`, { actorId: ctx.actor.userId });
    if (begun.length > 0) await invalidateSync(ctx, db);
    const row = await db
      .selectFrom('inventory_sync_run')
      .select(['source_id', 'answers', 'started_at', 'cursor'])
      .where('id', '=', run)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (!row || row.cursor !== cursor) return undefined;
    const source = await sourceOf(db, row.source_id);
    return source && { source, answers: row.answers, startedAt: row.started_at };
  });

/** What the register no longer says otherwise is settled, once all of it was read. */
async function finish(ctx: Ctx, db: Db, source: Source, run: number): Promise<void> {
  const options = { actorId: ctx.actor.userId };
  if ((await move(db, runRows, 'finish', [run], { ...options, set: { ended_at: ctx.now() } })).length === 0) return;
  await move(db, conflictRows, 'settle', sql`source_id = ${source.id} and seen_run <> ${run} and state <> 'settled'`, {
    ...options,
    set: { settled_at: ctx.now() },
  });
}

const fail = (ctx: Ctx, run: number, reason: string): Promise<void> =>
  ctx.inTx(async (db) => {
    await move(db, runRows, 'fail', [run], { actorId: ctx.actor.userId, set: { ended_at: ctx.now(), reason } });
    await invalidateSync(ctx, db);
  });

/** One answer, and the step to the next, in one transaction. */
const takeIn = (ctx: Ctx, { source }: Open, { run, cursor }: Step, part: Awaited<ReturnType<typeof readFeed>>): Promise<void> =>
  ctx.withScope(async (inner) => {
    const { db } = inner;
    await holdSources(db, [source.id], 'change');
    const next = part.next ?? null;
    const mine = await sql`
      update inventory_sync_run set cursor = ${next}, answers = answers + 1, beat_at = ${ctx.now()}, received = received + ${part.received},
        unreadable = unreadable + ${part.unreadable}
      where id = ${run} and state = 'running' and cursor is not distinct from ${cursor}::text`.execute(db);
    if (mine.numAffectedRows === 0n) return;
    const { added, same, conflicts } = await comparePart(inner, db, source, run, part.rows);
    await sql`update inventory_sync_run set added = added + ${added}, same = same + ${same}, conflicts = conflicts + ${conflicts} where id = ${run}`.execute(
      db,
    );
    const open = await sql<{ n: number }>`
      select count(*)::int as n from (select from inventory_sync_conflict where source_id = ${source.id} and state = 'open' limit ${MOST_CONFLICTS + 1}) x`.execute(
      db,
    );
    if ((open.rows[0]?.n ?? 0) > MOST_CONFLICTS) throw new Fault('SYNC_TOO_DIFFERENT');
    if (next === null) await finish(inner, db, source, run);
    else await inner.enqueue(db, SYNC_JOB, { run, cursor: next }, { key: `sync:${run}`, maxAttempts: 3 });
    await invalidateSync(inner, db);
  });

/** An answer a job, so that a slow register keeps nothing else from its turn. Twice changes nothing: a step is taken once. */
async function carryOut(app: AppContext, ctx: Ctx, step: Step): Promise<void> {
  const open = await openRun(ctx, step);
  if (!open) return;
  const { source, answers, startedAt } = open;
  try {
    // Whoever asked for it may have lost the right since.
    if (!ctx.actor.permissions.has(SYNC_CAN)) throw new Fault('FORBIDDEN');
    if (answers >= FEED_PAGES) throw new Fault('SYNC_TOO_LARGE');
    if (ctx.now().getTime() - startedAt.getTime() > MOST_MS) throw new Fault('SYNC_SLOW');
    const { registers: allowed } = await ctx.unscoped((db) => readSetting(db, 'outbound'));
    const token = source.sealed ? app.masterKey.open(TOKEN, source.sealed).toString() : undefined;
    const part = await readFeed({ url: source.url, token, allowed }, step.cursor);
    if (part.next !== undefined && part.next === step.cursor) throw new Fault('SYNC_ANSWER');
    await takeIn(ctx, open, step, part);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await fail(ctx, step.run, error.fault);
  }
}

export const syncJob = (app: AppContext) =>
  job({
    name: SYNC_JOB,
    payload: z.object({ run: z.int(), cursor: z.string().nullable() }),
    run: (ctx, step) => carryOut(app, ctx, step),
  });

/** Runs that nothing in the queue stands for: their process was lost, or whoever asked for them may not act there any more. */
async function endLost(ctx: Ctx, db: Db): Promise<void> {
  const lost = sql`state in ('waiting', 'running') and beat_at < ${ctx.now()}::timestamptz - interval '1 minute' and 'sync:' || id not in (select queued_syncs())`;
  const moved = await move(db, runRows, 'fail', lost, { set: { ended_at: ctx.now(), reason: 'SYNC_LOST' } });
  if (moved.length > 0) await invalidateSync(ctx, db);
}

/** Begins what is due by its schedule, with the rights of whoever saved the register last; ends what was lost, and forgets what is long over. */
export const syncDueJob = job({
  name: 'inventory:syncDue',
  payload: z.object({}),
  every: '*/5 * * * *',
  run: (ctx) =>
    ctx.unscoped(async (db) => {
      await endLost(ctx, db);
      const before = sql`${ctx.now()}::timestamptz - make_interval(days => ${KEEP_DAYS})`;
      await sql`delete from inventory_sync_run where ended_at < ${before}`.execute(db);
      await sql`delete from inventory_sync_conflict where state = 'settled' and settled_at < ${before}`.execute(db);
      const due = await sql<{ id: number; keeper: number | null; dept_id: number; path: string }>`
        update inventory_sync_source s set next_at = ${ctx.now()}::timestamptz + case schedule when 'hourly' then interval '1 hour' else interval '1 day' end
        where next_at <= ${ctx.now()} returning id, keeper_id as keeper, dept_id, dept_path as path`.execute(db);
      for (const { id, keeper, dept_id, path } of due.rows) {
        const run = await addRun(db, { id, path }, { id: null, name: '' }, ctx.now());
        if (run === undefined) continue;
        await invalidateSync(ctx, db, path);
        // Nobody's rights are left: it fails for all to see.
        if (keeper === null) await move(db, runRows, 'fail', [run], { set: { ended_at: ctx.now(), reason: 'FORBIDDEN' } });
        else await queueRun(db, run, { id: Number(dept_id), path }, { userId: Number(keeper), lang: 'en', timeZone: 'UTC' });
      }
    }),
});
