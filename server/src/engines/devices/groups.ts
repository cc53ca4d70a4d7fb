import { GroupRule } from '@mooring/contract/device/group-calls';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { type BehindVersion, behindBelow } from './behind.ts';
import { meets } from './meets.ts';

/** A group as far as it says which devices are in it. */
export interface GroupOf {
  readonly id: number;
  readonly rule: unknown;
  readonly dept_path: string;
}

type BehindAt = (path: string) => Promise<readonly BehindVersion[]>;

/** What is behind below each path, asked once however many groups ask. */
export function behindOnce(db: Db): BehindAt {
  const known = new Map<string, Promise<readonly BehindVersion[]>>();
  return (path) => {
    const found = known.get(path) ?? behindBelow(db, path);
    known.set(path, found);
    return found;
  };
}

/** Devices (as `d`) of the range of an organisation that meet a rule now. */
export async function meetsRule(path: string, rule: GroupRule, behind: BehindAt): Promise<RawBuilder<boolean>> {
  const met = await meets(rule, { lookUp: async (condition) => condition, behind: () => behind(path), path, numbers: false });
  return sql<boolean>`(d.deleted_at is null and d.dept_path >= ${path} and d.dept_path < ${`${path}~`} and ${met})`;
}

/** Devices (as `d`) in a group: those that were chosen, or that meet its rule now. Nobody meets a rule that this version can't read. */
export async function inGroup({ id, rule, dept_path }: GroupOf, behind: BehindAt): Promise<RawBuilder<boolean>> {
  if (rule === null) return sql<boolean>`d.id in (select m.device_id from device_group_member m where m.group_id = ${id})`;
  const { data } = GroupRule.safeParse(rule);
  return data ? meetsRule(dept_path, data, behind) : sql<boolean>`false`;
}

/** Devices (as `d`) in any of some groups, as far as those are seen. */
export async function inGroups(db: Db, ids: readonly number[]): Promise<RawBuilder<boolean>> {
  const groups = await db
    .selectFrom('device_group')
    .select(['id', 'rule', 'dept_path'])
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  const behind = behindOnce(db);
  const conditions: RawBuilder<boolean>[] = [];
  for (const group of groups) conditions.push(await inGroup(group, behind));
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}
