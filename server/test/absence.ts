import type { Db } from '../src/platform/context.ts';

/** Somebody is away for a while, with a delegate. */
export async function makeAbsence(db: Db, user_id: number, delegate_id: number, dept_path: string): Promise<number> {
  const values = { user_id, delegate_id, from_at: new Date(), until_at: new Date(Date.now() + 1e9), dept_path };
  return (await db.insertInto('approval_absence').values(values).returning('id').executeTakeFirstOrThrow()).id;
}
