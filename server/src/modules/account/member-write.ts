import type { memberCalls } from '@mooring/contract/account/member-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { MasterKey } from '../../platform/config/master-key.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import { mail } from '../../platform/mail/mail.ts';
import { sendsOf } from '../../platform/mail/settings.ts';
import type { Handler } from '../../platform/module.ts';
import { checkGrant, type Held, heldNow, invalidateRights, noteGiven, setManaged, setRoles } from '../access/api.ts';
import { hashPassword, keepAdministrator, lockAdministrators } from '../auth/api.ts';
import { endWaysIn } from './end-ways-in.ts';
import { oneTimePassword } from './first-administrator.ts';
import { reachMember, showMember, userRows } from './member.queries.ts';
import { notifyPasswordReset } from './set-password.ts';

type New = ParsedInputOf<typeof memberCalls.add>;
export interface Place {
  readonly id: number;
  readonly path: string;
  readonly kind: string;
}

/** Where somebody may be put: inside the scope, not merely readable above it, and open. */
export async function placeOf(ctx: Ctx, db: Db, deptId: number): Promise<Place> {
  const row = await db
    .selectFrom('org_dept')
    .select(['id', 'dept_path as path', 'kind'])
    .select(sql<boolean>`is_dept_open(dept_path)`.as('open'))
    .where('id', '=', deptId)
    .executeTakeFirst();
  if (!row?.path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  if (!row.open) throw new Fault('DEPT_SHUT', { fields: { deptId: 'fault.DEPT_SHUT' } });
  return row;
}

/** What is asked of each person who is let in or changed: a place, roles that may be given there, and managed units inside the scope. */
export async function checkPlacing(
  ctx: Ctx,
  db: Db,
  held: Held,
  input: Pick<New, 'deptId' | 'roleIds'> & { managedDeptIds?: readonly number[] },
): Promise<Place> {
  const place = await placeOf(ctx, db, input.deptId);
  await checkGrant(db, held, input.roleIds, place);
  for (const id of input.managedDeptIds ?? []) if (id !== place.id) await placeOf(ctx, db, id);
  return place;
}

/** Whoever manages is a manager; nobody says so of themselves. */
const categoryOf = (input: { userType: string; managedDeptIds?: readonly number[] }): '0' | '1' =>
  input.userType === '1' || (input.managedDeptIds?.length ?? 0) > 0 ? '1' : '0';

export interface Fresh extends Pick<New, 'account' | 'userName' | 'userType' | 'roleIds'> {
  readonly email: string | null;
  readonly managedDeptIds: readonly number[];
  readonly hash: string;
}
/** Writes a person whose placing was checked. Faults: ACCOUNT_TAKEN, CONTACT_TAKEN. */
export async function insertMember(ctx: Ctx, db: Db, of: Fresh, place: Place, way: 'member' | 'import' = 'member'): Promise<number> {
  const made = await db
    .insertInto('account_user')
    .values({
      account: of.account,
      name: of.userName,
      email: of.email,
      category: categoryOf(of),
      user_type: of.userType,
      dept_id: place.id,
      dept_path: place.path,
      password_hash: of.hash,
      password_at: ctx.now(),
      password_initial: true,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw await taken(ctx, of.account, of.email);
  await setRoles(db, made.id, of.roleIds, { by: ctx.actor.userId, way });
  await setManaged(db, made.id, of.managedDeptIds, ctx.actor.userId);
  await recordCreated(db, userRows, [made.id], ctx.actor.userId);
  await noteGiven(db, [made.id], ctx.actor.userId, 'account');
  return made.id;
}
/** Accounts and addresses are the installation's, so whoever has them may stand outside the scope. */
async function taken(ctx: Ctx, account: string, email: string | null): Promise<Fault> {
  const other = await ctx.unscoped((db) =>
    db.selectFrom('account_user').select('id').where(sql`lower(account)`, '=', account.toLowerCase()).executeTakeFirst(),
  );
  if (other || email === null) return new Fault('ACCOUNT_TAKEN', { fields: { account: 'fault.ACCOUNT_TAKEN' } });
  return new Fault('CONTACT_TAKEN', { fields: { email: 'fault.CONTACT_TAKEN' } });
}

export async function mailPassword(
  db: Db,
  sealWith: MasterKey,
  to: { id: number; account: string; email: string; dept_path: string; language: string | null },
  password: string,
  lang: string,
): Promise<void> {
  await mail(db, {
    to: to.email,
    lang: to.language ?? lang,
    template: 'oneTimePassword',
    params: { account: to.account, password },
    sealWith,
    deptPath: to.dept_path,
    userId: to.id,
  });
}

/** A password that is mailed is shown to nobody: where no mail leaves, nobody would ever have it. */
async function checkSends(app: AppContext, ctx: Ctx): Promise<void> {
  const { email } = await ctx.unscoped((db) => sendsOf(app, db));
  if (!email) throw new Fault('MAIL_UNSET');
}

export const addMember =
  (app: AppContext): Handler<typeof memberCalls.add> =>
  async (ctx, input) => {
    const email = input.email ?? null;
    if (input.mail && email === null) throw new Fault('MAIL_NEEDED', { fields: { email: 'fault.MAIL_NEEDED' } });
    if (input.mail) await checkSends(app, ctx);
    await ctx.inTx(async (db) => checkPlacing(ctx, db, await heldNow(ctx), input));
    // Hashing takes a while, so no transaction waits for it; what was checked is checked again in the one that writes.
    const password = oneTimePassword();
    const hash = await hashPassword(password);
    const id = await ctx.inTx(async (db) => {
      const place = await checkPlacing(ctx, db, await heldNow(ctx), input);
      const made = await insertMember(ctx, db, { ...input, email, hash }, place);
      if (input.mail && email)
        await mailPassword(
          db,
          app.masterKey,
          { id: made, account: input.account, email, dept_path: place.path, language: null },
          password,
          ctx.lang,
        );
      return made;
    });
    ctx.audit({ target: input.account, after: { ...input } });
    return { id, password: input.mail ? null : password };
  };

export const updateMember: Handler<typeof memberCalls.update> = async (ctx, { id, ...input }) => {
  const { row, held } = await reachMember(ctx, ctx.db, id);
  if (row.state !== '0' && row.state !== '1') throw fault('OVERTAKEN');
  const was = await lockAdministrators(ctx.db, id);
  const place = await checkPlacing(ctx, ctx.db, held, input);
  const email = input.email === undefined ? row.email : input.email;
  const before = {
    userName: row.name,
    email: row.email,
    dept: row.dept_name,
    userType: row.user_type,
    roles: row.roles.map((one) => one.name),
  };
  try {
    await ctx.db
      .updateTable('account_user')
      .set({
        name: input.userName,
        email,
        category: categoryOf(input),
        user_type: input.userType,
        dept_id: place.id,
        dept_path: place.path,
      })
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new Fault('CONTACT_TAKEN', { fields: { email: 'fault.CONTACT_TAKEN' } });
    throw error;
  }
  if (email !== row.email) await noteGiven(ctx.db, [id], ctx.actor.userId, 'contact');
  // Told before and after: consoles at what they managed until now have to hear of it too.
  await invalidateRights(ctx.db, [id]);
  await setRoles(ctx.db, id, input.roleIds, { by: ctx.actor.userId, way: 'member' });
  await setManaged(ctx.db, id, input.managedDeptIds, ctx.actor.userId);
  await keepAdministrator(ctx.db, was);
  await invalidateRights(ctx.db, [id]);
  const after = await showMember(ctx, ctx.db, id);
  ctx.audit({ target: row.account, before, after: { ...input, roles: after.roles.map((one) => one.name) } });
  return after;
};

/** A new one-time password; everything that was open under the old one ends. */
export const resetMemberPassword =
  (app: AppContext): Handler<typeof memberCalls.resetPassword> =>
  async (ctx, input) => {
    const { row } = await ctx.inTx((db) => reachMember(ctx, db, input.id));
    if (row.state !== '0' && row.state !== '1') throw fault('OVERTAKEN');
    if (input.mail && !row.email) throw new Fault('MAIL_NEEDED');
    if (input.mail) await checkSends(app, ctx);
    const password = oneTimePassword();
    const hash = await hashPassword(password);
    await ctx.inTx(async (db) => {
      await reachMember(ctx, db, input.id);
      await db
        .updateTable('account_user')
        .set({ password_hash: hash, password_at: ctx.now(), password_initial: true, password_weak: false })
        .where('id', '=', input.id)
        .execute();
      await noteGiven(db, [input.id], ctx.actor.userId, 'password');
      if (input.mail && row.email) await mailPassword(db, app.masterKey, { ...row, email: row.email }, password, ctx.lang);
    });
    const ended = await ctx.unscoped(async (db) => {
      const gone = await endWaysIn(ctx, db, input.id, input);
      if (gone.passkeys) await noteGiven(db, [input.id], ctx.actor.userId, 'factor');
      await notifyPasswordReset(db, input.id, gone, ctx.now());
      return gone;
    });
    ctx.audit({ target: row.account, ...(Object.keys(ended).length > 0 ? { after: ended } : {}) });
    return { id: input.id, password: input.mail ? null : password };
  };
