import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import { cut } from '../../../platform/cut.ts';
import { savedBy } from '../../../platform/settings.ts';
import { addRoles, dropRoles, heldOf, reaches, stillGiven } from '../../access/api.ts';
import { addUser } from '../../account/api.ts';
import { byEmail, byId, type SignInUser } from '../find-user.ts';
import { hasAdministrator, lockAdministrators } from '../lock.ts';
import type { SsoSetting } from './provider.ts';

/** What the provider says of a person. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  readonly account: string | undefined;
  readonly groups: readonly string[];
}

async function known(db: Db, claims: Claims): Promise<number | undefined> {
  const row = await db
    .selectFrom('account_identity')
    .select('user_id')
    .where('issuer', '=', claims.issuer)
    .where('subject', '=', claims.subject)
    .executeTakeFirst();
  return row?.user_id;
}

/** A free account name made of what the provider calls the person. */
async function freeAccount(db: Db, claims: Claims): Promise<string> {
  const wish = (claims.account ?? claims.email?.split('@')[0] ?? 'person').replace(/[^A-Za-z0-9._-]/g, '').slice(0, 48) || 'person';
  const { rows } = await sql<{
    account: string;
  }>`select lower(account) as account from account_user where lower(account) like ${`${wish.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`.execute(
    db,
  );
  const taken = new Set(rows.map((row) => row.account));
  for (let n = 1; ; n += 1) {
    const account = n === 1 ? wish : `${wish}${n}`;
    if (!taken.has(account.toLowerCase())) return account;
  }
}

async function provision(db: Db, setting: SsoSetting, claims: Claims): Promise<number> {
  const deptId = setting.rules.find((rule) => claims.groups.includes(rule.group) && rule.deptId !== undefined)?.deptId;
  const dept =
    deptId === undefined
      ? undefined
      : await db
          .selectFrom('org_dept')
          .select(['id', 'dept_path'])
          .where('id', '=', deptId)
          .where('state', '=', 'enabled')
          .executeTakeFirst();
  // Somebody whom no rule places would see nothing, or too much.
  if (!dept) throw new Fault('SSO_NO_PLACE');
  const free = claims.email !== undefined && !(await byEmail(db, claims.email));
  const account = await freeAccount(db, claims);
  return addUser(db, {
    account,
    name: cut(claims.name ?? account, 64),
    ...(free && claims.email ? { email: claims.email } : {}),
    dept: { id: dept.id, path: dept.dept_path },
    roles: [],
  });
}

/** The groups of this sign-in say the roles, where any rule speaks of roles: what the provider took away is gone here too. */
async function followGroups(db: Db, setting: SsoSetting, claims: Claims, userId: number): Promise<void> {
  const ruled = [...new Set(setting.rules.flatMap((rule) => rule.roleId ?? []))];
  if (ruled.length === 0) return;
  const wanted = setting.rules.flatMap((rule) => (rule.roleId !== undefined && claims.groups.includes(rule.group) ? [rule.roleId] : []));
  const place = await db
    .selectFrom('account_user as u')
    .innerJoin('org_dept as d', 'd.id', 'u.dept_id')
    .select(['u.dept_path as path', 'd.kind'])
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow();
  // A rule is a grant of whoever saved it, and gives what they may give at this moment.
  const by = await savedBy(db, 'singleSignOn');
  const given = await stillGiven(db, by, wanted, place);
  const was = await lockAdministrators(db, userId);
  const lost = ruled.filter((id) => !given.includes(id));
  const had = await db
    .selectFrom('access_user_role')
    .select('role_id')
    .where('user_id', '=', userId)
    .where('role_id', 'in', [...lost, 0])
    .execute();
  await dropRoles(db, userId, lost);
  await addRoles(db, userId, given, { by, way: 'signOn' });
  // A group that was renamed at the provider leaves nobody without an administrator.
  if (was && !(await hasAdministrator(db, was)))
    await addRoles(
      db,
      userId,
      had.map((row) => row.role_id),
      { by, way: 'signOn' },
    );
}

/** An address makes nobody somebody who holds more than whoever switched that on. Fault: SSO_LINK_ABOVE. */
async function checkLink(db: Db, userId: number): Promise<void> {
  const by = await savedBy(db, 'singleSignOn');
  if (by === null || !(await reaches(db, await heldOf(db, by), userId))) throw new Fault('SSO_LINK_ABOVE');
}

/** Whom the claims mean: linked before, the same verified address, or new. Faults: SSO_UNKNOWN, SSO_NO_PLACE, SSO_LINK_ABOVE. */
export async function personOf(db: Db, setting: SsoSetting, claims: Claims): Promise<SignInUser> {
  // Two first sign-ins of one person at once make one account.
  await sql`select pg_advisory_xact_lock(hashtext(${`${claims.issuer} ${claims.subject}`}))`.execute(db);
  let userId = await known(db, claims);
  if (userId === undefined) {
    const same = setting.linkByEmail && claims.emailVerified && claims.email ? await byEmail(db, claims.email) : undefined;
    if (!same && !setting.provision) throw new Fault('SSO_UNKNOWN');
    if (same) await checkLink(db, same.id);
    userId = same?.id ?? (await provision(db, setting, claims));
    await db.insertInto('account_identity').values({ user_id: userId, issuer: claims.issuer, subject: claims.subject }).execute();
  }
  await db
    .updateTable('account_identity')
    .set({ last_used_at: sql`now()` })
    .where('issuer', '=', claims.issuer)
    .where('subject', '=', claims.subject)
    .execute();
  await followGroups(db, setting, claims, userId);
  const user = await byId(db, userId);
  if (!user) throw new Fault('SSO_UNKNOWN');
  return user;
}
