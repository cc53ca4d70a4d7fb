import type { Ctx, Db } from '../../platform/context.ts';
import { mail } from '../../platform/mail/mail.ts';
import { t } from '../../platform/texts/translate.ts';

export type WayIn = 'mobile' | 'passkey' | 'token' | 'totp';

/** Tells people by mail of each new way to act as them, and of one that was taken away: what somebody else did is noticed. */
export async function notifyWayIn(db: Db, ctx: Ctx, change: 'added' | 'removed', way: WayIn, name = ''): Promise<void> {
  const owner = await db
    .selectFrom('account_user')
    .select(['account', 'email', 'language', 'dept_path'])
    .where('id', '=', ctx.actor.userId)
    .executeTakeFirst();
  if (!owner?.email) return;
  const lang = owner.language ?? ctx.lang;
  await mail(db, {
    to: owner.email,
    lang,
    template: change === 'removed' ? 'wayRemoved' : 'wayAdded',
    params: { account: owner.account, what: t(lang, `mail.way.${way}`, { name }), ip: ctx.ip },
    deptPath: owner.dept_path,
    userId: ctx.actor.userId,
  });
}
