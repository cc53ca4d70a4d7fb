import type { deviceCalls } from '@mooring/contract/device/calls';
import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { fault } from '@mooring/contract/kit/fault';
import { mayJoin } from '../../engines/rollout/join-tasks.ts';
import type { Handler } from '../../platform/module.ts';
import { restore } from './bulk-acts.ts';
import { revokeCredentials } from './enrol.ts';
import { readDevice } from './page-devices.ts';
import { putConfig } from './put-config.ts';

export const updateDevice: Handler<typeof deviceCalls.update> = async (ctx, { id, name, tags, testTerminal, remark, notes }) => {
  const before = await ctx.db
    .selectFrom('device')
    .select(['sn', 'name', 'tags', 'test_terminal', 'remark', 'notes'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!before) throw fault('NOT_FOUND');
  await ctx.db
    .updateTable('device')
    .set({ name, tags: [...new Set(tags)], test_terminal: testTerminal ?? before.test_terminal, remark, notes })
    .where('id', '=', id)
    .execute();
  await mayJoin(ctx.db, ctx, [id]);
  ctx.audit({
    target: `device ${before.sn}`,
    before,
    after: { name, tags, test_terminal: testTerminal ?? before.test_terminal, remark, notes },
  });
  return readDevice(ctx, id);
};

export const restoreDevice: Handler<typeof deviceCalls.restore> = async (ctx, { id }) => {
  const back = await restore(ctx, ctx.db, [id], {});
  if (back.length === 0) throw fault('NOT_FOUND');
  await ctx.invalidate(ctx.db, THINGS);
  return readDevice(ctx, id);
};

/** The actor's right to the device is asked under the policy; what hangs on it is then changed past it. */
export const revokeDevice: Handler<typeof deviceCalls.revoke> = async (ctx, { id }) => {
  const device = await ctx.db.selectFrom('device').select('sn').where('id', '=', id).executeTakeFirst();
  if (!device) throw fault('NOT_FOUND');
  await revokeCredentials(ctx.db, id, ctx.now());
  ctx.audit({ target: `device ${device.sn}` });
  return null;
};

export const setConfig: Handler<typeof deviceCalls.setConfig> = async (ctx, { id, values, revision: from }) => {
  const { revision, sn } = await putConfig(ctx, ctx.db, id, values, from);
  ctx.audit({ target: `device ${sn}`, after: values });
  return { revision };
};
