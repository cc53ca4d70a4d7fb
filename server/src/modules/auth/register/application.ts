import type { RegisterKind, Registration } from '@mooring/contract/auth/register-calls';
import { fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import { allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { askAgain, refusalOf, withdrawRegistered } from '../../account/api.ts';
import { type Applied, applyAgain, withdrawDept } from '../../org/api.ts';
import { countUp } from '../attempts.ts';
import { endSessionsOf } from '../sessions.ts';
import { notifyDeciders } from './register.ts';

const AGAIN_MINUTES = 60;
const AGAIN_MOST = 5;

/** One's own application, and nobody else's. */
async function own(db: Db, ctx: Ctx, id: number) {
  const row = await db
    .selectFrom('auth_registration as r')
    .innerJoin('account_user as u', 'u.id', 'r.user_id')
    .innerJoin('org_dept as d', 'd.id', 'u.dept_id')
    .innerJoin('org_dept as p', 'p.id', 'r.decider_id')
    .select([
      'r.id',
      'r.kind',
      'r.created_at',
      'u.id as user_id',
      'u.account',
      'u.email',
      'u.name as user_name',
      'u.state as user_state',
      'd.id as dept_id',
      'd.name as dept_name',
      'd.state as dept_state',
      'd.reason',
      'd.time_zone',
      'd.contact_phone',
      'd.address',
      'p.name as decider',
      'p.dept_path as decider_path',
    ])
    .where('r.id', '=', id)
    .where('r.user_id', '=', ctx.actor.userId)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return { ...row, kind: row.kind as RegisterKind, hasDept: row.kind === 'org' || row.kind === 'child' };
}

const stateOf = (user: string) =>
  user === 'joining' ? 'waiting' : user === 'refused' ? 'refused' : user === 'cancelled' ? 'withdrawn' : 'approved';

async function show(db: Db, ctx: Ctx, id: number): Promise<z.input<typeof Registration>> {
  const row = await own(db, ctx, id);
  const state = stateOf(row.user_state);
  const refused = state === 'refused';
  return {
    id,
    kind: row.kind,
    state,
    account: row.account,
    email: row.email,
    userName: row.user_name,
    deptName: row.dept_name,
    decider: row.decider,
    reason: refused ? ((row.hasDept ? row.reason : null) ?? (await refusalOf(db, row.user_id))) : null,
    createdAt: row.created_at,
    dept: row.hasDept ? { name: row.dept_name, timeZone: row.time_zone, contactPhone: row.contact_phone, address: row.address } : null,
    ...allowing([...(refused ? (['resubmit'] as const) : []), ...(refused || state === 'waiting' ? (['withdraw'] as const) : [])]),
  };
}

// Past the range policy throughout: whoever waits has no range yet.
export const showApplication = (ctx: Ctx, id: number) => ctx.unscoped((db) => show(db, ctx, id));

export async function withdrawApplication(ctx: Ctx, id: number): Promise<null> {
  await ctx.unscoped(async (db) => {
    const row = await own(db, ctx, id);
    const gone = (!row.hasDept || (await withdrawDept(db, row.dept_id, row.user_id))) && (await withdrawRegistered(db, row.user_id));
    if (!gone) throw fault('OVERTAKEN');
    await endSessionsOf(db, row.user_id);
    ctx.audit({ target: row.account });
  });
  return null;
}

export async function applyOnceMore(ctx: Ctx, id: number, dept: Applied | undefined) {
  const tries = await ctx.unscoped((db) => countUp(db, `regist-again:${ctx.actor.userId}`, AGAIN_MINUTES));
  if (tries > AGAIN_MOST) throw fault('TOO_MANY', { seconds: AGAIN_MINUTES * 60 });
  return ctx.unscoped(async (db) => {
    const row = await own(db, ctx, id);
    const asked = (!row.hasDept || (await applyAgain(db, row.dept_id, dept, row.user_id))) && (await askAgain(db, row.user_id));
    if (!asked) throw fault('OVERTAKEN');
    await db.updateTable('auth_registration').set({ told_at: ctx.now() }).where('id', '=', id).execute();
    await notifyDeciders(
      db,
      ctx,
      row.kind,
      { path: row.decider_path },
      row.user_name,
      row.hasDept ? (dept?.name ?? row.dept_name) : row.user_name,
    );
    ctx.audit({ target: row.account, after: dept });
    return show(db, ctx, id);
  });
}
