import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';

const MANY = 50;

/** Touches a group for the owners of changed rows; for very many of them, for everybody at once. */
export async function invalidatePaths(db: Db, app: Pick<AppContext, 'invalidate'>, group: string, paths: Iterable<string>): Promise<void> {
  const distinct = [...new Set(paths)];
  if (distinct.length > 0) await app.invalidate(db, group, ...(distinct.length > MANY ? ['1.'] : distinct));
}
