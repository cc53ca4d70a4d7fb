import { Fault } from '@mooring/contract/kit/fault';
import type { Impact } from '@mooring/contract/org/schemas';
import { sql } from 'kysely';
import { z } from 'zod';
import { FOLLOW_DEVICES } from '../../engines/rollout/follow-devices.ts';
import { pauseMerged, retargetDept } from '../../engines/rollout/pause-below.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { job } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { addBackgroundJob, endBackgroundJob, isWanted, startBackgroundJob } from '../../platform/work/work.ts';
import { checkRegroup, heldNow, heldOf, mergeManaged, shedRoles } from '../access/api.ts';
import { unscheduleOf } from '../message/api.ts';
import { endMerged } from '../settings/api.ts';
import { checkProfilesKept, lockProfilePlaces } from '../signing/api.ts';
import { invalidateDepts, levelsOf, MOST_LEVELS, orNameTaken } from './change-dept.ts';
import { type DeptRow, deptBelowScope, deptInScope, deptRows, impactOf } from './dept.queries.ts';
import { rewritePaths } from './rewrite-paths.ts';
import { closeTrusts } from './trust.ts';

const REGROUP = 'org:regroup';
const SWEEP = 'org:sweep';
/** One at a time in the whole installation: two moves at once could make a circle. */
const LOCK = 7300;
const SWEEP_AFTER_MS = [60_000, 15 * 60_000];

type Kind = 'move' | 'merge';

/** Whether the one may go below, or into, the other. Asked when it is previewed, when it is wanted, and again inside the lock. */
async function check(ctx: Ctx, db: Db, kind: Kind, id: number, targetId: number): Promise<{ unit: DeptRow; target: DeptRow }> {
  const unit = await deptBelowScope(ctx, db, id);
  const target = await deptInScope(ctx, db, targetId);
  if (target.dept_path.startsWith(unit.dept_path)) throw new Fault('DEPT_CYCLE');
  if (lineOf(unit.dept_path) !== lineOf(target.dept_path)) throw new Fault('DEPT_LINE');
  const fits = kind === 'merge' ? target.kind === 'organisation' : target.kind === 'organisation' || target.kind === 'businessUnit';
  if (unit.kind !== 'organisation' || !fits || (kind === 'move' && unit.parent_id === target.id)) throw new Fault('DEPT_PLACE');
  if ((unit.state !== 'enabled' && unit.state !== 'disabled') || !target.open) throw new Fault('DEPT_SHUT');
  const deepest = await sql<{ levels: number }>`select max(length(dept_path) - length(replace(dept_path, '.', ''))) as levels
    from org_dept where dept_path >= ${unit.dept_path} and dept_path < ${`${unit.dept_path}~`}`.execute(db);
  if (levelsOf(target.dept_path) + (deepest.rows[0]?.levels ?? 0) - levelsOf(unit.dept_path) + 1 > MOST_LEVELS)
    throw new Fault('DEPT_DEPTH');
  const clash = await sql`
    select 1 from org_dept a join org_dept b on b.parent_id = ${targetId} and lower(b.name) = lower(a.name) and b.id <> a.id and b.id <> ${id}
    where ${kind === 'move' ? sql`a.id = ${id}` : sql`a.parent_id = ${id}`} and a.state not in ('closed', 'refused') and b.state not in ('closed', 'refused') limit 1`.execute(
    db,
  );
  if (clash.rows.length > 0) throw new Fault('DEPT_NAME_TAKEN');
  const [held, from] = [await heldNow(ctx), { id: unit.id, path: unit.dept_path }];
  await ctx.readOnly(async (everyone) => {
    await checkRegroup(everyone, held, { kind, unit: from, target: { path: target.dept_path } });
    await checkProfilesKept(ctx, everyone, { kind, from: unit.dept_path, to: placeOf(kind, id, target) });
  });
  return { unit, target };
}
const lineOf = (path: string) => path.split('.')[1];
/** Where it comes to stand. */
const placeOf = (kind: Kind, id: number, target: DeptRow) => (kind === 'move' ? `${target.dept_path}${id}.` : target.dept_path);
/** Who reads of a work later may see less than who asked for it: nothing is named there. */
const reasonOf = ({ fault }: Fault) => (fault === 'DEPT_PROFILE' ? 'DEPT_PROFILE_UNSEEN' : fault);

