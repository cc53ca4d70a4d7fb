import type { Db } from '../context.ts';
import type { House } from '../house.ts';

const MANY = 50;

/** Touches a group for the owners of changed rows; for very many of them, for everybody at once. */
export async function touchPaths(db: Db, house: House, group: string, paths: Iterable<string>): Promise<void> {
  const distinct = [...new Set(paths)];
  if (distinct.length > 0) await house.touch(db, group, ...(distinct.length > MANY ? ['1.'] : distinct));
}
