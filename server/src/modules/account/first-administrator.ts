import { randomInt } from 'node:crypto';
import type { Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { addUser } from './add-user.ts';

const letters = 'abcdefghjkmnpqrstuvwxyz';
const digits = '23456789';

/** Readable, and within every preset's rules: no keyboard sequence of three, no character doubled. */
export function oneTimePassword(): string {
  const parts = [letters, digits, letters.toUpperCase(), digits];
  let text = '';
  while (text.length < 14) {
    const set = parts[text.length % parts.length] ?? letters;
    const next = set[randomInt(set.length)] ?? '';
    if (!text.toLowerCase().includes(next.toLowerCase())) text += next;
  }
  return text;
}

/** On an empty installation: the administrator, whose one-time password is in this answer only. */
export async function firstAdministrator(db: Db): Promise<{ account: string; password: string } | undefined> {
  // Two processes may begin on it at once.
  await lockSet(db, 'first administrator');
  const anybody = await db.selectFrom('account_user').select('id').limit(1).executeTakeFirst();
  if (anybody) return undefined;
  const password = oneTimePassword();
  await addUser(db, {
    account: 'admin',
    name: 'Administrator',
    password,
    initial: true,
    manager: true,
    userType: '1',
    dept: { id: 1, path: '1.' },
    roles: ['platformAdmin'],
  });
  return { account: 'admin', password };
}
