import type { Overview } from '@mooring/contract/stats/schemas';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';

/** How far an installation has come. */
export async function overview(ctx: Ctx): Promise<Overview> {
  const found = await sql<Overview['has']>`
    select exists (select from product_product where publish_status = '1') as product, exists (select from device where deleted_at is null) as device,
      exists (select from rollout_package where publish_state in ('1', '3')) as firmware, exists (select from rollout_task where state <> 'draft') as release`.execute(
    ctx.db,
  );
  const { product = false, device = false, firmware = false, release = false } = found.rows[0] ?? {};
  return { has: { product, device, firmware, release } };
}
