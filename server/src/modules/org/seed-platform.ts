import type { Db } from '../../platform/context.ts';
import { addDept } from './add-dept.ts';

/** Department 1 is the platform, 2 the product line that the console sends as ProductLineId (design 2, "Who is who"). */
export async function seedPlatform(db: Db): Promise<void> {
  const there = await db.selectFrom('org_dept').select('id').where('id', '=', 1).executeTakeFirst();
  if (there) return;
  await addDept(db, { kind: 'platform', name: 'Mooring', parent: undefined });
  await addDept(db, { kind: 'productLine', name: 'Payment terminals', parent: { id: 1, path: '1.' } });
}