/** What it would touch; without `preview` the act is one piece of work in the background, all or nothing. */
export async function regroup(
  ctx: Ctx,
  kind: Kind,
  id: number,
  targetId: number,
  preview: boolean,
): Promise<Impact & { work: number | null }> {
  const { unit, target } = await check(ctx, ctx.db, kind, id, targetId);
  const impact = await impactOf(ctx.db, unit.dept_path);
  if (preview) return { ...impact, work: null };
  const work = await addBackgroundJob(ctx, {
    kind: 'dept',
    name: t(ctx.lang, `work.dept.${kind}`, { name: unit.name, target: target.name }),
    params: { kind, id, target: targetId, names: { name: unit.name, target: target.name } },
    total: impact.units + 1 + impact.people + impact.devices,
  });
  await ctx.enqueue(ctx.db, REGROUP, { work, kind, id, target: targetId }, { key: `work:${work}`, maxAttempts: 5 });
  ctx.audit({ target: unit.name, before: { parent: unit.parent_name, path: unit.dept_path }, after: { [kind]: target.name, ...impact } });
  return { ...impact, work };
}

const Regroup = z.object({ work: z.int(), kind: z.enum(['move', 'merge']), id: z.int(), target: z.int() });

/** One transaction: killed in the middle it leaves nothing behind, and begins anew. Twice is harmless: the check refuses the second. */
export const regroupJob = job({
  name: REGROUP,
  payload: Regroup,
  run: async (ctx, of) => {
    if (!(await startBackgroundJob(ctx, of.work))) return;
    try {
      await ctx.unscoped((db) => carryOut(ctx, db, of));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.fault !== 'CANCELLED') await ctx.inTx((db) => endBackgroundJob(ctx, db, of.work, 'fail', { reason: reasonOf(error) }));
    }
  },
});

async function carryOut(ctx: Ctx, db: Db, { work, kind, id, target: targetId }: z.output<typeof Regroup>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
  await lockProfilePlaces(db);
  const { unit, target } = await check(ctx, db, kind, id, targetId);
  const to = placeOf(kind, id, target);
  const onTable = async (done: number) => {
    if (!(await ctx.inTx((own) => isWanted(own, work, done, null)))) throw new Fault('CANCELLED');
  };
  if (kind === 'move') {
    await db.updateTable('org_dept').set({ parent_id: target.id }).where('id', '=', id).execute();
    await orNameTaken(rewritePaths(db, { from: unit.dept_path, to, now: ctx.now() }, onTable));
  } else {
    await unscheduleOf(ctx, db, unit, target);
    await pauseMerged(db, unit.id, ctx.actor.userId);
    await mergeInto(ctx, db, unit, target);
    const dept = { from: unit.id, to: target.id };
    await orNameTaken(rewritePaths(db, { from: unit.dept_path, to, now: ctx.now(), dept }, onTable));
    await retargetDept(db, unit.id, target.id);
    // Whoever sends to the source sends to the target from now on.
    await db.updateTable('inventory_dispatch').set({ to_id: target.id, to_name: target.name }).where('to_id', '=', unit.id).execute();
    await move(db, deptRows, 'merge', [id], { actorId: ctx.actor.userId, set: { merged_into: target.id }, detail: { into: target.id } });
  }
  await sql`update alert_mute set by_path = ${to} || substr(by_path, length(${unit.dept_path}) + 1) where starts_with(by_path, ${unit.dept_path})`.execute(
    db,
  );
  await invalidateDepts(ctx, db, unit.dept_path, target.dept_path);
  for (const group of ['/device', '/sys/user/member', '/api/fotaUptask']) await ctx.invalidate(db, group, target.dept_path);
  await ctx.enqueue(db, FOLLOW_DEVICES, { below: to });
  // What began under the old path and commits after this follows later.
  const follows = {
    from: unit.dept_path,
    dept: kind === 'move' ? id : target.id,
    ...(kind === 'merge' ? { source: id } : {}),
    // What a token leaves of its person isn't known any more by then: it lets nobody keep anything.
    by: ctx.actor.apiToken ? null : ctx.actor.userId,
  };
  for (const wait of SWEEP_AFTER_MS)
    await ctx.enqueue(db, SWEEP, { ...follows, after: wait }, { runAt: new Date(ctx.now().getTime() + wait) });
  await endBackgroundJob(ctx, db, work, 'finish');
}

