import { userMachine } from '@mooring/contract/account/state-machines';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { addEntry } from '../../platform/audit/entry.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { writeSetting } from '../../platform/settings.ts';
import { endSessionsOf, forgetAllFailures, hashPassword, unlockNow } from '../auth/api.ts';
import { oneTimePassword } from './first-administrator.ts';
import { unbindFactors } from './second-factor.ts';

const users = statefulTable('account_user', userMachine);

export interface Unlocking {
  /** The account or the email address. */
  readonly account: string;
  readonly newPassword: boolean;
  readonly withoutFactors: boolean;
  readonly withoutDualControl?: boolean;
}
export interface Unlocked {
  readonly account: string;
  readonly password: string | undefined;
  readonly done: readonly string[];
}

/** The way back in, for whoever holds the server itself: nothing of it can be asked for over the network. */
export async function unlockAccount(
  app: AppContext,
  { account, newPassword, withoutFactors, withoutDualControl }: Unlocking,
): Promise<Unlocked> {
  const password = newPassword ? oneTimePassword() : undefined;
  const hash = password === undefined ? undefined : await hashPassword(password);
  return app.unscoped(async (db) => {
    const typed = account.toLowerCase();
    const user = await db
      .selectFrom('account_user')
      .select(['id', 'account', 'state', 'dept_path'])
      .where((eb) => eb.or([eb(sql`lower(account)`, '=', typed), eb(sql`lower(email)`, '=', typed)]))
      .executeTakeFirst();
    if (!user) throw new Error(`There is no account ${JSON.stringify(account)}.`);
    const done: string[] = [];
    if (await forgetAllFailures(db, user.id)) done.push('waiting after failed attempts is over');
    if (await unlockNow(db, user.id, null, 'command')) done.push('unlocked');
    if ((await move(db, users, 'enable', [user.id], { detail: { reason: 'command' } })).length > 0) done.push('enabled');
    if (hash !== undefined) {
      await db
        .updateTable('account_user')
        .set({ password_hash: hash, password_at: app.now(), password_initial: true, password_weak: false })
        .where('id', '=', user.id)
        .execute();
      done.push('new one-time password');
    }
    if (withoutFactors) {
      await unbindFactors(db, user.id);
      done.push('second factors removed');
    }
    if (withoutDualControl) {
      await writeSetting(db, app.masterKey, 'dualControl', { enabled: false }, app.now());
      done.push('dual control switched off');
    }
    if (hash !== undefined || withoutFactors) await endSessionsOf(db, user.id);
    await addEntry(db, {
      requestId: `unlock-${user.id}`,
      actorName: 'npm run unlock',
      path: user.dept_path,
      ip: 'local',
      call: 'npm run unlock',
      target: user.account,
      result: 'done',
      after: { done },
    });
    return { account: user.account, password, done };
  });
}
