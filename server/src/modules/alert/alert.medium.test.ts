import { alarmCalls } from '@mooring/contract/alert/alarm';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { deviceRows } from '../device/api.ts';
import { type AlertBench, alertBench, makeReceiver, makeRule } from './alert.factory.ts';
import { noteEvents } from './consume-signals.ts';

let bench: AlertBench;
let app: AlertBench['app'];
let bank: AlertBench['bank'];
let branch: AlertBench['branch'];
let manager: AlertBench['manager'];
let health: AlertBench['health'];
let look: AlertBench['look'];
let terminals: AlertBench['terminals'];
let alarmsOf: AlertBench['alarmsOf'];
let mails: AlertBench['mails'];
beforeAll(async () => {
  bench = await alertBench();
  ({ app, bank, branch, manager, health, look, terminals, alarmsOf, mails } = bench);
});
afterAll(() => bench.app.stop());
beforeEach(() => bench.clear());

test('a battery that falls raises one alarm that says so, and closes by itself when it has risen', async () => {
  const [id = 0] = await terminals(branch, 1);
  const { id: receiver } = await makeReceiver(manager, bank.id);
  const rule = await makeRule(manager, bank.id, { name: 'Batteries', receiverIds: [receiver], tellEnd: true, clearMinutes: 3 });
  await look();
  expect(await alarmsOf(rule.id)).toEqual([]);
  await health([id], { battery: 12 });
  await look();
  await look();
  const [alarm] = await alarmsOf(rule.id);
  expect(alarm).toMatchObject({
    state: 'open',
    kind: 'battery',
    deptName: 'Branch',
    deviceId: id,
    figure: 12,
    threshold: 20,
    about: { figure: 12, threshold: 20 },
    count: 1,
    allowedActions: ['acknowledge', 'close', 'muteDevice'],
  });
  const before = await mails();
  expect(before.at(-1)).toMatchObject({ subject: expect.stringContaining(`Batteries: ${alarm?.label}`) });
  expect(before.at(-1)?.body_text).toContain('Battery at 12%, below 20%');
  // It rises and falls again within the minutes: the same alarm.
  await health([id], { battery: 90 });
  await look();
  await health([id], { battery: 5 });
  await look();
  await look(5);
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'open', count: 2 }]);
  await health([id], { battery: 90 });
  await look();
  await look(2);
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'open' }]);
  await look();
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'closed', closedBy: '', closedAt: expect.any(String) }]);
  const after = await mails();
  expect(after).toHaveLength(before.length + 1);
  expect(after.at(-1)?.subject).toContain('has recovered');
});

test('what doesn’t last raises nothing', async () => {
  const [id = 0] = await terminals(bank, 1);
  const rule = await makeRule(manager, bank.id, { forMinutes: 5 });
  await health([id], { battery: 3 });
  await look();
  await look(4);
  expect(await alarmsOf(rule.id)).toEqual([]);
  await health([id], { battery: 60 });
  await look();
  await health([id], { battery: 3 });
  await look();
  await look(4);
  expect(await alarmsOf(rule.id)).toEqual([]);
  await look();
  expect(await alarmsOf(rule.id)).toHaveLength(1);
});

test('the product says when a battery is low, and a rule may say otherwise; terminals outside of its scope raise nothing', async () => {
  const strict = await makeProduct(app, app.root);
  await app.context.unscoped((db) => sql`update product_product set low_battery_percent = 50 where id = ${strict}`.execute(db));
  const [id = 0, far = 0] = await terminals(bank, 2);
  await app.context.unscoped((db) => sql`update device set product_id = ${strict} where id = ${id}`.execute(db));
  await health([id, far], { battery: 40 });
  const usual = await makeRule(manager, bank.id, { scope: 'products', productIds: [strict] });
  const own = await makeRule(manager, bank.id, { params: { below: 45 }, scope: 'depts', deptIds: [branch.id] });
  await look();
  expect((await alarmsOf(usual.id)).map(({ deviceId, threshold }) => [deviceId, threshold])).toEqual([[id, 50]]);
  expect(await alarmsOf(own.id)).toEqual([]);
  const [inside = 0] = await terminals(branch, 1);
  await health([inside], { battery: 40 });
  await look();
  expect((await alarmsOf(own.id)).map(({ deviceId, threshold }) => [deviceId, threshold])).toEqual([[inside, 45]]);
});

test('fifty silent terminals are one mail, which says how many', async () => {
  const ids = await terminals(branch, 50);
  const { id: receiver } = await makeReceiver(manager, bank.id);
  const rule = await makeRule(manager, bank.id, { name: 'Silence', kind: 'silent', params: { minutes: 60 }, receiverIds: [receiver] });
  await health(ids, { seen_at: new Date(app.clock.now.getTime() - 59 * 60_000) });
  await app.context.unscoped((db) => move(db, deviceRows, 'lost', ids));
  const before = (await mails()).length;
  await look(0);
  expect(await alarmsOf(rule.id)).toEqual([]);
  await look(1);
  expect((await alarmsOf(rule.id)).map(({ about }) => about)).toEqual(Array(50).fill({ n: 1, unit: 'hours' }));
  const after = await mails();
  expect(after.slice(before).map(({ subject }) => subject)).toEqual([expect.stringContaining('Silence: 50 alarms')]);
  const answered = await manager.call(alarmCalls.acknowledgeMany, { of: { criteria: { ruleId: rule.id }, except: [] }, note: 'Power cut' });
  expect(answered).toMatchObject({ total: 50, done: 50, refused: 0 });
  expect((await alarmsOf(rule.id)).every(({ state, note }) => state === 'acknowledged' && note === 'Power cut')).toBe(true);
});

