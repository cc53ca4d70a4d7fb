import type { memberCalls } from '@mooring/contract/account/member-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { mail } from '../../platform/mail/mail.ts';
import type { Handler } from '../../platform/module.ts';
import { invalidateRights, noteGiven, setRoles } from '../access/api.ts';
import { type MemberRow, reachMember, showMember, userRows, waitsWithDept } from './member.queries.ts';
import { checkPlacing } from './member-write.ts';

async function tell(ctx: Ctx, row: MemberRow, template: 'joinApproved' | 'joinRefused', params: Record<string, string>): Promise<void> {
  if (!row.email) return;
  await mail(ctx.db, {
    to: row.email,
    lang: row.language ?? ctx.lang,
    template,
    params: { account: row.account, org: row.dept_name, ...params },
    deptPath: row.dept_path,
    userId: row.id,
  });
}

/** Lets somebody in who asked to join, with the roles that they get. */
export const approveMember: Handler<typeof memberCalls.approve> = async (ctx, { id, userType, roleIds }) => {
  const { row, held } = await reachMember(ctx, ctx.db, id);
  if (waitsWithDept(row)) throw new Fault('MEMBER_WITH_ORG');
  await checkPlacing(ctx, ctx.db, held, { deptId: row.dept_id, roleIds });
  const set = { user_type: userType, category: userType === '1' ? '1' : '0' };
  if ((await move(ctx.db, userRows, 'approve', [id], { actorId: ctx.actor.userId, set })).length === 0) throw fault('OVERTAKEN');
  await setRoles(ctx.db, id, roleIds, { by: ctx.actor.userId, way: 'approval' });
  await noteGiven(ctx.db, [id], ctx.actor.userId, 'account');
  await invalidateRights(ctx.db, [id]);
  await tell(ctx, row, 'joinApproved', {});
  ctx.audit({ target: row.account, after: { userType, roleIds } });
  return showMember(ctx, ctx.db, id);
};

export const refuseMember: Handler<typeof memberCalls.refuse> = async (ctx, { id, reason }) => {
  const { row } = await reachMember(ctx, ctx.db, id);
  if (waitsWithDept(row)) throw new Fault('MEMBER_WITH_ORG');
  if ((await move(ctx.db, userRows, 'refuse', [id], { actorId: ctx.actor.userId, detail: { reason } })).length === 0)
    throw fault('OVERTAKEN');
  await tell(ctx, row, 'joinRefused', { reason });
  ctx.audit({ target: row.account, after: { reason } });
  return showMember(ctx, ctx.db, id);
};

/** Whoever applied with an organisation comes in, or stays out, with it. */
export const admitPeople = async (ctx: Ctx, db: Db, deptId: number): Promise<void> => {
  const moved = await move(db, userRows, 'approve', sql`dept_id = ${deptId}`, { actorId: ctx.actor.userId });
  await noteGiven(
    db,
    moved.map((one) => one.id),
    ctx.actor.userId,
    'account',
  );
};
export const refusePeople = async (ctx: Ctx, db: Db, deptId: number, reason: string): Promise<void> => {
  await move(db, userRows, 'refuse', sql`dept_id = ${deptId}`, { actorId: ctx.actor.userId, detail: { reason } });
};
