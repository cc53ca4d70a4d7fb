import type { deviceCalls } from '@mooring/contract/device/calls';
import { fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { page } from '../../platform/db/page.ts';
import { noteWeight } from '../../platform/db/scope-weight.ts';
import type { Handler } from '../../platform/module.ts';
import { deviceConditions, deviceOf, presenceOf, selectDevices } from './device.queries.ts';
import { countDevices } from './tallies.ts';

/** Which devices stand on the page, from indexes alone; then their rows. A wide row is read only where it is shown. */
export const pageDevices: Handler<typeof deviceCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const found = await page(ctx.db, ctx.db.selectFrom('device as d').where(await deviceConditions(ctx, criteria)), {
    page: wanted,
    sorts: { createdAt: 'd.created_at', sn: 'd.sn', name: 'd.name' },
    id: 'd.id',
    map: (row: { page_id: number }) => row.page_id,
    ...(Object.keys(criteria).length === 0 ? { total: () => totalOf(ctx) } : {}),
  });
  const ids = found.content;
  const [rows, presence] = await Promise.all([
    ids.length === 0 ? [] : selectDevices(ctx.db).where('d.id', 'in', ids).execute(),
    // Past the range: these devices were found within it, and asking that again for each costs more than the rest.
    ctx.look((db) => presenceOf(db, ids)),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { ...found, content: ids.flatMap((id) => [byId.get(id) ?? []].flat()).map((row) => deviceOf(ctx)(row, presence.get(row.id))) };
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
