import type { contactCalls } from '@mooring/contract/account/own-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { mail } from '../../platform/mail/mail.ts';
import { CODE_MINUTES, consumeCode, countSending, countWithin, makeCode } from '../auth/api.ts';
import { boundTries, forgetTries } from './mfa.ts';
import { notifyWayIn } from './notify-way-in.ts';

type Kind = 'email' | 'mobile';
const taken = () => new Fault('CONTACT_TAKEN', { fields: { to: 'fault.CONTACT_TAKEN' } });
const purposeOf = (ctx: Ctx) => `bind:${ctx.actor.userId}` as const;

/** Somebody may have the wrong number in mind, and must not have it sent to strangers, who pay for nothing and are disturbed. */
const CODES_AN_HOUR = 10;

/** Said only to whoever proved that it is theirs: before that it would tell who is here. */
async function heldBy(db: Db, ctx: Ctx, kind: Kind, to: string) {
  const { rows } = await sql<{ id: number; account: string; email: string | null; language: string | null; dept_path: string }>`
    select id, account, email, language, dept_path from account_user where lower(${sql.ref(kind)}) = ${to.toLowerCase()} and id <> ${ctx.actor.userId} limit 1`.execute(
    db,
  );
  return rows[0];
}

/** A number goes on to others: who has it now takes it from whom it was of, who hears of it. An address is an account's name, and stays. */
async function takeOver(db: Db, ctx: Ctx, kind: Kind, to: string): Promise<void> {
  const holder = await heldBy(db, ctx, kind, to);
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
    const user = await db.selectFrom('account_user').select('account').where('id', '=', ctx.actor.userId).executeTakeFirst();
    if (!user) throw fault('NO_SESSION');
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
    const before = await db
      .selectFrom('account_user')
      .select(['account', 'email', 'mobile', 'language'])
      .where('id', '=', ctx.actor.userId)
      .executeTakeFirst();
    if (!before) throw fault('NO_SESSION');
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
    const before = await db
      .selectFrom('account_user')
      .select(['account', 'email', 'mobile', 'language'])
      .where('id', '=', ctx.actor.userId)
      .executeTakeFirst();
    if (!before) throw fault('NO_SESSION');
    ctx.audit({ target: before.account, before: { mobile: before.mobile }, after: { mobile: null } });
    if (before.mobile === null) return;
    await db.updateTable('account_user').set({ mobile: null }).where('id', '=', ctx.actor.userId).execute();
    await notifyWayIn(db, ctx, 'removed', 'mobile', before.mobile);
  });
  return null;
}
