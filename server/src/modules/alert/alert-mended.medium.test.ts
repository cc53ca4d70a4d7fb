import { alarmCalls } from '@mooring/contract/alert/alarm';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AlertBench, alertBench, makeReceiver, makeRule } from './alert.factory.ts';

let bench: AlertBench;
beforeAll(async () => {
  bench = await alertBench();
});
afterAll(() => bench.app.stop());
beforeEach(() => bench.clear());

test('a terminal that goes to another organisation leaves no open alarm behind, and raises one there', async () => {
  const { app, bank, other, manager, outsider, terminals, health, look, alarmsOf } = bench;
  const [id = 0] = await terminals(bank, 1);
  const [here, there] = [await makeRule(manager, bank.id), await makeRule(outsider, other.id)];
  await health([id], { battery: 1 });
  await look();
  await app.context.unscoped((db) => sql`update device set dept_id = ${other.id}, dept_path = ${other.path} where id = ${id}`.execute(db));
  expect(await alarmsOf(here.id)).toMatchObject([{ state: 'closed', closedBy: '', closedAt: expect.any(String) }]);
  const noted = await app.context.unscoped((db) =>
    sql`select from state_change where life = 'alarm' and event = 'recover' and row_id in (select id from alert_alarm where rule_id = ${here.id})`.execute(
      db,
    ),
  );
  expect(noted.rows).toHaveLength(1);
  await look();
  expect(await alarmsOf(here.id)).toHaveLength(1);
  expect(await alarmsOf(there.id, outsider)).toMatchObject([{ state: 'open', deviceId: id }]);
});

test('a rule that is switched off reminds nobody of what is open', async () => {
  const { app, bank, manager, terminals, health, look, mails } = bench;
  const [id = 0] = await terminals(bank, 1);
  const { id: receiver } = await makeReceiver(manager, bank.id);
  const words = {
    kind: 'battery' as const,
    clearMinutes: 600,
    receiverIds: [receiver],
    escalateIds: [receiver],
    repeatHours: 1,
    escalateMinutes: 30,
  };
  const { id: ruleId, name, revision } = await makeRule(manager, bank.id, words);
  await health([id], { battery: 1 });
  await look();
  const before = (await mails()).length;
  await manager.call(alertRuleCalls.update, { id: ruleId, revision, name, ...words, enabled: false });
  await look(61);
  await app.runJobs();
  expect(await mails()).toHaveLength(before);
});

test('what was closed by hand is raised again only after it was over once', async () => {
  const { bank, manager, terminals, health, look, alarmsOf } = bench;
  const [id = 0] = await terminals(bank, 1);
  const rule = await makeRule(manager, bank.id);
  await health([id], { battery: 1 });
  await look();
  const [alarm] = await alarmsOf(rule.id);
  await manager.call(alarmCalls.close, { id: alarm?.id ?? 0 });
  await look();
  await look(600);
  expect(await alarmsOf(rule.id)).toMatchObject([{ state: 'closed', count: 1 }]);
  await health([id], { battery: 80 });
  await look();
  await health([id], { battery: 1 });
  await look();
  expect((await alarmsOf(rule.id)).map(({ state }) => state)).toEqual(['closed', 'open']);
});

test('a branch silences nothing of the bank: neither by muting a terminal nor by taking an alarm on', async () => {
  const { app, bank, branch, manager, terminals, health, look, alarmsOf } = bench;
  const [id = 0] = await terminals(branch, 1);
  const [boss, below] = [await app.person('orgManager', bank), await app.person('orgManager', branch)];
  const { id: list } = await makeReceiver(manager, bank.id, { emails: [], userIds: [boss.userId, below.userId] });
  const above = await makeRule(manager, bank.id, { name: 'Above', escalateIds: [list], escalateMinutes: 30 });
  const own = await makeRule(below, branch.id);
  const until = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString();
  expect((await below.send(alarmCalls.muteDevice, { deviceId: id, until: until(91) })).body?.fault).toBe('BAD_INPUT');
  await below.call(alarmCalls.muteDevice, { deviceId: id, until: until(1) });
  await health([id], { battery: 1 });
  await look();
  expect(await alarmsOf(own.id)).toEqual([]);
  const [alarm] = await alarmsOf(above.id);
  await below.call(alarmCalls.acknowledge, { id: alarm?.id ?? 0 });
  await look(31);
  expect(await alarmsOf(above.id)).toMatchObject([{ state: 'acknowledged', level: 1 }]);
});

test('who is on a list hears of the alarms of their own organisations alone', async () => {
  const { app, bank, branch, manager, terminals, health, look } = bench;
  const ids = [...(await terminals(bank, 1)), ...(await terminals(branch, 1))];
  const [boss, below] = [await app.person('orgManager', bank), await app.person('orgManager', branch)];
  const { id: list } = await makeReceiver(manager, bank.id, { emails: [], userIds: [boss.userId, below.userId] });
  await makeRule(manager, bank.id, { name: 'Reaching', receiverIds: [list] });
  await health(ids, { battery: 1 });
  await look();
  await app.runJobs();
  const heard = async (who: typeof boss) =>
    (await who.call(messageCalls.page, {})).content.filter(({ title }) => title.includes('Reaching')).length;
  expect([await heard(boss), await heard(below)]).toEqual([2, 1]);
});

test('tests are bounded for each person', async () => {
  const { app, bank } = bench;
  const person = await app.person('orgManager', bank);
  const { id } = await makeReceiver(person, bank.id);
  const codes: number[] = [];
  for (let at = 0; at < 21; at += 1) codes.push((await person.send(alarmReceiverCalls.test, { id })).code);
  expect([codes.filter((one) => one === 200).length, codes.at(-1)]).toEqual([20, 429]);
});

