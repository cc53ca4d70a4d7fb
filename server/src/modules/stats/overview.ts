import { failedResults } from '@mooring/contract/engines/rollout/state-machines';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { Overview } from '@mooring/contract/stats/calls';
import { sql } from 'kysely';
import { talliesOf } from '../../engines/rollout/tally.ts';
import type { Ctx } from '../../platform/context.ts';

const named: Readonly<Record<string, keyof Overview>> = { '1': 'inactive', '2': 'offline', '3': 'online', '4': 'disabled', '5': 'inStock' };

const NEWEST = 10;
/** Of the newest releases those that failed on terminals of this scope, from the same counters as their list. */
async function failingReleases(ctx: Ctx): Promise<Overview['failing']> {
  if (!isAllowed(ctx.actor.permissions, taskCalls.page.can)) return [];
  const newest = await ctx.db
    .selectFrom('rollout_task')
    .select(['id', 'name'])
    .where('state', 'in', ['running', 'paused', 'halted', 'finished'])
    .orderBy('id', 'desc')
    .limit(NEWEST)
    .execute();
  const tallies = await talliesOf(
    ctx.db,
    newest.map((one) => one.id),
  );
  return newest
    .map(({ id, name }) => ({ taskId: id, name, failed: failedResults.reduce((sum, code) => sum + (tallies.get(id)?.[code] ?? 0), 0) }))
    .filter((one) => one.failed > 0);
}

/** The scope's fleet in figures, from the counters that the writers keep: no row of a device is read. */
export async function overview(ctx: Ctx): Promise<Overview> {
  const counted = await sql<{
    status: string;
    n: number;
  }>`select status, sum(n)::bigint as n from device_tally group by status having sum(n) <> 0`.execute(ctx.db);
  const rest = await sql<{ running: number; product: boolean; firmware: boolean; release: boolean }>`
    select (select count(*)::int from rollout_task where state = 'running') as running,
      exists (select from product_product where publish_status = '1') as product,
      exists (select from rollout_package where publish_state in ('1', '3')) as firmware, exists (select from rollout_task where state <> 'draft') as release`.execute(
    ctx.db,
  );
  const { running = 0, product = false, firmware = false, release = false } = rest.rows[0] ?? {};
  const figures = { total: 0, online: 0, offline: 0, inactive: 0, disabled: 0, inStock: 0 };
  for (const { status, n } of counted.rows) {
    const key = named[status] as keyof typeof figures | undefined;
    if (key) figures[key] = n;
    figures.total += n;
  }
  return {
    ...figures,
    runningTasks: running,
    failing: await failingReleases(ctx),
    has: { product, device: figures.total > 0, firmware, release },
  };
}
