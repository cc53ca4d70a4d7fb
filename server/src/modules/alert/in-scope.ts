import { sql } from 'kysely';
import { inGroups } from '../../engines/devices/groups.ts';
import type { Db } from '../../platform/context.ts';
import { pathsAbove } from '../../platform/paths-above.ts';

interface Pair {
  readonly device_id: number;
  readonly rule_id: number;
}

/** Pairs held at once: they are made as they are taken. */
const PAIRS = 20_000;

/** Each terminal with each rule, of these conditions, of its organisation and of those above, in pages. */
export async function* rulesAbove(
  db: Db,
  kinds: readonly string[],
  devices: readonly { readonly device_id: number; readonly dept_path: string }[],
): AsyncGenerator<Pair[]> {
  const above = new Map([...new Set(devices.map((one) => one.dept_path))].map((path) => [path, pathsAbove(path)]));
  const { rows } = await sql<{ id: number; dept_path: string }>`
    select id, dept_path from alert_rule
    where enabled and kind = any(${[...kinds]}::text[]) and dept_path = any(${[...new Set([...above.values()].flat())]}::text[])`.execute(
    db,
  );
  const byPath = Map.groupBy(rows, (rule) => rule.dept_path);
  let some: Pair[] = [];
  for (const { device_id, dept_path } of devices) {
    for (const { id } of (above.get(dept_path) ?? []).flatMap((path) => byPath.get(path) ?? [])) {
      some.push({ device_id, rule_id: id });
      if (some.length < PAIRS) continue;
      yield some;
      some = [];
    }
  }
  if (some.length > 0) yield some;
}

/** Whether a terminal `d` is of a rule `a`: of its products or organisations. Groups are asked for afterwards, for those alone that meet the rest. */
export const isOfRule = sql<boolean>`(a.scope in ('all', 'groups') or (a.scope = 'products' and d.product_id = any(a.product_ids))
  or (a.scope = 'depts' and exists (select from org_dept o where o.id = any(a.dept_ids) and starts_with(d.dept_path, o.dept_path))))`;

interface OfRule {
  readonly rule_id: number;
  readonly device_id: number;
  readonly scope: string;
  readonly group_ids: readonly (number | string)[];
}

/** Without those whose rule is for groups that the terminal isn't in. */
export async function ofGroups<R extends OfRule>(db: Db, rows: readonly R[]): Promise<R[]> {
  const byRule = Map.groupBy(
    rows.filter(({ scope }) => scope === 'groups'),
    ({ rule_id }) => rule_id,
  );
  const within = new Set<string>();
  for (const [ruleId, list] of byRule) {
    const ids = list.map((one) => one.device_id);
    const isIn = await inGroups(db, (list[0]?.group_ids ?? []).map(Number));
    const found = await sql<{ id: number }>`select d.id from device d where d.id = any(${ids}::bigint[]) and ${isIn}`.execute(db);
    for (const { id } of found.rows) within.add(`${ruleId} ${id}`);
  }
  return rows.filter((one) => one.scope !== 'groups' || within.has(`${one.rule_id} ${one.device_id}`));
}
