import { alarmCalls } from '@mooring/contract/alert/alarm';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { setMailServer } from '../../../test/set-mail-server.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { deviceRows } from '../device/api.ts';
import type { DeptAt } from '../org/api.ts';
import { lookNow, makeReceiver, makeRule } from './alert.factory.ts';
import { noteEvents } from './consume-signals.ts';
import { pruneAlarms } from './watch.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let manager: Client;
let outsider: Client;
let productId = 0;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other');
  manager = await app.person('orgManager', bank);
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root);
  await setMailServer(app);
});
afterAll(() => app.stop());
beforeEach(() =>
  app.context.unscoped(async (db) => {
    await sql`delete from alert_rule`.execute(db);
    await sql`update device_presence set battery = 80`.execute(db);
  }),
);

let count = 0;
/** Terminals that are in use. */
async function terminals(owner: DeptAt, n: number): Promise<number[]> {
  const sns = Array.from({ length: n }, () => `ALM${String(++count).padStart(6, '0')}`);
  const ids = await makeDevices(app, owner, productId, sns);
  await health(ids, { battery: 80 });
  return [...ids];
}
const health = (ids: readonly number[], values: { battery?: number; temperature?: number; seen_at?: Date }) =>
  app.context.unscoped((db) => db.updateTable('device_presence').set(values).where('device_id', 'in', ids).execute());
const pass = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};
const look = async (minutes = 1) => {
  pass(minutes);
  await lookNow(app);
};
const alarmsOf = async (ruleId: number, who = manager) =>
  (await who.call(alarmCalls.page, { criteria: { ruleId }, page: { size: 200, sort: 'openedAt', order: 'asc' } })).content;
const mails = async () => {
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      subject: string;
      body_text: string;
    }>`select subject, body_text from mail_message where recipient = 'ops@example.com' order by id`.execute(db),
  );
  return rows;
};

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
  expect(after.at(-1)?.subject).toContain('is well again');
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

test('nobody of another organisation sees or handles it, and their rule finds nothing here', async () => {
  const [id = 0] = await terminals(bank, 1);
  const rule = await makeRule(manager, bank.id);
  const foreign = await makeRule(outsider, other.id);
  await health([id], { battery: 1 });
  await look();
  const [alarm] = await alarmsOf(rule.id);
  expect(await alarmsOf(foreign.id, outsider)).toEqual([]);
  expect(await alarmsOf(rule.id, outsider)).toEqual([]);
  expect((await outsider.send(alarmCalls.acknowledge, { id: alarm?.id })).code).toBe(404);
  expect((await outsider.send(alarmCalls.muteDevice, { deviceId: id, until: null })).code).toBe(404);
  expect(await outsider.call(alarmCalls.closeMany, { of: { ids: [alarm?.id ?? 0] } })).toMatchObject({ total: 0, done: 0 });
  expect(await outsider.call(alarmCalls.summary, {})).toMatchObject({ open: 0, newest: [] });
});

test('it is acknowledged once, with a word; two at once are one', async () => {
  const [id = 0] = await terminals(bank, 1);
  const rule = await makeRule(manager, bank.id);
  await health([id], { battery: 1 });
  await look();
  const [alarm] = await alarmsOf(rule.id);
  const both = await Promise.all([1, 2].map(() => manager.send(alarmCalls.acknowledge, { id: alarm?.id, note: 'On my way' })));
  expect(both.map(({ code }) => code).sort()).toEqual([200, 409]);
  expect(await manager.call(alarmCalls.detail, { id: alarm?.id ?? 0 })).toMatchObject({
    state: 'acknowledged',
    acknowledgedBy: expect.any(String),
    note: 'On my way',
    allowedActions: ['close', 'muteDevice'],
  });
  expect(await manager.call(alarmCalls.close, { id: alarm?.id ?? 0 })).toMatchObject({ state: 'closed', note: 'On my way' });
  expect((await manager.send(alarmCalls.close, { id: alarm?.id })).code).toBe(409);
});

