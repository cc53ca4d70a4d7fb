import type { deviceCalls } from '@mooring/contract/device/calls';
import { fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { type DeviceRow, deviceConditions, deviceOf, presenceOf, selectDevices } from './device.queries.ts';

export const pageDevices: Handler<typeof deviceCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const found = await page(ctx.db, selectDevices(ctx.db).where(await deviceConditions(ctx, criteria)), {
    page: wanted,
    sorts: { createdAt: 'd.created_at', sn: 'd.sn', name: 'd.name' },
    id: 'd.id',
    map: (row: DeviceRow) => row,
  });
  const presence = await presenceOf(
    ctx.db,
    found.content.map((row) => row.id),
  );
  return { ...found, content: found.content.map((row) => deviceOf(ctx)(row, presence.get(row.id))) };
};

export async function readDevice(ctx: Ctx, id: number) {
  const row = await selectDevices(ctx.db).where('d.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return deviceOf(ctx)(row, (await presenceOf(ctx.db, [id])).get(id));
}
