import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { addNew } from './add-device.ts';
import { bulkActs } from './bulk-acts.ts';
import { addTo } from './groups/group-acts.ts';
import { chosenGroup } from './groups/members.ts';
import { readDevice } from './page-devices.ts';
import { putConfig } from './put-config.ts';

async function putInGroups(ctx: Ctx, id: number, groupIds: readonly number[]): Promise<void> {
  for (const groupId of [...new Set(groupIds)].toSorted((one, other) => one - other)) {
    const group = await chosenGroup(ctx, groupId, 'groupIds');
    const added = await addTo(ctx, ctx.db, group, [id]);
    if (added.length === 0) throw new Fault('GROUP_ELSEWHERE', { fields: { groupIds: 'fault.GROUP_ELSEWHERE' } });
  }
}

/** In the transaction of the call: what one part is refused for leaves no half of a terminal. */
export const saveDevice: Handler<typeof deviceCalls.save> = async (ctx, { merchantId, shopId, groupIds, config, ...device }) => {
  const { permissions } = ctx.actor;
  const isPlaced = merchantId !== null || shopId !== null;
  if ((isPlaced || config !== undefined) && !isAllowed(permissions, deviceCalls.update.can)) throw fault('FORBIDDEN');
  if (groupIds.length > 0 && !isAllowed(permissions, deviceGroupCalls.addMembers.can)) throw fault('FORBIDDEN');
  const id = await addNew(ctx, device);
  if (isPlaced) {
    const placed = await bulkActs.assign(ctx, ctx.db, [id], { merchantId, shopId });
    if (placed.length === 0) throw new Fault('MERCHANT_ELSEWHERE', { fields: { merchantId: 'fault.MERCHANT_ELSEWHERE' } });
  }
  await putInGroups(ctx, id, groupIds);
  if (config !== undefined) await putConfig(ctx, ctx.db, id, config);
  ctx.audit({ target: `device ${device.sn}`, after: { ...device, merchantId, shopId, groupIds, config } });
  return readDevice(ctx, id);
};
