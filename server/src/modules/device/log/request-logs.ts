import type { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../../platform/context.ts';
import type { Handler } from '../../../platform/module.ts';
import { readSetting } from '../../../platform/settings.ts';

const DAY_MS = 86_400_000;

/** Lines that would be gone by the next night aren't asked for. */
export async function refuseOld(ctx: Ctx, { from, to }: { from?: string | undefined; to?: string | undefined }, at = ''): Promise<void> {
  const name = from === undefined ? 'to' : 'from';
  const first = from ?? to;
  if (first === undefined) return;
  const { logDays } = await readSetting(ctx.db, 'retention');
  if (Date.parse(first) >= ctx.now().getTime() - logDays * DAY_MS) return;
  throw new Fault('LOG_PULL_OLD', { fields: { [at + name]: 'fault.LOG_PULL_OLD' }, params: { days: logDays } });
}

/** Asks terminals for their logs; a disabled one can't be asked. */
export const requestLogs: Handler<typeof deviceLogCalls.request> = async (ctx, { deviceIds, hours, ...params }) => {
  await refuseOld(ctx, params);
  const open = await ctx.db
    .selectFrom('device')
    .select('id')
    .where('id', 'in', deviceIds)
    .where('deleted_at', 'is', null)
    .where('status', '<>', '4')
    .orderBy('id')
    .forShare()
    .execute();
  if (open.length === 0) throw new Fault('DEVICE_STATE', { fields: { deviceIds: 'fault.DEVICE_STATE' } });
  const asked = await ctx.sendMessages(
    ctx.db,
    open.map(({ id }) => ({
      deviceId: id,
      kind: 'command' as const,
      data: { command: 'logPull', params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) },
      expiresAt: new Date(ctx.now().getTime() + hours * 3_600_000),
      actor: { userId: ctx.actor.userId, userName: ctx.actor.userName },
    })),
  );
  ctx.audit({ target: `logPull: ${asked} devices` });
  await ctx.invalidate(ctx.db, '/device/runLog');
  await ctx.invalidate(ctx.db, '/device');
  return { asked, refused: new Set(deviceIds).size - open.length };
};
