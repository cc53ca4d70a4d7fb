import { fault } from '@mooring/contract/kit/fault';
import type { Impact } from '@mooring/contract/org/schemas';
import { pauseBelow } from '../../engines/rollout/pause-below.ts';
import type { Ctx } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { mail } from '../../platform/mail/mail.ts';
import { checkFounding, heldNow } from '../access/api.ts';
import { admitPeople, refusePeople } from '../account/api.ts';
import { endSessionsBelow, keepAdministrator, lockAdministrators } from '../auth/api.ts';
import { invalidateDepts, orNameTaken } from './change-dept.ts';
import { type DeptRow, deptBelowScope, deptRows, impactOf, readDept, stoppableTasks } from './dept.queries.ts';

/** People of it and below are out at once; terminals stay connected. A preview changes nothing. */
export async function disableDept(ctx: Ctx, id: number, preview: boolean, kinds?: readonly string[]): Promise<Impact> {
  const row = await deptBelowScope(ctx, ctx.db, id);
  if (kinds && !kinds.includes(row.kind)) throw fault('NOT_FOUND');
  const impact = await impactOf(ctx.db, row.dept_path, stoppableTasks);
  if (preview) return impact;
  await ctx.unscoped(async (db) => {
    const were = await lockAdministrators(db);
    const moved = await move(db, deptRows, 'disable', [id], { actorId: ctx.actor.userId });
    if (moved.length === 0) throw fault('OVERTAKEN');
    await keepAdministrator(db, were);
    await endSessionsBelow(db, row.dept_path);
    await pauseBelow(db, row.dept_path, ctx.actor.userId);
    await invalidateDepts(ctx, db, row.dept_path);
    await ctx.invalidate(db, '/api/fotaUptask', row.dept_path);
  });
  ctx.audit({ target: row.name, before: { state: row.state }, after: { state: 'disabled', ...impact } });
  return impact;
}

export async function enableDept(ctx: Ctx, id: number, kinds?: readonly string[]) {
  const row = await deptBelowScope(ctx, ctx.db, id);
  if (kinds && !kinds.includes(row.kind)) throw fault('NOT_FOUND');
  await orNameTaken(step(ctx, row, 'enable'));
  await invalidateDepts(ctx, ctx.db, row.dept_path);
  return readDept(ctx, id);
}

async function step(ctx: Ctx, row: DeptRow, event: 'enable' | 'approve' | 'refuse', set: Record<string, unknown> = {}, detail?: unknown) {
  const moved = await move(ctx.db, deptRows, event, [row.id], { actorId: ctx.actor.userId, set, ...(detail ? { detail } : {}) });
  if (moved.length === 0) throw fault('OVERTAKEN');
  ctx.audit({ target: row.name, before: { state: row.state }, after: set });
}

/** Its first people get in with it. */
export async function approveDept(ctx: Ctx, id: number) {
  const row = await deptBelowScope(ctx, ctx.db, id);
  await checkFounding(ctx.db, await heldNow(ctx));
  await orNameTaken(step(ctx, row, 'approve', { reason: null }));
  await admitPeople(ctx, ctx.db, row.id);
  await notifyApplicants(ctx, row, 'orgApproved', {});
  await invalidateDepts(ctx, ctx.db, row.dept_path);
  return readDept(ctx, id);
}

export async function refuseDept(ctx: Ctx, id: number, reason: string) {
  const row = await deptBelowScope(ctx, ctx.db, id);
  await step(ctx, row, 'refuse', { reason }, { reason });
  await refusePeople(ctx, ctx.db, row.id, reason);
  await notifyApplicants(ctx, row, 'orgRefused', { reason });
  await invalidateDepts(ctx, ctx.db, row.dept_path);
  return readDept(ctx, id);
}

async function notifyApplicants(ctx: Ctx, row: DeptRow, template: 'orgApproved' | 'orgRefused', params: Record<string, string>) {
  const people = await ctx.db
    .selectFrom('account_user')
    .select(['id', 'email', 'language'])
    .where('dept_id', '=', row.id)
    .where('email', 'is not', null)
    .limit(20)
    .execute();
  for (const one of people)
    if (one.email)
      await mail(ctx.db, {
        to: one.email,
        lang: one.language ?? 'en',
        template,
        params: { org: row.name, ...params },
        deptPath: row.dept_path,
        userId: one.id,
      });
}
