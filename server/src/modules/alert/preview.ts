import { conditionOf, paramsOf } from '@mooring/contract/alert/conditions';
import type { alertRuleCalls } from '@mooring/contract/alert/rule';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import { isFresh, isInUse } from '../../engines/devices/attention.ts';
import { inGroups } from '../../engines/devices/groups.ts';
import type { Ctx } from '../../platform/context.ts';
import { nextCandidates } from '../../platform/db/candidates.ts';
import type { Handler } from '../../platform/module.ts';
import { isOfRule } from './in-scope.ts';
import { type TerminalKind, terminalConditions } from './terminal-conditions.ts';

const BATCH = 10_000;
/** Whoever has more terminals is told of the first of them: nobody waits for a look at a million. */
const MOST = 50_000;
const NAMED = 5;

interface Looked {
  readonly seen: number;
  readonly met: number;
  readonly sns: readonly string[];
}

/** Fault: BAD_INPUT of params that the condition doesn't take, NOT_FOUND of a condition that isn't one of terminals. */
export const previewRule: Handler<typeof alertRuleCalls.preview> = async (ctx, { deptId, kind, params, scope, ...of }) => {
  const condition = conditionOf(kind).of === 'terminal' ? terminalConditions[kind as TerminalKind] : undefined;
  if (!condition) throw fault('NOT_FOUND');
  const read = paramsOf(kind).safeParse(params);
  if (!read.success) throw new Fault('BAD_INPUT', { fields: { params: 'invalid.alertParams' } });
  const dept = await ctx.db.selectFrom('org_dept').select('dept_path').where('id', '=', deptId).executeTakeFirstOrThrow();
  const rule = sql`(select ${JSON.stringify(read.data)}::jsonb as params, ${scope}::text as scope, ${of.productIds}::bigint[] as product_ids, ${of.deptIds}::bigint[] as dept_ids) a`;
  const isIn = scope === 'groups' ? await inGroups(ctx.db, of.groupIds) : sql<boolean>`true`;
  const now = ctx.now();
  const met = sql`(${condition.met(sql`l.value`, now)} and ${condition.isTold ? isFresh(now) : sql`true`}) is true`;
  const look = async (ids: readonly number[]): Promise<Looked> => {
    const { rows } = await sql<Looked>`
      select count(*)::int as seen, count(*) filter (where ${met})::int as met, coalesce((array_agg(d.sn order by d.id) filter (where ${met}))[1:${sql.lit(NAMED)}], '{}') as sns
      from device d join device_presence p on p.device_id = d.id join product_product r on r.id = d.product_id cross join ${rule}
        cross join lateral (select ${condition.limit} as value) l
      where d.id = any(${ids}::bigint[]) and ${isInUse} and ${isOfRule} and ${isIn}`.execute(ctx.db);
    return rows[0] ?? { seen: 0, met: 0, sns: [] };
  };
  return lookAtFirst(
    ctx,
    sql<boolean>`d.dept_path >= ${dept.dept_path} and d.dept_path < ${`${dept.dept_path}~`} and d.deleted_at is null`,
    look,
  );
};

async function lookAtFirst(ctx: Ctx, which: RawBuilder<boolean>, look: (ids: readonly number[]) => Promise<Looked>) {
  const all = { seen: 0, met: 0, sns: [] as string[] };
  for (let after = 0, taken = 0; taken < MOST; taken += BATCH) {
    const ids = await nextCandidates(ctx, 'device', which, after, BATCH);
    const { seen, met, sns } = await look(ids);
    all.seen += seen;
    all.met += met;
    all.sns.push(...sns.slice(0, NAMED - all.sns.length));
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) return { ...all, isAll: true };
    after = last;
  }
  return { ...all, isAll: false };
}
