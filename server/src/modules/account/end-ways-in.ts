import type { memberCalls } from '@mooring/contract/account/member-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { endSessionsOf } from '../auth/api.ts';
import { endTokensOf } from './api-tokens.ts';
import { dropIdleRecovery } from './second-factor.ts';

export type Ending = Pick<ParsedInputOf<typeof memberCalls.resetPassword>, 'mobile' | 'passkeys' | 'tokens'>;
/** What went, for the log and the person's mail. */
export interface Ended {
  readonly mobile?: string;
  readonly passkeys?: readonly string[];
  readonly revoked?: readonly string[];
}

/**
 * A password was reset, maybe since somebody else had it: all sessions end, and whatever of the other ways in isn't kept. An authenticator app stays:
 * it opens nothing by itself.
 */
export async function endWaysIn(ctx: Pick<Ctx, 'now'>, db: Db, userId: number, ending: Ending): Promise<Ended> {
  await endSessionsOf(db, userId);
  const revoked = await endTokensOf(db, userId, ending.tokens, ctx.now());
  const ended: { -readonly [K in keyof Ended]: Ended[K] } = revoked.length > 0 ? { revoked } : {};
  if (ending.mobile === 'remove') {
    const { rows } = await sql<{ mobile: string }>`
      update account_user u set mobile = null from account_user o where u.id = ${userId} and o.id = u.id and o.mobile is not null returning o.mobile`.execute(
      db,
    );
    if (rows[0]) ended.mobile = rows[0].mobile;
  }
  if (ending.passkeys === 'remove') {
    const gone = await db.deleteFrom('account_passkey').where('user_id', '=', userId).returning('name').execute();
    await dropIdleRecovery(db, userId);
    if (gone.length > 0) ended.passkeys = gone.map(({ name }) => name);
  }
  return ended;
}
