import type { deviceCalls } from '@mooring/contract/device/calls';
import { fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { page, pageIds } from '../../platform/db/page.ts';
import { isWeighed, noteWeight } from '../../platform/db/scope-weight.ts';
import type { Handler } from '../../platform/module.ts';
import { deviceConditions, deviceOf, selectDevice, selectDevices } from './device.queries.ts';
import { withGroups } from './groups/groups-of.ts';
import { devicesInScope } from './tallies.ts';

/** Which devices stand on the page, from indexes alone; then their rows and figures. */
export const pageDevices: Handler<typeof deviceCalls.page> = async (ctx, input) => {
  const found = await devicesOf(ctx, input);
  return { ...found, content: await withGroups(ctx, found.content) };
};

const devicesOf = async (ctx: Ctx, { criteria, page: wanted }: z.output<typeof deviceCalls.page.input>) =>
  page(ctx.db, ctx.db.selectFrom('device as d').where(await deviceConditions(ctx, criteria)), {
    page: wanted,
    sorts: { createdAt: 'd.created_at', sn: 'd.sn', name: 'd.name' },
    id: 'd.id',
    shown: () => selectDevices(ctx.db, pageIds),
    map: deviceOf(ctx),
    ...(Object.keys(criteria).length === 0 ? wholeScope(ctx.scope.path) : {}),
  });

const wholeScope = (path: string) => ({
  total: devicesInScope,
  isWeighed: isWeighed(path),
  plain: 'device',
  seen: (total: number) => noteWeight(path, total),
});

export async function readDevice(ctx: Ctx, id: number) {
  const row = await selectDevice(ctx.db, id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  const [device] = await withGroups(ctx, [deviceOf(ctx)(row)]);
  return device as NonNullable<typeof device>;
}
