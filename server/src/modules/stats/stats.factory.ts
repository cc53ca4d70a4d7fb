import { sql } from 'kysely';
import type { TestApp } from '../../../test/test-app.ts';
import type { Ctx } from '../../platform/context.ts';
import { watchAttention } from '../device/api.ts';
import { foldJob } from './fold.ts';
import { pruneJob, sampleJob } from './sample.ts';

/** The recurring jobs of the figures, run by hand. */
export function clockwork(app: () => TestApp) {
  const ctx = () => ({ ...app().context, now: () => app().clock.now }) as unknown as Ctx;
  return {
    fold: () => foldJob.run(ctx(), {}),
    sample: () => sampleJob.run(ctx(), {}),
    prune: () => pruneJob.run(ctx(), {}),
    look: () => watchAttention.run(ctx(), {}),
  };
}

/** What the figures say, counted row by row: by status, version and what to look at, below a path. */
export const counted = async (app: TestApp, path: string) => {
  const rows = await app.context.unscoped((db) =>
    sql<{ measure: string; detail: string; product_id: number; n: number }>`
      with d as (select * from device where deleted_at is null and dept_path >= ${path} and dept_path < ${`${path}~`})
      select 'status' as measure, status as detail, product_id, count(*)::int as n from d group by 1, 2, 3
      union all select 'firmware', firmware, product_id, count(*)::int from d where firmware <> '' group by 1, 2, 3
      union all select a.kind, '', d.product_id, count(*)::int from device_attention a join d on d.id = a.device_id group by 1, 2, 3
      order by 1, 2, 3`.execute(db),
  );
  return rows.rows.map((row) => ({ measure: row.measure, productId: row.product_id, detail: row.detail, n: row.n }));
};
