import { alarmCalls } from '@mooring/contract/alert/alarm';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AlertBench, alertBench, makeReceiver, makeRule } from './alert.factory.ts';
import { pruneAlarms } from './watch.ts';

let bench: AlertBench;
let app: AlertBench['app'];
let bank: AlertBench['bank'];
let other: AlertBench['other'];
let manager: AlertBench['manager'];
let outsider: AlertBench['outsider'];
let productId: AlertBench['productId'];
let health: AlertBench['health'];
let look: AlertBench['look'];
let terminals: AlertBench['terminals'];
let alarmsOf: AlertBench['alarmsOf'];
let mails: AlertBench['mails'];
beforeAll(async () => {
  bench = await alertBench();
  ({ app, bank, other, manager, outsider, productId, health, look, terminals, alarmsOf, mails } = bench);
});
afterAll(() => bench.app.stop());
beforeEach(() => bench.clear());

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
  expect(after.map(({ subject }) => subject)).toEqual([expect.stringContaining('Quiet: 3 alarms were held back')]);
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
  expect(await manager.call(alarmReceiverCalls.test, { id })).toEqual({ people: 1, mails: 1, webhooks: [], unseen: 0 });
  const rule = await makeRule(manager, bank.id, { receiverIds: [id] });
  expect(await manager.call(alertRuleCalls.test, { id: rule.id })).toEqual({ people: 1, mails: 1, webhooks: [], unseen: 0 });
  await app.context.unscoped((db) =>
    sql`update account_user set dept_id = ${other.id}, dept_path = ${other.path} where id = ${leaver.userId}`.execute(db),
  );
  expect(await manager.call(alarmReceiverCalls.test, { id })).toEqual({ people: 0, mails: 1, webhooks: [], unseen: 0 });
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

test('an organisation and all below it is one filter, also of what is closed at once and of the summary, which is of a product too', async () => {
  const [here = 0, below = 0] = [...(await terminals(bank, 1)), ...(await terminals(bench.branch, 1))];
  const rule = await makeRule(manager, bank.id);
  await health([here, below], { battery: 1 });
  await look();
  const found = async (criteria: object) =>
    (await manager.call(alarmCalls.page, { criteria: { ruleId: rule.id, ...criteria } })).content.map(({ deviceId }) => deviceId).sort();
  expect(await found({ below: bank.id })).toEqual([here, below].sort());
  expect([await found({ below: bench.branch.id }), await found({ deptId: bank.id })]).toEqual([[below], [here]]);
  expect(await found({ below: other.id })).toEqual([]);
  expect(await manager.call(alarmCalls.summary, { deptId: bench.branch.id, productId, days: '1' })).toMatchObject({
    open: 1,
    raised: { total: 1 },
  });
  expect(await manager.call(alarmCalls.summary, { productId: 999_999, days: '1' })).toMatchObject({
    open: 0,
    newest: [],
    raised: { total: 0 },
  });
  const of = { criteria: { ruleId: rule.id, below: bench.branch.id }, except: [] };
  expect(await manager.call(alarmCalls.closeMany, { of })).toMatchObject({ total: 1, done: 1 });
  expect((await alarmsOf(rule.id)).find(({ deviceId }) => deviceId === here)?.state).toBe('open');
});
