import { sql } from 'kysely';
import { behindOnce, type GroupOf, inGroup } from '../../../engines/devices/groups.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { pathsAbove } from '../../../platform/paths-above.ts';

export interface GroupName {
  readonly id: number;
  readonly name: string;
}
interface OfDevice extends GroupName {
  readonly device_id: number;
}

const chosen = (db: Db, ids: readonly number[]) =>
  sql<OfDevice>`
    select m.device_id, g.id, g.name from device_group_member m join device_group g on g.id = m.group_id where m.device_id = any(${ids}::bigint[])`.execute(
    db,
  );

/** The groups by rule in whose range these devices are: of the organisations above them alone, however many there are elsewhere. */
async function rulesFor(db: Db, ids: readonly number[]): Promise<(GroupOf & GroupName)[]> {
  const { rows } = await sql<{ dept_path: string }>`select distinct dept_path from device where id = any(${ids}::bigint[])`.execute(db);
  const paths = [...new Set(rows.flatMap((row) => pathsAbove(row.dept_path)))];
  return db
    .selectFrom('device_group')
    .select(['id', 'name', 'rule', 'dept_path'])
    .where('dept_path', '=', sql<string>`any(${paths}::text[])`)
    .where('kind', '=', 'rule')
    .orderBy('id')
    .execute();
}

async function byRule(db: Db, ids: readonly number[]): Promise<OfDevice[]> {
  const rules = await rulesFor(db, ids);
  if (rules.length === 0) return [];
  const behind = behindOnce(db);
  const met = [];
  for (const group of rules) met.push(sql`case when ${await inGroup(group, behind)} then ${sql.lit(group.id)}::bigint end`);
  const { rows } = await sql<{ device_id: number; groups: number[] }>`
    select d.id as device_id, to_json(array_remove(array[${sql.join(met)}], null)) as groups from device d where d.id = any(${ids}::bigint[])`.execute(
    db,
  );
  const names = new Map(rules.map(({ id, name }) => [id, name]));
  return rows.flatMap((row) => row.groups.map((id) => ({ device_id: row.device_id, id, name: names.get(id) ?? '' })));
}

/** In which groups devices are now, as far as the actor sees those. */
export async function withGroups<D extends { readonly id: number }>(
  ctx: Ctx,
  devices: readonly D[],
): Promise<(D & { groups: GroupName[] })[]> {
  const ids = devices.map((one) => one.id);
  const found = ids.length === 0 ? [] : [...(await chosen(ctx.db, ids)).rows, ...(await byRule(ctx.db, ids))];
  const groups = new Map<number, GroupName[]>();
  for (const { device_id, id, name } of found) groups.set(device_id, [...(groups.get(device_id) ?? []), { id, name }]);
  return devices.map((one) => ({ ...one, groups: (groups.get(one.id) ?? []).sort((a, b) => (a.name < b.name ? -1 : 1)) }));
}
