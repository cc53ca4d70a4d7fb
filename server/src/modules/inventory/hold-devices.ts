import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { keepSharesOf } from '../product/api.ts';

/**
 * Terminals of an act, until the end of its transaction: first the shares of their products, then themselves in the order of ids, then whatever
 * else it touches. A unit that moves takes its terminals first too, or the two would wait for each other.
 */
export async function holdDevices(db: Db, ids: readonly number[]): Promise<void> {
  await keepSharesOf(db, ids);
  await sql`select from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
}