test('many that go offline at once raise one alarm of the organisation', async () => {
  // When they were lost is by the database's clock.
  app.clock.now = new Date();
  const ids = await terminals(branch, 6);
  const rule = await makeRule(manager, bank.id, { kind: 'outage', params: { terminals: 5, minutes: 10 } });
  await app.context.unscoped((db) => move(db, deviceRows, 'lost', ids.slice(0, 4)));
  await look(0);
  expect(await alarmsOf(rule.id)).toEqual([]);
  await app.context.unscoped((db) => move(db, deviceRows, 'lost', ids.slice(4)));
  await look(0);
  expect(await alarmsOf(rule.id)).toMatchObject([
    { label: 'Bank', deviceId: null, figure: 6, about: { figure: 6, n: 10, unit: 'minutes' } },
  ]);
  await look(12);
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'closed' }]);
});

test('a deleted terminal’s alarm closes, and its history stays', async () => {
  const [id = 0] = await terminals(bank, 1);
  const rule = await makeRule(manager, bank.id);
  await health([id], { battery: 1 });
  await look();
  await manager.call(deviceCalls.disable, { of: { ids: [id] } });
  await manager.call(deviceCalls.delete, { of: { ids: [id] } });
  await look();
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'closed', label: expect.stringMatching(/^ALM/) }]);
});

test('events that a rule waits for raise an alarm at once and count up; others and other levels don’t', async () => {
  const [id = 0] = await terminals(branch, 1);
  const rule = await makeRule(manager, bank.id, { kind: 'event', params: { name: 'Tamper', level: 'warning' } });
  const happens = (name: string, level: 'info' | 'warning' | 'alarm') =>
    app.context.inBulk((db) => {
      const at = app.clock.now;
      const message = { sn: 'X', deviceId: id, deptPath: branch.path, id: 'm', at, receivedAt: at, data: { name, level, params: {} } };
      return noteEvents.handle(db, [message, message] as never, app.context);
    });
  await happens('tamper', 'info');
  await happens('crash', 'alarm');
  await app.runJobs();
  expect(await alarmsOf(rule.id)).toEqual([]);
  await happens('tamper', 'alarm');
  await app.runJobs();
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'open', deviceId: id, count: 2, about: { name: 'tamper' } }]);
  await happens('TAMPER', 'warning');
  await app.runJobs();
  await look(600);
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'open', count: 4 }]);
});

test('a rule for a group is about the terminals in it alone, chosen or by rule', async () => {
  const [inside = 0, outside = 0] = await terminals(bank, 2);
  const group = await manager.call(deviceGroupCalls.add, { name: 'Watched', kind: 'static', deptId: bank.id });
  await manager.call(deviceGroupCalls.addMembers, { of: { ids: [inside] }, groupId: group.id });
  const rule = await makeRule(manager, bank.id, { scope: 'groups', groupIds: [group.id] });
  await health([inside, outside], { battery: 1 });
  await look();
  expect((await alarmsOf(rule.id)).map(({ deviceId }) => deviceId)).toEqual([inside]);
});

test('a release that is halted raises an alarm of its organisation, which names it', async () => {
  const rule = await makeRule(manager, bank.id, { kind: 'release', params: { when: 'halted' } });
  const { rows } = await app.context.unscoped((db) =>
    sql<{ id: number }>`
      insert into rollout_task (kind, name, release_scope, scope, delivery, content, state, dept_id, dept_path, created_by, created_by_name)
      values ('firmware', 'Spring release', '0', '{}', '{}', '{}', 'running', ${branch.id}, ${branch.path}, ${manager.userId}, 'x') returning id`.execute(
      db,
    ),
  );
  await app.context.unscoped((db) => move(db, statefulTable('rollout_task', taskMachine), 'halt', [rows[0]?.id ?? 0]));
  await look();
  expect(await alarmsOf(rule.id)).toMatchObject([
    { label: 'Spring release', deptName: 'Branch', deviceId: null, about: { when: 'halted' } },
  ]);
  const columns = ['label', 'kind', 'state', 'about'];
  const { work } = await manager.call(alarmCalls.export, { criteria: { ruleId: rule.id }, format: 'csv', columns });
  await app.runJobs();
  const { url } = await manager.call(backgroundJobCalls.download, { id: work });
  const [, row] = (await app.http.inject({ url: `/ops${url}` })).body.split('\r\n');
  expect(row).toBe('Spring release,Release trouble,Open,Halted: 0 of 0 that have ended failed');
});
