import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { usableAt } from '../product/api.ts';

export interface RuleRow {
  readonly id: number;
  readonly name: string;
  readonly dept_name: string;
  readonly product_id: number | null;
  readonly dept_id: number;
  readonly dept_path: string;
  /** As it holds for this terminal. */
  readonly only_expected: boolean;
  /** What it would say if nobody else could say the same. */
  readonly wants: boolean;
}

/** A shorter prefix claims serial numbers of everybody. */
export const PREFIX_LEAST = 4;
/** Rules of an organisation, in distinction from those of a product line or the whole platform. */
const isBelowLine = (rule: 'r' | 'o') => sql<boolean>`${sql.ref(`${rule}.dept_path`)} like '%.%.%.%'`;
/** Rules of others, neither above nor below, that claim some of the same serial numbers. */
export const overlapping = (path: ReturnType<typeof sql>, prefix: ReturnType<typeof sql>) => sql<boolean>`
  o.enabled and length(o.sn_prefix) >= ${PREFIX_LEAST} and not starts_with(o.dept_path, ${path}) and not starts_with(${path}, o.dept_path)
  and (starts_with(o.sn_prefix, ${prefix}) or starts_with(${prefix}, o.sn_prefix))`;

/**
 * The rule that fits best: one that lets it in, then the longest SN prefix. Of a device that is known only its own organisation and those above
 * have a say. Of an unknown one an organisation has it only with a factory certificate: anybody may write a prefix.
 */
export async function findRule(
  db: Db,
  asking: {
    sn: string;
    productId: number | undefined;
    devicePath: string | undefined;
    ip: string;
    factory: readonly string[];
  },
): Promise<RuleRow | undefined> {
  const vouched = sql<boolean>`exists (select from unnest(${asking.factory}::text[]) f where starts_with(r.dept_path, f))`;
  const place = asking.devicePath ?? null;
  const product = asking.productId ?? null;
  const isShared = sql<boolean>`length(r.sn_prefix) < ${PREFIX_LEAST}
    or exists (select from device_enrol_rule o where o.id <> r.id and ${overlapping(sql`r.dept_path`, sql`r.sn_prefix`)})`;
  const found = await sql<RuleRow>`
    select r.id, r.name, d.name as dept_name, r.product_id, r.dept_id, r.dept_path, not r.only_expected as wants,
      r.only_expected or (${place}::text is null and ${isBelowLine('r')} and (not ${vouched} or ${isShared})) as only_expected
    from device_enrol_rule r join org_dept d on d.id = r.dept_id
    where r.enabled and ${asking.sn} like r.sn_prefix || '%' and (r.product_id is null or r.product_id = ${product}::bigint)
      and (r.network is null or ${asking.ip}::inet <<= r.network) and (not r.only_factory or ${vouched})
      and (${place}::text is null or starts_with(${place}::text, r.dept_path))
      and (${place}::text is not null or ${product}::bigint is null
        or exists (select from product_product p where p.id = ${product}::bigint and ${usableAt(sql`r.dept_path`)}))
    order by 8, wants desc, length(r.sn_prefix) desc, r.id limit 1`.execute(db);
  return found.rows[0];
}

export const countRule = (db: Db, id: number) => sql`update device_enrol_rule set accepted = accepted + 1 where id = ${id}`.execute(db);
