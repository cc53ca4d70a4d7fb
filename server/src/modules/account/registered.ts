import { randomInt } from 'node:crypto';
import { userMachine } from '@mooring/contract/account/state-machines';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { move, recordCreated, statefulTable } from '../../platform/db/move.ts';
import { addRoles, type Given, noteGiven, seededRole } from '../access/api.ts';

const users = statefulTable('account_user', userMachine);

export interface Registering {
  /** What they would like to be called; digits are added where somebody is. */
  readonly account: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly lang: string;
  readonly dept: { readonly id: number; readonly path: string };
  /** A first manager, or a member. */
  readonly userType: '1' | '2';
  readonly state: 'joining' | '0';
  /** `orgManager` is the first manager of an organisation that was just made. */
  readonly roleIds: readonly number[] | 'orgManager';
  readonly given: Given;
}

async function freeAccount(db: Db, wish: string): Promise<string> {
  for (let name = wish; ; name = `${wish.slice(0, 26)}-${randomInt(1000, 100_000)}`) {
    const taken = await db
      .selectFrom('account_user')
      .select('id')
      .where(sql<boolean>`lower(account) = ${name.toLowerCase()}`)
      .executeTakeFirst();
    if (!taken) return name;
  }
}

/** Whether an address belongs to somebody, and to whom. */
export const ownerOf = (db: Db, email: string) =>
  db
    .selectFrom('account_user')
    .select(['id', 'account', 'dept_path', 'language'])
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .executeTakeFirst();

/** Somebody who registered by themselves. Of two with one address at once the database takes one. */
export async function addRegistered(db: Db, of: Registering): Promise<{ id: number; account: string }> {
  const account = await freeAccount(db, of.account);
  const { id } = await db
    .insertInto('account_user')
    .values({
      account,
      name: of.name,
      email: of.email,
      category: of.userType === '1' ? '1' : '0',
      user_type: of.userType,
      dept_id: of.dept.id,
      dept_path: of.dept.path,
      state: of.state,
      password_hash: of.passwordHash,
      password_at: sql<Date>`now()`,
      language: of.lang,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordCreated(db, users, [id], null);
  const roles = of.roleIds === 'orgManager' ? [await seededRole(db, 'orgManager')] : of.roleIds;
  await addRoles(db, id, roles, of.given);
  await noteGiven(db, [id], of.given.by, 'account');
  return { id, account };
}

export const askAgain = async (db: Db, id: number): Promise<boolean> =>
  (await move(db, users, 'askAgain', [id], { actorId: id })).length > 0;

/** The account ends, and its address and name are free again. */
export async function withdrawRegistered(db: Db, id: number): Promise<boolean> {
  const set = { account: `withdrawn-${id}`, email: null, mobile: null, password_hash: null };
  return (await move(db, users, 'withdraw', [id], { actorId: id, set })).length > 0;
}

/** Why somebody was not let in, from the books. */
export async function refusalOf(db: Db, id: number): Promise<string | null> {
  const { rows } = await sql<{ reason: string | null }>`
    select detail->>'reason' as reason from state_change where life = 'user' and row_id = ${id} and event = 'refuse' order by at desc limit 1`.execute(
    db,
  );
  return rows[0]?.reason ?? null;
}
