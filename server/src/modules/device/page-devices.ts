import type { deviceCalls } from '@mooring/contract/device/calls';
import { fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { page } from '../../platform/db/page.ts';
import { noteWeight } from '../../platform/db/scope-weight.ts';
import type { Handler } from '../../platform/module.ts';
import { type DeviceRow, deviceConditions, deviceOf, presenceOf, selectDevices } from './device.queries.ts';
import { countDevices } from './tallies.ts';

/** Which devices stand on the page, from indexes alone; then their rows, and then their figures. */
export const pageDevices: Handler<typeof deviceCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const found = await page(ctx.db, ctx.db.selectFrom('device as d').where(await deviceConditions(ctx, criteria)), {
    page: wanted,
    sorts: { createdAt: 'd.created_at', sn: 'd.sn', name: 'd.name' },
    id: 'd.id',
    shown: selectDevices(ctx.db),
    map: (row: DeviceRow) => row,
    ...(Object.keys(criteria).length === 0 ? { total: () => totalOf(ctx) } : {}),
  });
  const ids = found.content.map((row) => row.id);
  // Past the range: these devices were found within it, and asking that again for each costs more than the rest.
  const presence = await ctx.look((db) => presenceOf(db, ids));
  const shown = deviceOf(ctx);
  return { ...found, content: found.content.map((row) => shown(row, presence.get(row.id))) };
};

async function totalOf(ctx: Ctx): Promise<number> {
  const { total } = await countDevices(ctx.db);
  noteWeight(ctx.scope.path, total);
  return total;
}

export async function readDevice(ctx: Ctx, id: number) {
  const row = await selectDevices(ctx.db).where('d.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return deviceOf(ctx)(row, (await presenceOf(ctx.db, [id])).get(id));
}
