import { randomBytes } from 'node:crypto';
import { fault } from '@mooring/contract/kit/fault';
import { isMobile } from '@mooring/contract/shared/patterns';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { mail } from '../../platform/mail/mail.ts';
import { type Job, job } from '../../platform/module.ts';
import { homeOf } from '../../platform/unproven.ts';
import { countUp, countWithin, sendingKey } from './attempts.ts';
import { CODE_MINUTES, CODES_AN_HOUR, makeCode } from './codes.ts';
import { hasContact, LATELY, maySignInBy } from './find-user.ts';
import { policiesAt, sendsCodes } from './policies.ts';

const SEND = 'auth:send-code';
const WAIT_SECONDS = 60;
const PER_ADDRESS = 30;
const WINDOW_MINUTES = 60;

/** Asked from where the person signed in before: what strangers ask for is counted apart, and takes nothing of theirs. */
async function isAtHome(db: Db, recipient: string, ip: string): Promise<boolean> {
  const { rows } = await sql`select 1 from account_user u join auth_session s on s.user_id = u.id
    where ${hasContact(recipient)} and s.ip = ${ip} and s.created_at > ${LATELY} limit 1`.execute(db);
  return rows.length > 0;
}

/** Bounds what is sent to somebody and from somewhere, for each purpose apart. The waits are the same for known and unknown people. */
export async function countSending(
  db: Db,
  recipient: string,
  ip: string,
  purpose: 'login' | 'reset' | 'regist' | 'bind' | 'test',
): Promise<void> {
  const known = recipient.toLowerCase();
  const whose = `${purpose}${(await isAtHome(db, known, ip)) ? `@${homeOf(ip)}` : ''} ${known}`;
  await lockSet(db, `sent:${whose}`);
  const { rows } = await sql<{ wait: number }>`select ceil(extract(epoch from until - now()))::int as wait from auth_attempt
    where key = ${`sent:${whose}`} and until > now()`.execute(db);
  if (rows[0]) throw fault('TOO_MANY', { seconds: rows[0].wait });
  const [byAddress, byRecipient] = [
    await countUp(db, sendingKey(ip), WINDOW_MINUTES),
    await countWithin(db, `codes-to:${whose}`, WINDOW_MINUTES),
  ];
  if (byAddress > PER_ADDRESS) throw fault('TOO_MANY', { seconds: WINDOW_MINUTES * 60 });
  if (byRecipient.count > CODES_AN_HOUR) throw fault('TOO_MANY', { seconds: byRecipient.seconds });
  await sql`insert into auth_attempt (key, failures, until) values (${`sent:${whose}`}, 1, now() + make_interval(secs => ${WAIT_SECONDS}))
    on conflict (key) do update set until = excluded.until`.execute(db);
}

/** Whether anybody has the address is found out by a job, so that the answer takes the same time for everybody. */
export async function askForCode(
  app: AppContext,
  ctx: Ctx,
  to: string,
  purpose: 'login' | 'reset',
): Promise<{ waitSeconds: number; ticket: string }> {
  const ticket = randomBytes(16).toString('hex');
  // Past the range policy: nobody is signed in here.
  await ctx.unscoped((db) => countSending(db, to, ctx.ip, purpose));
  await app.unscoped((db) => app.enqueue(db, SEND, { to, purpose, ticket, lang: ctx.lang }));
  return { waitSeconds: WAIT_SECONDS, ticket };
}

/** Running twice sends a second code, which makes the first worthless. */
export const sendCodeJob = (app: AppContext): Job =>
  job({
    name: SEND,
    payload: z.object({ to: z.string(), purpose: z.enum(['login', 'reset']), ticket: z.string(), lang: z.string() }),
    run: (_ctx, { to, purpose, ticket, lang }) =>
      app.unscoped(async (db) => {
        const asMobile = isMobile(to);
        const user = await db
          .selectFrom('account_user as u')
          .select(['u.id', 'u.account', 'u.dept_path', asMobile ? 'u.mobile as to' : 'u.email as to'])
          .where(maySignInBy(to))
          .where('u.state', 'in', ['0', '1', 'joining', 'refused'])
          .executeTakeFirst();
        if (!user?.to) return;
        if (purpose === 'login' && !sendsCodes((await policiesAt(db, user.dept_path)).login, to)) return;
        const code = await makeCode(db, app.masterKey, purpose, user.to, ticket);
        await mail(db, {
          to: user.to,
          channel: asMobile ? 'sms' : 'email',
          lang,
          template: purpose === 'login' ? 'loginCode' : 'resetCode',
          params: { account: user.account, code, minutes: CODE_MINUTES },
          sealWith: app.masterKey,
          deptPath: user.dept_path,
          userId: user.id,
        });
      }),
  });
