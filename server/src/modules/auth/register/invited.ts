import type { invitedCalls } from '@mooring/contract/auth/invite-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../../platform/context.ts';
import { homeOf } from '../../../platform/unproven.ts';
import { roleName } from '../../access/api.ts';
import { addRegistered, consumeInvite, findInvite } from '../../account/api.ts';
import { applyDept, consumeDeptInvite, findDeptInvite } from '../../org/api.ts';
import { countUp } from '../attempts.ts';
import { hashPassword } from '../password-hash.ts';
import { policiesAt } from '../policies.ts';
import { checkNewcomer, orTaken } from './newcomer.ts';

const MINUTES = 15;
const WRONG = 30;
const over = () => new Fault('INVITE_OVER');

/** A code has 256 bits; this only keeps somebody who tries from keeping the database busy. */
async function found<T>(ctx: Ctx, look: Promise<T | undefined>): Promise<T> {
  const invite = await look;
  if (invite) return invite;
  const wrong = await ctx.unscoped((db) => countUp(db, `invite-from:${homeOf(ctx.ip)}`, MINUTES));
  throw wrong > WRONG ? fault('TOO_MANY', { seconds: MINUTES * 60 }) : over();
}
// Past the range policy: nobody is signed in here.
const userInvite = (ctx: Ctx, code: string) =>
  found(
    ctx,
    ctx.unscoped((db) => findInvite(db, code)),
  );
const deptInvite = (ctx: Ctx, code: string) =>
  found(
    ctx,
    ctx.unscoped((db) => findDeptInvite(db, code)),
  );

export async function showInvite(ctx: Ctx, code: string) {
  const { email, invitedBy, expiresAt, dept, roles } = await userInvite(ctx, code);
  const { password: policy } = await ctx.unscoped((db) => policiesAt(db, dept.path));
  return { email, inviter: invitedBy, expiresAt, policy, deptName: dept.name, roles: roles.map((name) => roleName(name, ctx.lang)) };
}

export async function showDeptInvite(ctx: Ctx, code: string) {
  const { email, inviter, expiresAt, name, parent } = await deptInvite(ctx, code);
  const { password: policy } = await ctx.unscoped((db) => policiesAt(db, parent.path));
  return { email, inviter, expiresAt, policy, name, unitName: parent.name };
}

/** The password rules of where an invitation leads; those of the first product line without one. */
export async function policyOfInvite(ctx: Ctx, code: string | undefined) {
  return ctx.unscoped(async (db) => {
    const path =
      code === undefined ? undefined : ((await findInvite(db, code))?.dept.path ?? (await findDeptInvite(db, code))?.parent.path);
    return (await policiesAt(db, path)).password;
  });
}

/** Whoever has the code was chosen by somebody who may choose: they work at once. */
export async function registerInvited(ctx: Ctx, input: ParsedInputOf<typeof invitedCalls.userRegist>): Promise<{ account: string }> {
  const invite = await userInvite(ctx, input.invite);
  await ctx.unscoped((db) => checkNewcomer(db, invite.dept.path, input, invite.email));
  const passwordHash = await hashPassword(input.password);
  const { account } = await orTaken(
    ctx.unscoped(async (db) => {
      // Asked again: hashing takes a while, in which the inviter may have lost what they gave. From here on its roles stay.
      if (!(await findInvite(db, input.invite))) throw over();
      const made = await addRegistered(db, {
        account: input.account,
        name: input.userName,
        email: invite.email,
        passwordHash,
        lang: ctx.lang,
        dept: invite.dept,
        userType: invite.userType,
        state: '0',
        roleIds: invite.roleIds,
        given: { by: invite.inviter, way: 'invitation' },
      });
      // And once more: writing a person waits for whoever else is written.
      if (!((await findInvite(db, input.invite)) && (await consumeInvite(db, invite.id, made.id)))) throw over();
      await ctx.invalidate(db, '/sys/user/member', invite.dept.path);
      return made;
    }),
    over,
  );
  ctx.audit({ target: invite.email, after: { registered: account, at: invite.dept.name } });
  return { account };
}

export async function registerInvitedDept(ctx: Ctx, input: ParsedInputOf<typeof invitedCalls.deptRegist>): Promise<{ account: string }> {
  const invite = await deptInvite(ctx, input.invite);
  await ctx.unscoped((db) => checkNewcomer(db, invite.parent.path, input, invite.email));
  const passwordHash = await hashPassword(input.password);
  const { account } = await orTaken(
    ctx.unscoped(async (db) => {
      const dept = await applyDept(db, invite.parent, {
        name: input.name,
        timeZone: input.timeZone,
        contactPhone: input.contactPhone,
        address: input.address,
        contactName: input.userName,
        contactEmail: invite.email,
        state: 'enabled',
      });
      const made = await addRegistered(db, {
        account: input.account,
        name: input.userName,
        email: invite.email,
        passwordHash,
        lang: ctx.lang,
        dept,
        userType: '1',
        state: '0',
        roleIds: 'orgManager',
        given: { by: invite.invitedBy, way: 'invitation' },
      });
      if (!((await findDeptInvite(db, input.invite)) && (await consumeDeptInvite(db, invite.id, made.id, dept.id)))) throw over();
      await ctx.invalidate(db, '/sys/dept', invite.parent.path);
      return made;
    }),
    over,
  );
  ctx.audit({ target: invite.email, after: { registered: account, at: invite.parent.name } });
  return { account };
}
