import { sql } from 'kysely';
import type { Db } from '../context.ts';

/** Does it wholly, or not at all: when it fails, the transaction around it goes on from before it. */
export async function inSavepoint<T>(db: Db, run: () => Promise<T>): Promise<T> {
  await sql`savepoint before_it`.execute(db);
  try {
    const done = await run();
    await sql`release savepoint before_it`.execute(db);
    return done;
  } catch (error) {
    // Released too, or one around it would find this one by the same name.
    await sql`rollback to savepoint before_it`.execute(db);
    await sql`release savepoint before_it`.execute(db);
    throw error;
  }
}
