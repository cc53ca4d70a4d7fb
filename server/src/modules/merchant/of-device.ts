import { fault } from '@mooring/contract/kit/fault';
import type { Merchant, merchantCalls } from '@mooring/contract/merchant/calls';
import type { Shop } from '@mooring/contract/merchant/shop';
import type { Handler } from '../../platform/module.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { readDevice } from '../device/api.ts';

/** Where a terminal stands. A merchant of an organisation above isn't seen from here, and is none. */
export const ofDevice =
  (merchants: () => Resource<typeof Merchant>, shops: () => Resource<typeof Shop>): Handler<typeof merchantCalls.ofDevice> =>
  async (ctx, { deviceId }) => {
    const { id, sn, name, productName, deptName, merchantId, shopId, deletedAt } = await readDevice(ctx, deviceId);
    if (deletedAt) throw fault('NOT_FOUND');
    return {
      device: { id, sn, name, productName, deptName },
      merchant: merchantId === null ? null : await merchants().read(ctx, merchantId),
      shop: shopId === null ? null : await shops().read(ctx, shopId),
    };
  };
