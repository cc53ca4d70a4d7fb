import type { Platform } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../platform/app-context.ts';
import { addEntry } from '../../platform/audit/entry.ts';
import { insertToken } from './api-tokens.ts';
import { platformsFor } from './token-platforms.ts';

export interface TokenFor {
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly days: number;
  readonly perMinute: number;
}

/** A token for somebody by the word of an operator of the server, who needs no browser. It holds no more than that person. */
export async function makeToken(app: AppContext, wanted: TokenFor): Promise<{ token: string; platforms: readonly Platform[] }> {
  return app.unscoped(async (db) => {
    const person = await db
      .selectFrom('account_user')
      .select(['id', 'name', 'dept_path'])
      .where((eb) => eb.or([eb('account', '=', wanted.account), eb('email', '=', wanted.account.toLowerCase())]))
      .where('state', '=', '0')
      .executeTakeFirst();
    if (!person) throw new Error(`There is no active account ${wanted.account}.`);
    const platforms = await platformsFor(db, person.id, wanted.scopes, 'centre').catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      throw new Error(
        `${wanted.account} doesn't hold: ${String(error.params.scopes)}. docs/access.md lists every permission with its calls.`,
      );
    });
    const { token } = await insertToken(db, {
      ...wanted,
      userId: person.id,
      deptPath: person.dept_path,
      platforms,
      addresses: [],
      now: app.now(),
    });
    await addEntry(db, {
      requestId: `command-${process.pid}`,
      actorName: 'operator',
      path: person.dept_path,
      platform: platforms[0] ?? 'centre',
      ip: 'local',
      call: 'npm run token',
      target: `token ${wanted.name}`,
      after: { for: wanted.account, scopes: wanted.scopes, days: wanted.days },
      result: 'done',
    });
    return { token, platforms };
  });
}
