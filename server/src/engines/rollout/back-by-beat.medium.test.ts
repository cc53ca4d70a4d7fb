import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { lockWaits } from '../../../test/lock-waits.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { makeModules } from '../../modules/modules.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { wakeResults } from './handle-results.ts';
import { rolloutsOf } from './release.factory.ts';
import { round } from './tick.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('a terminal whose lease ran out on a connection that lasted gets what waited for it, with its next heartbeat', async () => {
  const owner = await app.dept('Bank');
  const admin = await app.person('platformAdmin', app.root);
  const productId = await makeProduct(app, app.root);
  const packageId = await makePackage(app, admin, app.root, productId, '2.0');
  const [deviceId = 0] = await makeDevices(app, owner, productId, ['SN000001']);
  const rollouts = rolloutsOf(app);
  const run = <T = unknown>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
  await run(sql`update device_presence set online = false where device_id = ${deviceId}`);
  await run(sql`update device set status = '2' where id = ${deviceId}`);
  const task = { name: 'Release', packageId, scope: { releaseScope: '0' as const }, delivery: {}, release: true };
  const { id } = await admin.call(taskCalls.add, task);
  for (let turns = 0; turns < 10; turns += 1) await round(app.context, rollouts);
  await app.context.unscoped((db) =>
    sendMessages(db, [
      {
        deviceId,
        kind: 'command',
        key: 'waits',
        data: { command: 'reboot', params: {} },
        expiresAt: new Date(app.clock.now.getTime() + 3_600_000),
      },
    ]),
  );
  expect((await admin.call(taskCalls.detail, { id })).tally).toEqual({ '1': 1 });

  const { now } = app.clock;
  const beat = { sn: 'SN000001', deviceId, deptPath: owner.path, kind: 'beat', id: 'b-1', at: now, receivedAt: now, data: { battery: 50 } };
  for (const handler of makeModules(app.context).modules.flatMap((module) => module.messages ?? []))
    if (handler.kind === 'beat') await app.context.unscoped((db) => handler.handle(db, [beat as unknown as UpMessage], app.context));
  for (let turns = 0; turns < 10; turns += 1) await round(app.context, rollouts);
  expect((await admin.call(taskCalls.detail, { id })).tally).toEqual({ '2': 1 });
  const parked = await run(sql<{ key: string }>`select key from gateway_outbox where device_id = ${deviceId} and next_at = 'infinity'`);
  expect(parked).toEqual([]);
});

test('a device that comes while a turn of the engine puts it off is not forgotten', async () => {
  const owner = await app.dept('Other bank');
  const admin = await app.person('platformAdmin', app.root);
  const productId = await makeProduct(app, app.root);
  const packageId = await makePackage(app, admin, app.root, productId, '2.0');
  const [deviceId = 0] = await makeDevices(app, owner, productId, ['SN000002']);
  const task = { name: 'Release', packageId, scope: { releaseScope: '0' as const }, delivery: {}, release: true };
  const { id } = await admin.call(taskCalls.add, task);
  const rollouts = rolloutsOf(app);
  await round(app.context, rollouts);
  const due = await app.context.unscoped((db) =>
    sql<{ id: number }>`select id from rollout_result where task_id = ${id} and state = '1'`.execute(db),
  );
  expect(due.rows).toHaveLength(1);
  const woken = await app.context.unscoped(async (db) => {
    await sql`select from rollout_result where task_id = ${id} for update`.execute(db);
    const waking = app.context.unscoped((other) => wakeResults(other, [deviceId], app.clock.now));
    await expect.poll(() => lockWaits(db)).toBe(1);
    await sql`update rollout_result set next_at = 'infinity' where task_id = ${id}`.execute(db);
    return { waking };
  });
  await woken.waking;
  const after = await app.context.unscoped((db) =>
    sql<{ parked: boolean }>`select next_at = 'infinity' as parked from rollout_result where task_id = ${id}`.execute(db),
  );
  expect(after.rows).toEqual([{ parked: false }]);
});
