import { Fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';

/** Whether an organisation may bring apps. Fault: APP_NOT_DEVELOPER. */
export async function checkDeveloper(db: Db, deptId: number): Promise<void> {
  const found = await db
    .selectFrom('app_developer')
    .select('id')
    .where('dept_id', '=', deptId)
    .where('state', '=', 'accepted')
    .limit(1)
    .executeTakeFirst();
  if (!found) throw new Fault('APP_NOT_DEVELOPER');
}
