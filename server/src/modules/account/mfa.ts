import type { mfaCalls } from '@mooring/contract/account/own-calls';
import type { OutputOf, ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { brandOf } from '../../platform/mail/mail.ts';
import { checkPassword, countUp, noteProof, policiesAt } from '../auth/api.ts';
import { notifyWayIn } from './notify-way-in.ts';
import { beginTotp, consumeRecoveryCode, consumeTotp, factorsOf, makeRecoveryCodes, unbindTotp } from './second-factor.ts';
import { base32, keyUri } from './totp.ts';

type In<C> = ParsedInputOf<C>;

const TRIES = 10;
const TRY_MINUTES = 15;

/** Bounds what a stolen session may guess. Counted in a transaction of its own, or the refusal would take the count back. */
export async function boundTries(ctx: Ctx): Promise<void> {
  const tries = await ctx.unscoped((db) => countUp(db, `proof:${ctx.actor.userId}`, TRY_MINUTES));
  if (tries > TRIES) throw fault('TOO_MANY', { seconds: TRY_MINUTES * 60 });
}
export const forgetTries = (ctx: Ctx) =>
  ctx.unscoped((db) => sql`delete from auth_attempt where key = ${`proof:${ctx.actor.userId}`}`.execute(db));

const policyOf = (db: Db, ctx: Ctx) => policiesAt(db, ctx.actor.deptPath).then((policies) => policies.login.mfa);

export async function mfaStatus(ctx: Ctx): Promise<OutputOf<typeof mfaCalls.status>> {
  const { userId } = ctx.actor;
  return ctx.unscoped(async (db) => {
    const user = await db.selectFrom('account_user').select('mfa_on').where('id', '=', userId).executeTakeFirst();
    const methods = await factorsOf(db, userId);
    const left = await sql<{
      n: number;
    }>`select count(*)::int as n from account_recovery_code where user_id = ${userId} and used_at is null`.execute(db);
    const passkeys = await db.selectFrom('account_passkey').selectAll().where('user_id', '=', userId).orderBy('id').execute();
    return {
      policy: await policyOf(db, ctx),
      on: (user?.mfa_on ?? false) && methods.length > 0,
      totp: methods.includes('totp'),
      methods,
      recoveryLeft: left.rows[0]?.n ?? 0,
      passkeys: passkeys.map((key) => ({ id: key.id, name: key.name, createdAt: key.created_at as never, usedAt: key.used_at as never })),
    };
  });
}

export async function bindInfo(app: AppContext, ctx: Ctx): Promise<OutputOf<typeof mfaCalls.bindInfo>> {
  const { userId } = ctx.actor;
  const { secret, account, brand } = await ctx.unscoped(async (db) => {
    if ((await factorsOf(db, userId)).includes('totp')) throw new Fault('MFA_BOUND');
    const user = await db.selectFrom('account_user').select('account').where('id', '=', userId).executeTakeFirstOrThrow();
    return { secret: await beginTotp(db, app.masterKey, userId), account: user.account, brand: await brandOf(db) };
  });
  const { default: QRCode } = await import('qrcode');
  const uri = keyUri(secret, brand, account);
  return { secret: base32(secret), uri, qr: await QRCode.toDataURL(uri, { margin: 2, width: 232, errorCorrectionLevel: 'M' }) };
}

export async function bindTotp(app: AppContext, ctx: Ctx, code: string): Promise<{ recovery: string[] }> {
  await boundTries(ctx);
  const { userId } = ctx.actor;
  const recovery = await ctx.unscoped(async (db) => {
    if ((await factorsOf(db, userId)).includes('totp')) throw new Fault('MFA_BOUND');
    if (!(await consumeTotp(db, app.masterKey, userId, code, ctx.now(), false)))
      throw new Fault('CODE_REFUSED', { fields: { code: 'fault.CODE_REFUSED' } });
    await db.updateTable('account_user').set({ mfa_on: true }).where('id', '=', userId).execute();
    await notifyWayIn(db, ctx, 'added', 'totp');
    return makeRecoveryCodes(db, app.masterKey, userId);
  });
  await forgetTries(ctx);
  return { recovery };
}

/** Before one is added or taken away, and the others are counted. */
export const lockFactors = (db: Db, userId: number) => lockSet(db, `factors:${userId}`);

/** Refuses to take away the last factor where the policy wants one. */
export async function checkMayLose(db: Db, ctx: Ctx, left: number): Promise<void> {
  if (left === 0 && (await policyOf(db, ctx)) === 'required') throw new Fault('MFA_NEEDED');
}

export async function unbindOwn(ctx: Ctx): Promise<null> {
  const { userId } = ctx.actor;
  await ctx.unscoped(async (db) => {
    await lockFactors(db, userId);
    const methods = await factorsOf(db, userId);
    if (!methods.includes('totp')) throw new Fault('MFA_NOT_BOUND');
    await checkMayLose(db, ctx, methods.includes('passkey') ? 1 : 0);
    await unbindTotp(db, userId);
    await notifyWayIn(db, ctx, 'removed', 'totp');
  });
  return null;
}

export async function newRecovery(app: AppContext, ctx: Ctx): Promise<{ recovery: string[] }> {
  const { userId } = ctx.actor;
  return ctx.unscoped(async (db) => {
    if ((await factorsOf(db, userId)).length === 0) throw new Fault('MFA_NOT_BOUND');
    return { recovery: await makeRecoveryCodes(db, app.masterKey, userId) };
  });
}

export async function switchMfa(ctx: Ctx, on: boolean): Promise<null> {
  const { userId } = ctx.actor;
  await ctx.unscoped(async (db) => {
    if ((await factorsOf(db, userId)).length === 0) throw new Fault('MFA_NOT_BOUND');
    if (!on) await checkMayLose(db, ctx, 0);
    await db.updateTable('account_user').set({ mfa_on: on }).where('id', '=', userId).execute();
  });
  ctx.audit({ after: { on } });
  return null;
}

export async function proved(ctx: Ctx): Promise<null> {
  const { sessionId } = ctx.actor;
  if (sessionId !== undefined) await ctx.unscoped((db) => noteProof(db, sessionId));
  await forgetTries(ctx);
  return null;
}

export async function verifyCode(app: AppContext, ctx: Ctx, { method, code }: In<typeof mfaCalls.verify>): Promise<null> {
  await boundTries(ctx);
  const { userId } = ctx.actor;
  const right = await ctx.unscoped(async (db) => {
    if ((await factorsOf(db, userId)).length === 0) throw new Fault('MFA_NOT_BOUND');
    return method === 'totp'
      ? consumeTotp(db, app.masterKey, userId, code, ctx.now())
      : consumeRecoveryCode(db, app.masterKey, userId, code);
  });
  if (!right) throw new Fault('CODE_REFUSED', { fields: { code: 'fault.CODE_REFUSED' } });
  return proved(ctx);
}

/** Only for those who have nothing better: a password alone proves nothing where a second factor is bound. */
export async function verifyPassword(ctx: Ctx, password: string): Promise<null> {
  await boundTries(ctx);
  const { userId } = ctx.actor;
  const user = await ctx.unscoped(async (db) => {
    if ((await factorsOf(db, userId)).length > 0) throw new Fault('MFA_NEEDED');
    return db.selectFrom('account_user').select('password_hash').where('id', '=', userId).executeTakeFirst();
  });
  if (!(await checkPassword(user?.password_hash, password)).ok)
    throw new Fault('PASSWORD_WRONG', { fields: { password: 'fault.PASSWORD_WRONG' } });
  return proved(ctx);
}
