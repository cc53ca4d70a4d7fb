import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

export interface RuleRow {
  readonly id: number;
  readonly product_id: number | null;
  readonly dept_id: number;
  readonly dept_path: string;
  readonly only_expected: boolean;
}

/** The rule that fits best: the longest SN prefix first. */
export async function findRule(
  db: Db,
  asking: { sn: string; productId: number | undefined; ip: string; factory: readonly string[] },
): Promise<RuleRow | undefined> {
  const found = await sql<RuleRow>`
    select id, product_id, dept_id, dept_path, only_expected from device_enrol_rule
    where enabled and ${asking.sn} like sn_prefix || '%' and (product_id is null or product_id = ${asking.productId ?? null}::bigint)
      and (network is null or ${asking.ip}::inet <<= network)
      and (not only_factory or exists (select from unnest(${asking.factory}::text[]) f where starts_with(dept_path, f)))
    order by length(sn_prefix) desc, id limit 1`.execute(db);
  return found.rows[0];
}

export const countRule = (db: Db, id: number) => sql`update device_enrol_rule set accepted = accepted + 1 where id = ${id}`.execute(db);
