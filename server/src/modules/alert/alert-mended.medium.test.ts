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