test('figures that are days old open nothing, and end nothing', async () => {
  const { app, bank, manager, terminals, health, look, alarmsOf } = bench;
  const [silent = 0, late = 0] = await terminals(bank, 2);
  const at = (hours: number) => new Date(app.clock.now.getTime() - hours * 3_600_000);
  const rule = await makeRule(manager, bank.id);
  await health([silent], { battery: 1, seen_at: at(25) });
  await health([late], { battery: 1, seen_at: at(0) });
  await look();
  expect(await alarmsOf(rule.id)).toMatchObject([{ deviceId: late, state: 'open' }]);
  await health([late], { seen_at: at(48) });
  await look();
  expect(await alarmsOf(rule.id)).toMatchObject([{ deviceId: late, state: 'open' }]);
  await health([late], { battery: 90, seen_at: at(0) });
  await look();
  expect(await alarmsOf(rule.id)).toMatchObject([{ deviceId: late, state: 'closed' }]);
});

test('how many terminals a rule is about now is known before it is added', async () => {
  const { bank, branch, other, manager, outsider, terminals, health } = bench;
  const ids = [...(await terminals(bank, 1)), ...(await terminals(branch, 2))];
  const foreign = await terminals(other, 1);
  await health([...ids.slice(0, 2), ...foreign], { battery: 7 });
  const asked = { deptId: bank.id, kind: 'battery' as const, params: { below: 8 } };
  const all = await manager.call(alertRuleCalls.preview, asked);
  expect(all).toMatchObject({ met: 2, sns: [expect.any(String), expect.any(String)], isAll: true });
  expect(all.seen).toBeGreaterThan(2);
  const below = { ...asked, scope: 'depts' as const, deptIds: [branch.id] };
  expect(await manager.call(alertRuleCalls.preview, below)).toMatchObject({ met: 1 });
  expect(await outsider.call(alertRuleCalls.preview, { ...asked, deptId: other.id })).toMatchObject({ met: 1 });
  expect((await outsider.send(alertRuleCalls.preview, asked)).body?.fault).toBe('NOT_FOUND');
  expect((await manager.send(alertRuleCalls.preview, { ...asked, params: { above: 3 } })).body?.fault).toBe('BAD_INPUT');
  expect((await manager.send(alertRuleCalls.preview, { ...asked, kind: 'release', params: {} })).body?.fault).toBe('NOT_FOUND');
});

test('a rule that can’t be told keeps none of the others back, and is told when it can', async () => {
  const { app, bank, branch, manager, terminals, health, look, mails } = bench;
  const ids = await terminals(branch, 1);
  const [above, below] = [await makeReceiver(manager, bank.id), await makeReceiver(manager, branch.id)];
  await makeRule(manager, branch.id, { name: 'Stuck', receiverIds: [below.id] });
  await makeRule(manager, bank.id, { name: 'Going', receiverIds: [above.id] });
  const before = (await mails()).length;
  const told = async () => (await mails()).slice(before).map(({ subject }) => /Stuck|Going/.exec(subject)?.[0]);
  const addresses = (list: readonly (string | null)[]) =>
    app.context.unscoped((db) => sql`update alert_receiver set emails = ${list}::text[] where id = ${below.id}`.execute(db));
  await addresses([null]);
  await health(ids, { battery: 1 });
  await expect(look()).rejects.toThrow(/null/);
  expect(await told()).toEqual(['Going']);
  await addresses(['ops@example.com']);
  await look();
  expect(await told()).toEqual(['Going', 'Stuck']);
});

test('addresses outside get so many mails an hour, and then the number of the rest', async () => {
  const { app, bank, manager, terminals, health, look } = bench;
  const ids = await terminals(bank, 1);
  const emails = Array.from({ length: 20 }, (_, at) => `out${at}@example.com`);
  const sent = async () =>
    (await app.context.unscoped((db) => sql<{ subject: string }>`select subject from mail_message where recipient like 'out%'`.execute(db)))
      .rows;
  const { id: list } = await makeReceiver(manager, bank.id, { emails });
  for (let at = 0; at < 12; at += 1) await makeRule(manager, bank.id, { name: `Storm ${at}`, receiverIds: [list] });
  // The hour has just begun.
  const hour = 3_600_000;
  app.clock.now = new Date(Math.ceil(app.clock.now.getTime() / hour) * hour);
  await health(ids, { battery: 1, seen_at: app.clock.now });
  await look();
  expect(await sent()).toHaveLength(200);
  await look(60);
  expect((await sent()).slice(200).map(({ subject }) => subject)).toEqual(
    Array(40).fill(expect.stringMatching(/Storm \d+: 1 alarm was held back/)),
  );
});

test('who left meanwhile hears nothing of what was held for them', async () => {
  const { app, bank, other, manager, terminals, health, look } = bench;
  const ids = await terminals(bank, 1);
  const boss = await app.person('orgManager', bank);
  const { id: list } = await makeReceiver(manager, bank.id, { emails: [], userIds: [boss.userId] });
  const clock = (minutes: number) => new Date(app.clock.now.getTime() + minutes * 60_000).toISOString().slice(11, 16);
  await makeRule(manager, bank.id, { name: 'Held', receiverIds: [list], quietFrom: clock(-10), quietTo: clock(30) });
  await health(ids, { battery: 1, seen_at: app.clock.now });
  await look();
  await app.context.unscoped((db) =>
    sql`update account_user set dept_id = ${other.id}, dept_path = ${other.path} where id = ${boss.userId}`.execute(db),
  );
  await look(31);
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql`select from message_delivery d join message_message m on m.id = d.message_id where d.user_id = ${boss.userId} and m.params ->> 'rule' = 'Held'`.execute(
      db,
    ),
  );
  expect(rows).toEqual([]);
});
