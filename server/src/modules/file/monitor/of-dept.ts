import type { Exact } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import { type Condition, valuesOf } from '../../../platform/db/criteria.ts';

/** Rows of these organisations themselves: a file says whose it is by the place of that alone. */
export function ofDept(column: string, of: Exact<number> | undefined): Condition {
  const ids = valuesOf(of);
  return ids && sql<boolean>`${sql.ref(column)} in (select dept_path from org_dept where id = any(${ids}::bigint[]))`;
}
