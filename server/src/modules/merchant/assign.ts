import type { merchantCalls } from '@mooring/contract/merchant/calls';
import type { Handler } from '../../platform/module.ts';
import { placeOf, runBulk } from '../device/api.ts';

/** Like every bulk act of terminals: many go on in the background. */
export const assignDevices: Handler<typeof merchantCalls.assign> = async (ctx, { of, merchantId, shopId, preview }) => {
  const place = await ctx.inTx((db) => placeOf(db, merchantId, shopId));
  return runBulk(ctx, 'assign', of, preview, { ...place });
};
