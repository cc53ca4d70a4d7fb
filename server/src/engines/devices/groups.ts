import { GroupRule } from '@mooring/contract/device/group-calls';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { behindBelow } from './behind.ts';
import { meets } from './meets.ts';

/** A group as far as it says which devices are in it. */
export interface GroupOf {
  readonly id: number;
  readonly rule: unknown;
  readonly dept_path: string;
}

/** Devices (as `d`) of the range of an organisation that meet a rule now. */
export async function meetsRule(db: Db, path: string, rule: GroupRule): Promise<RawBuilder<boolean>> {
  const met = await meets(rule, { lookUp: async (condition) => condition, behind: () => behindBelow(db, path) });
  return sql<boolean>`(d.deleted_at is null and d.dept_path >= ${path} and d.dept_path < ${`${path}~`} and ${met})`;
}

/** Devices (as `d`) in a group: those that were chosen, or that meet its rule now. Nobody meets a rule that this version can't read. */
export async function inGroup(db: Db, { id, rule, dept_path }: GroupOf): Promise<RawBuilder<boolean>> {
  if (rule === null) return sql<boolean>`d.id in (select m.device_id from device_group_member m where m.group_id = ${id})`;
  const { data } = GroupRule.safeParse(rule);
  return data ? meetsRule(db, dept_path, data) : sql<boolean>`false`;
}

/** Devices (as `d`) in any of some groups, as far as those are seen. */
export async function inGroups(db: Db, ids: readonly number[]): Promise<RawBuilder<boolean>> {
  const groups = await db
    .selectFrom('device_group')
    .select(['id', 'rule', 'dept_path'])
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  const conditions: RawBuilder<boolean>[] = [];
  for (const group of groups) conditions.push(await inGroup(db, group));
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}
