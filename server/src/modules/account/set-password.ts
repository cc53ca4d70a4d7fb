import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { mail } from '../../platform/mail/mail.ts';
import { momentFor } from '../../platform/texts/moment.ts';
import { t } from '../../platform/texts/translate.ts';
import { checkPassword, faultOfNewPassword, hashPassword, type Policies } from '../auth/api.ts';
import type { Ended } from './end-ways-in.ts';

const refuse = (fault: string) => new Fault(fault, { fields: { newPassword: `fault.${fault}` } });

export interface Owner {
  readonly id: number;
  readonly account: string;
  readonly email: string | null;
  readonly password_hash: string | null;
}

/** Fails where a new password does not keep the rules. */
export async function checkNewPassword(password: string, owner: Pick<Owner, 'account' | 'email'>, policies: Policies): Promise<void> {
  const fault = await faultOfNewPassword(password, policies.password, owner);
  if (fault) throw refuse(fault);
}

/** Fails where it is one of the last that the policy does not take again. `earlier` are their hashes, the present one first. */
async function checkUnused(password: string, earlier: readonly string[]): Promise<void> {
  for (const hash of earlier) if ((await checkPassword(hash, password)).ok) throw refuse('PASSWORD_USED');
}

const earlierOf = async (db: Db, owner: Owner, most: number): Promise<string[]> => {
  if (most === 0) return [];
  const { rows } = await sql<{
    hash: string;
  }>`select hash from account_password_history where user_id = ${owner.id} order by id desc limit ${most}`.execute(db);
  return [...new Set([...(owner.password_hash ? [owner.password_hash] : []), ...rows.map((row) => row.hash)])].slice(0, most);
};

/** Hashes outside of any transaction, since that takes a while; gives what writes it. */
export async function prepareNewPassword(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  owner: Owner,
  password: string,
  policies: Policies,
): Promise<(db: Db) => Promise<void>> {
  await checkNewPassword(password, owner, policies);
  await checkUnused(password, await read((db) => earlierOf(db, owner, policies.password.history)));
  if (owner.password_hash && (await checkPassword(owner.password_hash, password)).ok) throw refuse('PASSWORD_SAME');
  const hash = await hashPassword(password);
  return async (db) => {
    if (owner.password_hash)
      await db.insertInto('account_password_history').values({ user_id: owner.id, hash: owner.password_hash }).execute();
    await sql`delete from account_password_history where user_id = ${owner.id} and id not in
      (select id from account_password_history where user_id = ${owner.id} order by id desc limit 24)`.execute(db);
    await sql`update account_user set password_hash = ${hash}, password_at = now(), password_initial = false, password_weak = false where id = ${owner.id}`.execute(
      db,
    );
  };
}

interface Addressee extends Pick<Owner, 'id' | 'account' | 'email'> {
  readonly dept_path: string;
  readonly language: string | null;
  readonly time_zone: string | null;
}

/** Tells the owner by mail, so that what somebody else did is noticed. */
async function tellOwner(
  db: Db,
  owner: Addressee,
  now: Date,
  of: { template: 'passwordChanged' | 'passwordReset'; params: Readonly<Record<string, string>> },
): Promise<void> {
  if (!owner.email) return;
  const at = momentFor(now, owner.language, owner.time_zone);
  await mail(db, {
    to: owner.email,
    lang: owner.language ?? 'en',
    template: of.template,
    params: { account: owner.account, at, ...of.params },
    deptPath: owner.dept_path,
    userId: owner.id,
  });
}

export const notifyPasswordChanged = (db: Db, owner: Addressee, ip: string, now: Date): Promise<void> =>
  tellOwner(db, owner, now, { template: 'passwordChanged', params: { ip } });

/** An administrator did it: with what can't be used to sign in any more. */
export async function notifyPasswordReset(db: Db, userId: number, { mobile, passkeys, revoked }: Ended, now: Date): Promise<void> {
  const owner = await db
    .selectFrom('account_user')
    .select(['id', 'account', 'email', 'language', 'time_zone', 'dept_path'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const lang = owner.language ?? 'en';
  const said = (way: 'mobile' | 'passkey' | 'token', names: readonly string[] = []) =>
    names.map((name) => t(lang, `mail.way.${way}`, { name }));
  const gone = [...said('mobile', mobile === undefined ? [] : [mobile]), ...said('passkey', passkeys), ...said('token', revoked)];
  await tellOwner(db, owner, now, { template: 'passwordReset', params: { what: gone.join(', ') || t(lang, 'mail.way.none') } });
}
