import type { contactCalls } from '@mooring/contract/account/own-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { mail } from '../../platform/mail/mail.ts';
import { CODE_MINUTES, consumeCode, countSending, makeCode } from '../auth/api.ts';
import { boundTries, forgetTries } from './mfa.ts';

type Kind = 'email' | 'mobile';
const taken = () => new Fault('CONTACT_TAKEN', { fields: { to: 'fault.CONTACT_TAKEN' } });
const purposeOf = (ctx: Ctx) => `bind:${ctx.actor.userId}` as const;

/** Whether it is somebody else's. Said only to whoever proved to be signed in as somebody. */
async function checkFree(db: Db, ctx: Ctx, kind: Kind, to: string): Promise<void> {
  const { rows } =
    await sql`select id from account_user where lower(${sql.ref(kind)}) = ${to.toLowerCase()} and id <> ${ctx.actor.userId} limit 1`.execute(
      db,
    );
  if (rows.length > 0) throw taken();
}

export async function sendContactCode(
  app: AppContext,
  ctx: Ctx,
  { kind, to }: ParsedInputOf<typeof contactCalls.sendCode>,
): Promise<{ waitSeconds: number }> {
  // Past the range policy: an address may be anybody's.
  await ctx.unscoped((db) => countSending(db, to, ctx.ip));
  await ctx.unscoped(async (db) => {
    await checkFree(db, ctx, kind, to);
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
    await checkFree(db, ctx, kind, to);
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
