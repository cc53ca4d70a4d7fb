import type { EnrolRuleNew, regCalls } from '@mooring/contract/device/reg-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, contains } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { deptInScope } from './add-device.ts';
import { overlapping, PREFIX_LEAST } from './enrol-rules.ts';

const selectRules = (db: Db) =>
  db
    .selectFrom('device_enrol_rule as r')
    .innerJoin('org_dept as o', 'o.id', 'r.dept_id')
    .leftJoin('product_product as p', 'p.id', 'r.product_id')
    .select([
      'r.id',
      'r.name',
      'r.sn_prefix',
      'r.product_id',
      'p.name as product_name',
      'r.dept_id',
      'o.name as dept_name',
      'r.only_expected',
      'r.only_factory',
      'r.remark',
      'r.enabled',
      'r.accepted',
      'r.created_at',
      'r.revision',
    ])
    .select(sql<string | null>`r.network::text`.as('network'));
type Row = Awaited<ReturnType<ReturnType<typeof selectRules>['executeTakeFirstOrThrow']>>;

const ruleOf = (row: Row) => ({
  id: row.id,
  name: row.name,
  snPrefix: row.sn_prefix,
  productId: row.product_id,
  productName: row.product_name,
  deptId: row.dept_id,
  deptName: row.dept_name,
  network: row.network,
  onlyExpected: row.only_expected,
  onlyFactory: row.only_factory,
  enabled: row.enabled,
  accepted: row.accepted,
  remark: row.remark,
  revision: row.revision,
  createdAt: row.created_at,
});
const readRule = async (ctx: Ctx, id: number) => {
  const row = await selectRules(ctx.db).where('r.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return ruleOf(row);
};
const columns = (rule: z.output<typeof EnrolRuleNew>, dept: { id: number; path: string }) => ({
  name: rule.name,
  sn_prefix: rule.snPrefix,
  product_id: rule.productId,
  dept_id: dept.id,
  dept_path: dept.path,
  network: rule.network && sql<string>`network(${rule.network}::inet)`,
  only_expected: rule.onlyExpected,
  only_factory: rule.onlyFactory,
  enabled: rule.enabled,
  remark: rule.remark,
});

export const pageRules: Handler<typeof regCalls.rules> = (ctx, { criteria, page: wanted }) =>
  page(ctx.db, selectRules(ctx.db).where(all(contains('r.name', criteria.name))), {
    page: wanted,
    sorts: { createdAt: 'r.created_at', name: 'r.name' },
    id: 'r.id',
    map: ruleOf,
  });

const wrong = (field: 'snPrefix' | 'productId', key: string) => new Fault('BAD_INPUT', { fields: { [field]: key } });
/** Depth of a product line's path. */
const LINE = 2;

/** Serial numbers are one name space for all: an organisation claims some that nobody beside it claims, of products of its own line. */
async function checkClaim(ctx: Ctx, rule: z.output<typeof EnrolRuleNew>, path: string, id: number | undefined): Promise<void> {
  if (rule.productId) {
    const line = await ctx.db.selectFrom('product_product').select('dept_path').where('id', '=', rule.productId).executeTakeFirst();
    if (line && !path.startsWith(line.dept_path) && !line.dept_path.startsWith(path)) throw wrong('productId', 'invalid.ruleProduct');
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

export const addRule: Handler<typeof regCalls.ruleAdd> = async (ctx, input) => {
  const dept = await deptInScope(ctx.db, ctx.scope.path, input.deptId);
  await checkClaim(ctx, input, dept.path, undefined);
  const { id } = await ctx.db.insertInto('device_enrol_rule').values(columns(input, dept)).returning('id').executeTakeFirstOrThrow();
  const rule = await readRule(ctx, id);
  ctx.audit({ target: `rule ${rule.name}`, after: input });
  return rule;
};

export const updateRule: Handler<typeof regCalls.ruleUpdate> = async (ctx, { id, ...input }) => {
  const dept = await deptInScope(ctx.db, ctx.scope.path, input.deptId);
  const before = await readRule(ctx, id);
  await checkClaim(ctx, input, dept.path, id);
  await ctx.db.updateTable('device_enrol_rule').set(columns(input, dept)).where('id', '=', id).execute();
  ctx.audit({ target: `rule ${before.name}`, before, after: input });
  return readRule(ctx, id);
};

export const deleteRule: Handler<typeof regCalls.ruleDelete> = async (ctx, { id }) => {
  const before = await readRule(ctx, id);
  ctx.audit({ target: `rule ${before.name}`, before });
  await ctx.db.deleteFrom('device_enrol_rule').where('id', '=', id).execute();
  return null;
};