test('nobody takes it on: others hear of it, once, and it is told again while it is open', async () => {
  const [id = 0] = await terminals(bank, 1);
  const boss = await app.person('orgManager', bank);
  const [first, second] = [
    await makeReceiver(manager, bank.id),
    await makeReceiver(manager, bank.id, { emails: [], userIds: [boss.userId] }),
  ];
  const rule = await makeRule(manager, bank.id, {
    name: 'Escalating',
    receiverIds: [first.id],
    escalateIds: [second.id],
    escalateMinutes: 30,
    repeatHours: 1,
  });
  await health([id], { battery: 1 });
  await look();
  const told = (await mails()).length;
  await look(29);
  await look(1);
  await look(1);
  await app.runJobs();
  const titles = (await boss.call(messageCalls.page, {})).content.map(({ title }) => title).filter((title) => title.includes('Escalating'));
  expect(titles).toHaveLength(1);
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'open', level: 1 }]);
  await look(30);
  expect(await mails()).toHaveLength(told + 1);
});

test('in quiet hours there is one summary afterwards, but for what is urgent', async () => {
  const ids = await terminals(bank, 3);
  const { id: receiver } = await makeReceiver(manager, bank.id);
  const clock = (minutes: number) => new Date(app.clock.now.getTime() + minutes * 60_000).toISOString().slice(11, 16);
  const quiet = { receiverIds: [receiver], quietFrom: clock(-10), quietTo: clock(60) };
  await makeRule(manager, bank.id, { name: 'Quiet', ...quiet });
  await makeRule(manager, bank.id, { name: 'Urgent', priority: '1', params: { below: 5 }, ...quiet });
  const before = (await mails()).length;
  await health(ids.slice(0, 1), { battery: 15 });
  await look();
  await health(ids.slice(1), { battery: 2 });
  await look();
  const meanwhile = (await mails()).slice(before).map(({ subject }) => subject);
  expect(meanwhile.map((one) => one.includes('Urgent'))).toEqual([true, true]);
  await look(61);
  const after = (await mails()).slice(before + 2);
  expect(after.map(({ subject }) => subject)).toEqual([expect.stringContaining('Quiet: 3 alarms in your quiet hours')]);
});

test('a muted terminal or rule raises nothing until then', async () => {
  const [id = 0] = await terminals(bank, 1);
  const rule = await makeRule(manager, bank.id);
  const until = (minutes: number) => new Date(app.clock.now.getTime() + minutes * 60_000).toISOString();
  await manager.call(alarmCalls.muteDevice, { deviceId: id, until: until(30) });
  await manager.call(alertRuleCalls.mute, { id: rule.id, until: until(60) });
  await health([id], { battery: 1 });
  await look(31);
  expect(await alarmsOf(rule.id)).toEqual([]);
  await look(30);
  expect(await alarmsOf(rule.id)).toHaveLength(1);
});

test('a rule that waits for something else closes what it found before', async () => {
  const [id = 0] = await terminals(bank, 1);
  const { id: ruleId, name } = await makeRule(manager, bank.id);
  await health([id], { battery: 1, temperature: 90 });
  await look();
  const change = { id: ruleId, name, kind: 'temperature' as const, params: { above: 70 }, forMinutes: 0, clearMinutes: 0 };
  expect(await manager.call(alertRuleCalls.update, change)).toMatchObject({ kind: 'temperature', params: { above: 70 } });
  await look();
  expect((await alarmsOf(ruleId)).map(({ kind, state }) => [kind, state])).toEqual([
    ['battery', 'closed'],
    ['temperature', 'open'],
  ]);
  await health([id], { battery: 80, temperature: 20 });
});

test('a rule that is switched off ends its alarms by the way; one that is deleted at once', async () => {
  const [id = 0] = await terminals(bank, 1);
  const [off, gone] = [await makeRule(manager, bank.id), await makeRule(manager, bank.id)];
  await health([id], { battery: 1 });
  await look();
  const { name, revision } = off;
  await manager.call(alertRuleCalls.update, { id: off.id, revision, name, kind: 'battery', enabled: false, clearMinutes: 0 });
  await manager.call(alertRuleCalls.delete, { id: gone.id });
  expect(await alarmsOf(gone.id)).toMatchObject([{ state: 'closed', closedBy: expect.stringMatching(/./) }]);
  await look();
  expect(await alarmsOf(off.id)).toMatchObject([{ state: 'closed', closedBy: '' }]);
});

