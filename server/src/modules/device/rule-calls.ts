import { EnrolRule } from '@mooring/contract/device/trust';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { resource } from '../../platform/resource/resource.ts';
import { usableAt } from '../product/api.ts';
import { overlapping, PREFIX_LEAST } from './enrol-rules.ts';
import { ruleCalls } from './reg-groups.ts';

type Rule = z.output<typeof EnrolRule.add>;
const wrong = (field: 'snPrefix' | 'productId', key: string) => new Fault('BAD_INPUT', { fields: { [field]: key } });
/** Depth of a product line's path. */
const LINE = 2;

/** Serial numbers are one name space for all: an organisation claims some that nobody beside it claims, of products of its own line. */
async function checkClaim(ctx: Ctx, rule: Rule, path: string, id: number | undefined): Promise<void> {
  if (rule.productId) {
    const { productId } = rule;
    const usable = await sql`select from product_product p where p.id = ${productId} and ${usableAt(sql`${path}::text`)}`.execute(ctx.db);
    if (usable.rows.length === 0) throw wrong('productId', 'invalid.ruleProduct');
  }
  if (!rule.enabled || path.split('.').length - 1 <= LINE) return;
  if (rule.snPrefix.length < PREFIX_LEAST) throw wrong('snPrefix', 'invalid.rulePrefix');
  // Two who claim the same at once go one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended('enrolment rules', 1))`.execute(ctx.db);
  const taken = await ctx.unscoped((db) =>
    sql`select from device_enrol_rule o where o.id <> ${id ?? 0} and ${overlapping(sql`${path}::text`, sql`${rule.snPrefix}::text`)} limit 1`.execute(
      db,
    ),
  );
  if (taken.rows.length > 0) throw wrong('snPrefix', 'invalid.rulePrefixTaken');
}

export const enrolRules = resource(EnrolRule, ruleCalls, {
  table: 'device_enrol_rule',
  small: true,
  target: (row) => `rule ${row.name}`,
  joined: (query) =>
    query
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('product_product as p', 'p.id', 't.product_id')
      .select(['o.name as dept_name', 'p.name as product_name']),
  columns: async (ctx, rule, { before, path }) => {
    await checkClaim(ctx, rule, path, before?.id);
    return { network: rule.network && sql<string>`network(${rule.network}::inet)` };
  },
});
