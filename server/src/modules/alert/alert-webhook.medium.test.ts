import { createHmac } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../test/test-app.ts';
import { setRoles } from '../access/api.ts';
import { type HttpsReceiver, httpsReceiver } from '../customer/receivers.factory.ts';
import { deliverDue } from '../settings/api.ts';
import { type AlertBench, alertBench, makeReceiver, makeRule } from './alert.factory.ts';

const SECRET = 'a secret of the night desk';
const usual = getCACertificates('default');
let bench: AlertBench;
let system: HttpsReceiver;
let admin: Client;
beforeAll(async () => {
  bench = await alertBench();
  system = await httpsReceiver();
  setDefaultCACertificates([...usual, system.ca]);
  admin = await bench.app.person('platformAdmin', bench.app.root, 'manager');
  await admin.call(systemSettingCalls.outbound, { allowed: [], alarms: ['127.0.0.1'] });
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await system.stop();
  await bench.app.stop();
});
beforeEach(async () => {
  await bench.clear();
  system.got.length = 0;
  system.answer = () => 200;
});

const at = (path = '/alarms') => ({ emails: [], webhookUrl: `${system.url}${path}`, webhookSecret: SECRET });
const sentTo = async (id: number, who = bench.manager) => {
  const { webhookId } = await who.call(alarmReceiverCalls.detail, { id });
  return webhookId === null ? [] : (await who.call(alarmReceiverCalls.deliveries, { criteria: { webhookId } })).content;
};
const bodies = () => system.got.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
const send = () => deliverDue(bench.app.context);
/** A person who sees alarms, and changes nothing. */
async function makeWatching(): Promise<Client> {
  const { app, bank } = bench;
  const role = await app.context.unscoped((db) =>
    db
      .insertInto('access_role')
      .values({
        name: 'Sees alarms',
        type: '1',
        platforms: ['centre'],
        menus: ['alertPush', 'alert:alarm:page'],
        dept_id: bank.id,
        dept_path: bank.path,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const viewer = await app.person('orgMember', bank);
  await app.context.unscoped((db) => setRoles(db, viewer.userId, [role.id], { by: null, way: 'system' }));
  return viewer;
}
let viewing: Promise<Client> | undefined;
const watching = () => {
  viewing ??= makeWatching();
  return viewing;
};
/** One terminal whose battery falls. */
async function falls(): Promise<number> {
  const [id = 0] = await bench.terminals(bench.branch, 1);
  await bench.health([id], { battery: 9 });
  await bench.look();
  return id;
}

test('another system gets an alarm, its repeat, its escalation and its end, signed', async () => {
  const { manager, bank, look, health, alarmsOf } = bench;
  const { id } = await makeReceiver(manager, bank.id, at());
  const above = await makeReceiver(manager, bank.id, at('/above'));
  const rule = await makeRule(manager, bank.id, {
    name: 'Tills',
    receiverIds: [id],
    tellEnd: true,
    repeatHours: 1,
    escalateMinutes: 10,
    escalateIds: [above.id],
  });
  const terminal = await falls();
  await send();
  const [alarm] = await alarmsOf(rule.id);
  const [got] = system.got;
  expect(bodies()).toMatchObject([
    { type: 'alarm.opened', data: { rule: 'Tills', label: alarm?.label, figure: 9, threshold: 20, priority: '2', ids: [alarm?.id] } },
  ]);
  expect(bodies()[0]?.data.link).toMatch(/^https?:\/\/[^/]+\/device\/alertPush/);
  expect(bodies()[0]?.data).not.toHaveProperty('repeat');
  expect(bodies()[0]?.data.text).toContain('Battery at 9%, below 20%');
  const { 'webhook-id': messageId, 'webhook-timestamp': seconds, 'webhook-signature': signature } = got?.headers ?? {};
  expect(signature).toBe(`v1,${createHmac('sha256', SECRET).update(`${messageId}.${seconds}.${got?.body}`).digest('base64')}`);
  await look(11);
  await look(50);
  await health([terminal], { battery: 80 });
  await look();
  await send();
  expect(system.got.map(({ url }, n) => [url, bodies()[n]?.type]).sort()).toEqual([
    ['/above', 'alarm.escalated'],
    ['/alarms', 'alarm.ended'],
    ['/alarms', 'alarm.opened'],
    ['/alarms', 'alarm.opened'],
  ]);
  expect(bodies().flatMap(({ type, data }) => (data.repeat ? [type] : []))).toEqual(['alarm.opened']);
  expect((await sentTo(id)).map(({ event, state, status }) => [event, state, status])).toEqual([
    ['alarm.ended', 'done', 200],
    ['alarm.opened', 'done', 200],
    ['alarm.opened', 'done', 200],
  ]);
});

test('in quiet hours it gets one summary afterwards', async () => {
  const { app, manager, bank, look, health, terminals } = bench;
  const { id } = await makeReceiver(manager, bank.id, at());
  const clock = (minutes: number) => new Date(app.clock.now.getTime() + minutes * 60_000).toISOString().slice(11, 16);
  const rule = await makeRule(manager, bank.id, { receiverIds: [id], quietFrom: clock(-5), quietTo: clock(30) });
  const ids = await terminals(bank, 2);
  await health(ids, { battery: 9 });
  await look();
  await send();
  expect(system.got).toEqual([]);
  await look(40);
  await send();
  expect(bodies()).toMatchObject([
    { type: 'alarm.held', data: { n: 2, ids: (await bench.alarmsOf(rule.id)).map((one) => one.id).sort((a, b) => a - b) } },
  ]);
});

test('what it doesn’t take is tried again, and its list says so; a test says what was answered, once', async () => {
  const { manager, bank } = bench;
  const { id, name } = await makeReceiver(manager, bank.id, at());
  const rule = await makeRule(manager, bank.id, { receiverIds: [id] });
  system.answer = () => 503;
  await falls();
  await send();
  expect(await sentTo(id)).toMatchObject([{ state: 'waiting', status: 503, attempts: 1, nextAt: expect.any(String) }]);
  expect(await manager.call(alarmReceiverCalls.detail, { id })).toMatchObject({ failingSince: expect.any(String) });
  expect(await manager.call(alarmReceiverCalls.test, { id })).toMatchObject({
    people: 0,
    mails: 0,
    webhooks: [{ name, status: 503, error: 'HTTP 503' }],
  });
  expect(await sentTo(id)).toMatchObject([{ event: 'alarm.test', state: 'failed' }, { state: 'waiting' }]);
  system.answer = () => 204;
  expect(await manager.call(alertRuleCalls.test, { id: rule.id })).toMatchObject({
    webhooks: [{ name, status: 204, error: null, tookMs: expect.any(Number) }],
  });
  expect(await manager.call(alarmReceiverCalls.detail, { id })).toMatchObject({ failingSince: null });
});

test('the secret is shown nowhere, is needed for an address and again for another host, and goes with the address', async () => {
  const { manager, bank } = bench;
  const made = await makeReceiver(manager, bank.id, at());
  expect(JSON.stringify([made, await manager.call(alarmReceiverCalls.detail, { id: made.id })])).not.toContain(SECRET);
  const { rows } = await bench.app.context.unscoped((db) =>
    sql<{ said: string }>`select to_jsonb(w)::text as said from settings_webhook w where receiver_id = ${made.id}`.execute(db),
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.said).not.toContain(SECRET);
  const change = (more: object) => manager.send(alarmReceiverCalls.update, { id: made.id, name: made.name, ...at(), ...more });
  const atSecret = (text: string) => ({ fields: { webhookSecret: { key: text } } });
  const missing = await manager.send(alarmReceiverCalls.add, { name: 'None', deptId: bank.id, ...at(), webhookSecret: '' });
  expect(missing.body).toMatchObject({ fault: 'BAD_INPUT', fields: { webhookSecret: expect.anything() } });
  for (const webhookSecret of ['short', 'whsec_!!', 'whsec_c2hvcnQ='])
    expect((await change({ webhookSecret })).body, webhookSecret).toMatchObject({
      fault: 'BAD_INPUT',
      ...atSecret('invalid.webhookSecret'),
    });
  const elsewhere = await change({ webhookSecret: '', webhookUrl: 'https://93.184.216.34/' });
  expect(elsewhere.body).toMatchObject({ fault: 'BAD_INPUT', ...atSecret('invalid.webhookSecretAgain') });
  expect((await change({ webhookSecret: '', webhookUrl: `${system.url}/other` })).code).toBe(200);
  expect((await change({ webhookUrl: 'http://127.0.0.1:1/' })).body).toMatchObject({ fault: 'BAD_INPUT' });
  expect((await change({ webhookUrl: 'https://ann:secret@127.0.0.1/' })).body).toMatchObject({ fault: 'BAD_INPUT' });
  expect((await change({ webhookUrl: 'https://10.0.0.1/' })).body).toMatchObject({ fault: 'ADDRESS_NOT_PUBLIC' });
  expect((await change({ webhookUrl: '', webhookSecret: '' })).body).toMatchObject({ fault: 'ALARM_RECEIVER_EMPTY' });
  expect((await change({ webhookUrl: '', webhookSecret: '', emails: ['ops@example.com'] })).code).toBe(200);
  expect(await sentTo(made.id)).toEqual([]);
});

test('it stands in no list of webhooks, nor do its deliveries', async () => {
  const { manager, bank } = bench;
  const { id } = await makeReceiver(manager, bank.id, at());
  await manager.call(alarmReceiverCalls.test, { id });
  const said = JSON.stringify([await admin.call(webhookCalls.page, {}), await admin.call(webhookCalls.deliveries, {})]);
  expect(said).not.toContain(system.url);
  expect(said).not.toContain('alarm.test');
});

test('mails and other systems have an hourly budget each', async () => {
  const { app, manager, bank } = bench;
  const { id } = await makeReceiver(manager, bank.id, { ...at(), emails: ['ops@example.com'] });
  await makeRule(manager, bank.id, { receiverIds: [id] });
  const hour = new Date(Math.floor(app.clock.now.getTime() / 3_600_000) * 3_600_000);
  const spend = (channel: 'mail' | 'webhook') =>
    app.context.unscoped((db) =>
      sql`insert into alert_mail_hour (dept_path, hour, channel, n) select dept_path, ${hour}::timestamptz + make_interval(hours => h), ${channel}, 1000
        from org_dept cross join generate_series(0, 1) h where id = ${bank.id}
        on conflict (dept_path, hour, channel) do update set n = excluded.n`.execute(db),
    );
  const before = (await bench.mails()).length;
  await spend('mail');
  await falls();
  await send();
  expect(bodies()).toMatchObject([{ type: 'alarm.opened' }]);
  expect((await bench.mails()).length).toBe(before);
});

test('no change of a row wakes those of alarm receivers', async () => {
  const { app, manager, bank } = bench;
  const { id } = await makeReceiver(manager, bank.id, at());
  await app.context.unscoped((db) => sql`update settings_webhook set events = '{*,audit.*}' where receiver_id = ${id}`.execute(db));
  await makeReceiver(manager, bank.id, { name: 'Noted in the log' });
  await falls();
  expect(await sentTo(id)).toEqual([]);
});

test('the list of private networks for other webhooks isn’t theirs; of a failure a short code is noted', async () => {
  const { manager, bank } = bench;
  const { id } = await makeReceiver(manager, bank.id, at());
  await makeRule(manager, bank.id, { receiverIds: [id] });
  await admin.call(systemSettingCalls.outbound, { allowed: ['127.0.0.1'], webhooks: ['127.0.0.1'] });
  const refused = await manager.send(alarmReceiverCalls.add, { name: 'Inside', deptId: bank.id, ...at() });
  expect(refused.body).toMatchObject({ fault: 'ADDRESS_NOT_PUBLIC', fields: { webhookUrl: expect.anything() } });
  await falls();
  await send();
  expect(await sentTo(id)).toMatchObject([{ state: 'waiting', error: 'ADDRESS_NOT_PUBLIC' }]);
  await admin.call(systemSettingCalls.outbound, { allowed: [], alarms: ['127.0.0.1'] });
  setDefaultCACertificates([...usual]);
  expect(await manager.call(alarmReceiverCalls.test, { id })).toMatchObject({ webhooks: [{ error: 'certificate' }] });
  setDefaultCACertificates([...usual, system.ca]);
  await manager.call(alarmReceiverCalls.update, { id, name: 'Nobody', ...at(), webhookUrl: 'https://127.0.0.1:1/' });
  expect(await manager.call(alarmReceiverCalls.test, { id })).toMatchObject({ webhooks: [{ error: 'ECONNREFUSED' }] });
});

test('whoever may edit receivers is told once that one is given up, until something gets through or its address changes', async () => {
  const { app, manager, bank } = bench;
  const { id, name } = await makeReceiver(manager, bank.id, at());
  const rule = await makeRule(manager, bank.id, { receiverIds: [id] });
  const told = async () => {
    const { rows } = await app.context.unscoped((db) =>
      sql<{
        target: { can: string };
      }>`select target from message_message where text_key = 'webhookFailed' and params->>'name' = ${name}`.execute(db),
    );
    return rows.map(({ target }) => target.can);
  };
  system.answer = () => 410;
  for (let n = 0; n < 3; n += 1) {
    await falls();
    await send();
  }
  expect((await sentTo(id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  expect(await told()).toEqual(['alert:receiver:edit']);
  system.answer = () => 200;
  await manager.call(alertRuleCalls.test, { id: rule.id });
  system.answer = () => 410;
  await falls();
  await send();
  expect(await told()).toHaveLength(2);
  await manager.call(alarmReceiverCalls.update, { id, name, ...at('/elsewhere') });
  await falls();
  await send();
  expect(await told()).toHaveLength(3);
});

test('what lists of an organisation above answer is told to nobody below', async () => {
  const { app, manager, bank, branch } = bench;
  const below = await app.person('orgManager', branch);
  const above = await makeReceiver(manager, bank.id, at('/above'));
  const own = await makeReceiver(below, branch.id, at());
  const rule = await makeRule(below, branch.id, { receiverIds: [own.id] });
  await app.context.unscoped((db) =>
    sql`update alert_rule set receiver_ids = array[${above.id}, ${own.id}]::bigint[] where id = ${rule.id}`.execute(db),
  );
  const answered = await below.call(alertRuleCalls.test, { id: rule.id });
  expect(answered).toMatchObject({ webhooks: [{ name: own.name, status: 200 }], unseen: 1 });
  expect(system.got.map(({ url }) => url).sort()).toEqual(['/above', '/alarms']);
  expect(await manager.call(alertRuleCalls.test, { id: rule.id })).toMatchObject({ unseen: 0 });
});

test('its path is shown to whoever may edit receivers alone, and stands in no log', async () => {
  const { app, manager, bank } = bench;
  const { id, name } = await makeReceiver(manager, bank.id, at('/hook/token-of-a-chat?key=more'));
  await manager.call(alarmReceiverCalls.update, { id, name, ...at('/hook/token-of-another') });
  expect(await manager.call(alarmReceiverCalls.detail, { id })).toMatchObject({ webhookUrl: `${system.url}/hook/token-of-another` });
  const viewer = await watching();
  expect(await viewer.call(alarmReceiverCalls.detail, { id })).toMatchObject({ webhookUrl: system.url });
  expect(JSON.stringify(await viewer.call(alarmReceiverCalls.page, { page: { size: 200 } }))).not.toContain('token-of');
  const { rows } = await app.context.unscoped((db) =>
    sql<{ target: string; said: string }>`
      select target, to_jsonb(e)::text as said from audit_entry e where call like '%/alarmReceiverConfig/%' and target = ${`receiver ${name}`}`.execute(
      db,
    ),
  );
  expect(rows).toHaveLength(2);
  for (const { said } of rows) {
    expect(said).toContain(system.url);
    expect(said).not.toContain('token-of');
  }
});

test('what was given up is sent again by whoever may edit receivers, under the same id, and the log says so', async () => {
  const { app, manager, outsider, bank } = bench;
  const { id } = await makeReceiver(manager, bank.id, at());
  await makeRule(manager, bank.id, { receiverIds: [id] });
  system.answer = () => 410;
  await falls();
  await send();
  const [given] = await sentTo(id);
  expect(given).toMatchObject({ event: 'alarm.opened', state: 'failed', status: 410, allowedActions: ['replay'] });
  const one = { id: given?.id ?? 0 };
  const viewer = await watching();
  expect(await sentTo(id, viewer)).toMatchObject([{ state: 'failed', allowedActions: [] }]);
  expect((await viewer.send(alarmReceiverCalls.replay, one)).code).toBe(403);
  expect((await outsider.send(alarmReceiverCalls.replay, one)).code).toBe(404);
  expect((await admin.send(webhookCalls.replay, one)).code).toBe(404);
  system.answer = () => 200;
  expect(await manager.call(alarmReceiverCalls.replay, one)).toMatchObject({ state: 'waiting', attempts: 0, error: null });
  await send();
  expect(await sentTo(id)).toMatchObject([{ state: 'done', status: 200, attempts: 1 }]);
  expect(new Set(system.got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([given?.eventId]));
  const { rows } = await app.context.unscoped((db) =>
    sql<{ target: string }>`select target from audit_entry where call like '%/alarmReceiverConfig/replay' and result = 'done'`.execute(db),
  );
  expect(rows).toEqual([{ target: `webhook delivery ${given?.eventId}` }]);
});

test('of two who save at once one is told, though the address is looked up meanwhile', async () => {
  const { manager, bank } = bench;
  const { id, name, revision } = await makeReceiver(manager, bank.id, at());
  const save = (path: string) => manager.send(alarmReceiverCalls.update, { id, name, revision, ...at(path) });
  expect((await Promise.all([save('/left'), save('/right')])).map(({ code }) => code).sort()).toEqual([200, 409]);
});