test.each([
  [{ kind: 'battery', params: { below: 0 } }, 'params'],
  [{ kind: 'battery', params: { above: 10 } }, 'params'],
  [{ kind: 'silent', params: { minutes: '5' } }, 'params'],
  [{ kind: 'outage', scope: 'products', productIds: [1] }, 'scope'],
  [{ scope: 'depts' }, 'deptIds'],
  [{ scope: 'groups' }, 'groupIds'],
  [{ quietFrom: '22:00' }, 'quietTo'],
  [{ quietFrom: '25:00', quietTo: '07:00' }, 'quietFrom'],
  [{ escalateMinutes: 5 }, 'escalateIds'],
  [{ forMinutes: -1 }, 'forMinutes'],
  [{ name: ' ' }, 'name'],
  [{ kind: 'weather' }, 'kind'],
])('a rule with %j is refused at its field', async (wrong, field) => {
  if ('productIds' in wrong) wrong.productIds = [productId];
  const { body } = await manager.send(alertRuleCalls.add, { name: 'Wrong', deptId: bank.id, kind: 'battery', ...wrong });
  expect([body?.fault, Object.keys(body?.fields ?? {})]).toEqual(['BAD_INPUT', [field]]);
});

test('names are an organisation’s own, foreign rows are no receivers, and receivers of a rule stay', async () => {
  const { id } = await makeReceiver(manager, bank.id);
  await makeRule(manager, bank.id, { name: 'Twin', receiverIds: [id] });
  const again = await manager.send(alertRuleCalls.add, { name: 'TWIN', deptId: bank.id, kind: 'battery' });
  expect(again.body).toMatchObject({ fault: 'ALERT_RULE_NAME_TAKEN', fields: { name: expect.anything() } });
  expect((await outsider.send(alertRuleCalls.add, { name: 'x', deptId: other.id, kind: 'battery', receiverIds: [id] })).code).toBe(404);
  expect((await outsider.send(alertRuleCalls.add, { name: 'x', deptId: bank.id, kind: 'battery' })).code).toBe(404);
  expect((await manager.send(alarmReceiverCalls.delete, { id })).body?.fault).toBe('ALARM_RECEIVER_IN_USE');
  expect((await manager.send(alarmReceiverCalls.add, { name: 'Nobody', deptId: bank.id })).body?.fault).toBe('ALARM_RECEIVER_EMPTY');
  const foreign = { name: 'Foreign', deptId: bank.id, userIds: [outsider.userId] };
  expect((await manager.send(alarmReceiverCalls.add, foreign)).code).toBe(404);
});

test('who leaves the organisation hears nothing more; a test says who is reached', async () => {
  const leaver = await app.person('orgManager', bank);
  const { id } = await makeReceiver(manager, bank.id, { userIds: [leaver.userId] });
  expect(await manager.call(alarmReceiverCalls.test, { id })).toEqual({ people: 1, mails: 1 });
  const rule = await makeRule(manager, bank.id, { receiverIds: [id] });
  expect(await manager.call(alertRuleCalls.test, { id: rule.id })).toEqual({ people: 1, mails: 1 });
  await app.context.unscoped((db) =>
    sql`update account_user set dept_id = ${other.id}, dept_path = ${other.path} where id = ${leaver.userId}`.execute(db),
  );
  expect(await manager.call(alarmReceiverCalls.test, { id })).toEqual({ people: 0, mails: 1 });
  const unheard = await makeRule(manager, bank.id);
  expect((await manager.send(alertRuleCalls.test, { id: unheard.id })).body?.fault).toBe('ALERT_RULE_UNHEARD');
});

test('the statistic counts what was raised by day, rule and product, also after old alarms are gone', async () => {
  const ids = await terminals(bank, 2);
  const rule = await makeRule(manager, bank.id, { name: 'Counted' });
  await health(ids, { battery: 1 });
  await look();
  const counted = async () => {
    const { days, rules } = await manager.call(alarmCalls.statistic, {});
    return [days.length, rules.find(({ id }) => id === rule.id)];
  };
  expect(await counted()).toEqual([30, { id: rule.id, name: 'Counted', count: 2 }]);
  await pruneAlarms.run({ ...app.context, now: () => app.clock.now } as never, {});
  expect(await counted()).toEqual([30, { id: rule.id, name: 'Counted', count: 2 }]);
  await app.context.unscoped((db) =>
    sql`update alert_alarm set state = 'closed', closed_at = now() - interval '2 years' where rule_id = ${rule.id}`.execute(db),
  );
  await pruneAlarms.run({ ...app.context, now: () => app.clock.now } as never, {});
  expect(await alarmsOf(rule.id)).toEqual([]);
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
  await manager.call(alarmCalls.export, { criteria: {}, format: 'csv', columns: ['label', 'kind', 'state'] });
  await app.runJobs();
});