/** What isn't reached by its path: who manages the source, its terms of trusteeship, and what would stand there twice. */
async function mergeInto(ctx: Ctx, db: Db, unit: DeptRow, target: DeptRow): Promise<void> {
  await db.updateTable('org_dept').set({ parent_id: target.id }).where('parent_id', '=', unit.id).execute();
  await mergeManaged(db, await heldNow(ctx), { from: unit.id, to: target.id, by: ctx.actor.userId });
  await db.updateTable('product_share').set({ other_id: target.id, other_name: target.name }).where('other_id', '=', unit.id).execute();
  await sql`update alert_rule set dept_ids = case when ${target.id}::bigint = any(dept_ids) then array_remove(dept_ids, ${unit.id}::bigint)
    else array_replace(dept_ids, ${unit.id}::bigint, ${target.id}::bigint) end where ${unit.id}::bigint = any(dept_ids)`.execute(db);
  // Of rows that go along; those of rows that aren't there yet end with it.
  await db
    .updateTable('settings_change_request')
    .set({ line_id: target.id })
    .where('line_id', '=', unit.id)
    .where('subject_id', 'is not', null)
    .execute();
  await endMerged(ctx, db, { from: unit.id, into: target.id });
  await closeTrusts(ctx, db, 'end', sql`dept_id = ${unit.id} or trustee_id = ${unit.id}`);
  await sql`delete from settings_download_domain a using settings_download_domain b where a.dept_id = ${unit.id} and b.dept_id = ${target.id} and a.url = b.url`.execute(
    db,
  );
  await sql`update access_role a set name = a.name || ' (' || ${unit.name}::text || ')' from access_role b where a.dept_id = ${unit.id} and b.dept_id = ${target.id} and lower(a.name) = lower(b.name)`.execute(
    db,
  );
}

/**
 * Rows of an old path that were written by what was under way; an old path names nothing any more, so this finds only those. It is the installation's:
 * rows would stay there for ever if whoever moved them were disabled before it runs. Roles stay as far as that person could still give them.
 */
export const sweepJob = job({
  name: SWEEP,
  payload: z.object({ from: z.string(), dept: z.int(), source: z.int().optional(), by: z.int().nullish(), after: z.int().optional() }),
  run: (ctx, { from, dept, source, by }) =>
    ctx.unscoped(async (db) => {
      const now = await db.selectFrom('org_dept').select('dept_path').where('id', '=', dept).executeTakeFirst();
      if (!now || now.dept_path === from) return;
      // Queued by a version before, it has an author.
      const held = by === undefined ? await heldNow(ctx) : by === null ? new Set<string>() : await heldOf(db, by);
      const shed = source ? await shedRoles(db, held, source, now.dept_path) : [];
      if (shed.length > 0) ctx.log.warn({ users: shed, dept }, 'came into an organisation beside its merge: their roles were removed');
      if (source) await endMerged(ctx, db, { from: source, into: dept });
      await rewritePaths(db, { from, to: now.dept_path, now: ctx.now(), ...(source ? { dept: { from: source, to: dept } } : {}) });
    }),
});
