import type { contactCalls } from '@mooring/contract/account/own-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { mail } from '../../platform/mail/mail.ts';
import { CODE_MINUTES, consumeCode, countSending, countWithin, hasContact, makeCode } from '../auth/api.ts';
import { boundTries, forgetTries } from './mfa.ts';
import { notifyWayIn } from './notify-way-in.ts';

type Kind = 'email' | 'mobile';
const taken = () => new Fault('CONTACT_TAKEN', { fields: { to: 'fault.CONTACT_TAKEN' } });
const purposeOf = (ctx: Ctx) => `bind:${ctx.actor.userId}` as const;

/** Of one person, to whomever: strangers pay for nothing that somebody has sent to them, and are disturbed. */
const CODES_AN_HOUR = 10;

/**
 * A number goes on to others: who has it now takes it from whom it was of, who hears of it. An address is an account's name, and stays, which is said only to
 * whoever proved that it is theirs: before that it would tell who is here.
 */
async function takeOver(db: Db, ctx: Ctx, kind: Kind, to: string): Promise<void> {
  const holder = await db
    .selectFrom('account_user as u')
    .select(['u.id', 'u.account', 'u.email', 'u.language', 'u.dept_path'])
    .where(hasContact(to))
    .where('u.id', '<>', ctx.actor.userId)
    .executeTakeFirst();
  if (!holder) return;
  if (kind === 'email') throw taken();
  await db.updateTable('account_user').set({ mobile: null }).where('id', '=', holder.id).execute();
  if (holder.email)
    await mail(db, {
      to: holder.email,
      lang: holder.language ?? ctx.lang,
      template: 'contactTaken',
      params: { account: holder.account, to },
      deptPath: holder.dept_path,
      userId: holder.id,
    });
}

async function ownContacts(db: Db, ctx: Ctx) {
  const own = await db
    .selectFrom('account_user')
    .select(['account', 'email', 'mobile', 'language'])
    .where('id', '=', ctx.actor.userId)
    .executeTakeFirst();
  if (!own) throw fault('NO_SESSION');
  return own;
}

export async function sendContactCode(
  app: AppContext,
  ctx: Ctx,
  { kind, to }: ParsedInputOf<typeof contactCalls.sendCode>,
): Promise<{ waitSeconds: number }> {
  // Past the range policy: an address may be anybody's.
  await ctx.unscoped(async (db) => {
    const asked = await countWithin(db, `codes-by:${ctx.actor.userId}`, 60);
    if (asked.count > CODES_AN_HOUR) throw fault('TOO_MANY', { seconds: asked.seconds });
    await countSending(db, to, ctx.ip, 'bind');
  });
  await ctx.unscoped(async (db) => {
    const user = await ownContacts(db, ctx);
    const code = await makeCode(db, app.masterKey, purposeOf(ctx), to);
    await mail(db, {
      to,
      lang: ctx.lang,
      template: 'bindCode',
      params: { account: user.account, code, minutes: CODE_MINUTES },
      sealWith: app.masterKey,
      channel: kind === 'mobile' ? 'sms' : 'email',
      deptPath: ctx.actor.deptPath,
      userId: ctx.actor.userId,
    });
  });
  return { waitSeconds: 60 };
}

/** The address before hears of it, so that a change by somebody else is noticed. */
export async function bindContact(app: AppContext, ctx: Ctx, kind: Kind, { to, code }: { to: string; code: string }): Promise<null> {
  await boundTries(ctx);
  if (!(await ctx.unscoped((db) => consumeCode(db, app.masterKey, purposeOf(ctx), to, code))))
    throw new Fault('CODE_REFUSED', { fields: { code: 'fault.CODE_REFUSED' } });
  await ctx.unscoped(async (db) => {
    await lockSet(db, `contact:${to.toLowerCase()}`);
    await takeOver(db, ctx, kind, to);
    const before = await ownContacts(db, ctx);
    await db
      .updateTable('account_user')
      .set({ [kind]: to })
      .where('id', '=', ctx.actor.userId)
      .execute();
    if (before.email && (kind === 'mobile' || before.email.toLowerCase() !== to.toLowerCase()))
      await mail(db, {
        to: before.email,
        lang: before.language ?? ctx.lang,
        template: 'contactChanged',
        params: { account: before.account, to, ip: ctx.ip },
        deptPath: ctx.actor.deptPath,
        userId: ctx.actor.userId,
      });
    ctx.audit({ target: before.account, before: { [kind]: before[kind] }, after: { [kind]: to } });
  });
  await forgetTries(ctx);
  return null;
}

/** The owner hears of it: whoever takes a number away may want to be the only one who gets in. */
export async function unbindMobile(ctx: Ctx): Promise<null> {
  await ctx.unscoped(async (db) => {
    const before = await ownContacts(db, ctx);
    ctx.audit({ target: before.account, before: { mobile: before.mobile }, after: { mobile: null } });
    if (before.mobile === null) return;
    await db.updateTable('account_user').set({ mobile: null }).where('id', '=', ctx.actor.userId).execute();
    await notifyWayIn(db, ctx, 'removed', 'mobile', before.mobile);
  });
  return null;
}
