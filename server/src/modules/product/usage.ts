import { packageMachine } from '@mooring/contract/engines/rollout/state-machines';
import { codesOf } from '@mooring/contract/kit/state-machine';
import type { productCalls } from '@mooring/contract/product/calls';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';
import { rowBy } from '../../platform/resource/select-rows.ts';

const published = codesOf(packageMachine, ['published', 'partly']);

/** What this scope has of a product: terminals as they are counted when they change, and its packages. */
export const usageOf: Handler<typeof productCalls.usage> = async (ctx, { id }) => {
  await rowBy(ctx, ctx.db, { table: 'product_product' }, id);
  const terminals = await sql<{ n: number }>`select coalesce(sum(n), 0)::int as n from device_tally where product_id = ${id}`.execute(
    ctx.db,
  );
  const packages = await sql<{ kind: string; packages: number; published: number; newest: string }>`
    select content as kind, count(*)::int as packages, (count(*) filter (where publish_state = any(${published})))::int as published,
      (array_agg(version order by id desc))[1] as newest
    from rollout_package where product_id = ${id} and deleted_at is null group by content order by content`.execute(ctx.db);
  return { terminals: terminals.rows[0]?.n ?? 0, packages: packages.rows };
};
