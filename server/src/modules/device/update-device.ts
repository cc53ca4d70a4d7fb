import type { deviceCalls } from '@mooring/contract/device/calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { mayJoin } from '../../engines/rollout/join-tasks.ts';
import type { Handler } from '../../platform/module.ts';
import { revokeCredentials } from './enrol.ts';
import { readDevice } from './page-devices.ts';

export const updateDevice: Handler<typeof deviceCalls.update> = async (ctx, { id, name, tags, remark, notes }) => {
  const before = await ctx.db
    .selectFrom('device')
    .select(['sn', 'name', 'tags', 'remark', 'notes'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!before) throw fault('NOT_FOUND');
  await ctx.db
    .updateTable('device')
    .set({ name, tags: [...new Set(tags)], remark, notes })
    .where('id', '=', id)
    .execute();
  await mayJoin(ctx.db, ctx, [id]);
  ctx.audit({ target: `device ${before.sn}`, before, after: { name, tags, remark, notes } });
  return readDevice(ctx, id);
};

export const restoreDevice: Handler<typeof deviceCalls.restore> = async (ctx, { id }) => {
  const done = await ctx.db
    .updateTable('device')
    .set({ deleted_at: null })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  if (done.numUpdatedRows === 0n) throw fault('NOT_FOUND');
  await mayJoin(ctx.db, ctx, [id]);
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

const CONFIG_DAYS = 30;

/** Desired state: kept with a revision, told to the terminal until it says that it has it. */
export const setConfig: Handler<typeof deviceCalls.setConfig> = async (ctx, { id, values }) => {
  const changed = await sql<{ revision: number; sn: string }>`
    update device set config = ${JSON.stringify(values)}::jsonb, config_revision = config_revision + 1 where id = ${id} and deleted_at is null returning config_revision as revision, sn`.execute(
    ctx.db,
  );
  const row = changed.rows[0];
  if (!row) throw fault('NOT_FOUND');
  await ctx.sendMessages(ctx.db, [
    {
      deviceId: id,
      kind: 'config',
      key: `cfg-${id}-${row.revision}`,
      data: { revision: row.revision, values },
      expiresAt: new Date(ctx.now().getTime() + CONFIG_DAYS * 86_400_000),
    },
  ]);
  ctx.audit({ target: `device ${row.sn}`, after: values });
  return { revision: row.revision };
};
