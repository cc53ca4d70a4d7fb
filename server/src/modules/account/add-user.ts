import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { addRoles, seededRole } from '../access/api.ts';
import { hashPassword } from '../auth/api.ts';

export interface NewUser {
  readonly account: string;
  readonly name: string;
  readonly email?: string;
  /** None for people whom an identity provider signs in. */
  readonly password?: string;
  /** A password that somebody else chose must be changed at the first sign-in. */
  readonly initial?: boolean;
  readonly manager?: boolean;
  readonly userType?: '1' | '2';
  readonly dept: { readonly id: number; readonly path: string };
  readonly roles: readonly string[];
}

/** A person with seeded roles, by code. */
export async function addUser(db: Db, user: NewUser): Promise<number> {
  const row = await db
    .insertInto('account_user')
    .values({
      account: user.account,
      name: user.name,
      email: user.email ?? null,
      category: user.manager ? '1' : '0',
      user_type: user.userType ?? '2',
      dept_id: user.dept.id,
      dept_path: user.dept.path,
      password_hash: user.password === undefined ? null : await hashPassword(user.password),
      password_at: sql`now()`,
      password_initial: user.initial ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const roles: number[] = [];
  for (const code of user.roles) roles.push(await seededRole(db, code));
  await addRoles(db, row.id, roles, { by: null, way: 'system' });
  return row.id;
}
