import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { appCallbackCalls } from '@mooring/contract/app/callback';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAppRow } from '../../../../test/apps.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { type HttpsReceiver, httpsReceiver } from '../../customer/receivers.factory.ts';
import { deliverDue } from './deliver.ts';

/** An address that is deleted is gone for everyone at once, however much was sent there; what was sent there goes afterwards. */
const MANY = 25_000;
const usual = getCACertificates('default');
let app: TestApp;
let admin: Client;
let manager: Client;
let system: HttpsReceiver;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  manager = await app.person('platformAdmin', app.root);
  system = await httpsReceiver();
  setDefaultCACertificates([...usual, system.ca]);
  const inside = ['127.0.0.0/8'];
  await admin.call(systemSettingCalls.outbound, { allowed: [], webhooks: inside, alarms: inside, callbacks: inside });
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await system.stop();
  await app.stop();
});
beforeEach(() => {
  system.got.length = 0;
});

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
const queue = (id: number, n: number) =>
  run(
    sql`insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path, state, ended_at)
      select id, 'evt_' || n, 'webhook.test', '{}', dept_path, case when n % 2 = 0 then 'done' else 'waiting' end, case when n % 2 = 0 then now() end
      from settings_webhook cross join generate_series(1, ${n}) n where id = ${id}`,
  );
const left = async (id: number) => (await run(sql`select 1 from settings_webhook_delivery where webhook_id = ${id}`)).length;
const idOf = async (column: 'receiver_id' | 'app_id', id: number) => {
  const [row] = await run(sql<{ id: number }>`select id from settings_webhook where ${sql.ref(column)} = ${id}`);
  return row?.id ?? 0;
};
/** Nothing of it is known, nothing goes there, and the job takes the rest. */
async function isGone(id: number, n: number): Promise<void> {
  expect(await left(id)).toBe(n);
  const [row] = await run(sql<{ said: string }>`select to_jsonb(w)::text as said from settings_webhook w where id = ${id}`);
  expect(row?.said).not.toContain('127.0.0.1');
  expect(JSON.parse(row?.said ?? '')).toMatchObject({ enabled: false, url: '', secret_sealed: '\\x', receiver_id: null, app_id: null });
  await deliverDue(app.context);
  expect(system.got).toEqual([]);
  await app.context.unscoped((db) => app.context.enqueue(db, 'settings:delete-webhooks', {}));
  await app.runJobs();
  expect(await left(id)).toBe(0);
  expect(await run(sql`select 1 from settings_webhook where id = ${id}`)).toEqual([]);
}
const address = () => ({ name: 'Hook', url: `${system.url}/hook`, events: ['product.*'], deptId: 1 });

test('a webhook: its deletion leaves what was sent there to a job, and is over at once for whoever looks', async () => {
  const { row } = await admin.call(webhookCalls.add, address());
  const kept = (await admin.call(webhookCalls.add, { ...address(), name: 'Kept' })).row;
  await queue(row.id, MANY);
  await run(sql`insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path, state, ended_at)
    select id, 'evt_kept', 'webhook.test', '{}', dept_path, 'done', now() from settings_webhook where id = ${kept.id}`);
  const [sent] = (await admin.call(webhookCalls.deliveries, { criteria: { webhookId: row.id, state: 'done' } })).content;
  await admin.call(webhookCalls.delete, { id: row.id });
  expect((await admin.call(webhookCalls.page, {})).content.map(({ name }) => name)).toEqual(['Kept']);
  expect((await admin.call(webhookCalls.deliveries, { criteria: { webhookId: row.id } })).content).toEqual([]);
  for (const call of ['detail', 'newSecret', 'delete', 'test'] as const)
    expect((await admin.send(webhookCalls[call], { id: row.id })).code, call).toBe(404);
  expect((await admin.send(webhookCalls.update, { ...address(), id: row.id, revision: row.revision })).code).toBe(404);
  expect((await admin.send(webhookCalls.replay, { id: sent?.id })).code).toBe(404);
  await isGone(row.id, MANY);
  expect(await left(kept.id)).toBe(1);
});

test('what is written to one that is gone is written nowhere', async () => {
  const { row } = await admin.call(webhookCalls.add, address());
  await queue(row.id, 1);
  await admin.call(webhookCalls.delete, { id: row.id });
  await run(sql`update settings_webhook set url = ${address().url}, enabled = true, secret_sealed = 'x' where id = ${row.id}`);
  await isGone(row.id, 1);
});

test('a call-back: another address may be set at once, and the app may be deleted', async () => {
  const made = await makeAppRow(app, app.root, 'Till');
  const appId = made.app;
  const url = `${system.url}/hook`;
  const { row } = await manager.call(appCallbackCalls.set, { appId, url });
  await queue(row.id, 3);
  await manager.call(appCallbackCalls.delete, { appId });
  expect(await manager.call(appCallbackCalls.detail, { appId })).toBeNull();
  const again = await manager.call(appCallbackCalls.set, { appId, url });
  expect(again.secret).not.toBeNull();
  await isGone(row.id, 3);
  await queue(again.row.id, 5);
  await manager.call(appVersionCalls.delete, { id: made.appVersion });
  expect(await run(sql`select 1 from app_app where id = ${appId}`)).toEqual([]);
  await isGone(again.row.id, 5);
});

test('that of alarm receivers: without its address, and with the list', async () => {
  const list = { name: 'Desk', userIds: [], emails: ['ops@example.com'] };
  const at = { webhookUrl: `${system.url}/alarms`, webhookSecret: 'a secret of the night desk' };
  const { id } = await manager.call(alarmReceiverCalls.add, { deptId: 1, ...list, ...at });
  const first = await idOf('receiver_id', id);
  await queue(first, 3);
  await manager.call(alarmReceiverCalls.update, { id, ...list, webhookUrl: '' });
  await isGone(first, 3);
  await manager.call(alarmReceiverCalls.update, { id, ...list, ...at });
  const second = await idOf('receiver_id', id);
  await queue(second, 5);
  await manager.call(alarmReceiverCalls.delete, { id });
  await isGone(second, 5);
});
