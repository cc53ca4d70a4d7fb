import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { productCalls } from '@mooring/contract/product/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { writeRefusals } from '../../../platform/audit/refusals.ts';
import { setRoles } from '../../access/api.ts';
import { deliverDue, take } from './deliver.ts';

let app: TestApp;
let admin: Client;
let port = 0;
let answer = 200;
const got: { headers: IncomingHttpHeaders; body: string }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => {
    body += part.toString();
  });
  request.on('end', () => {
    got.push({ headers: request.headers, body });
    response.writeHead(answer).end('not today');
  });
});
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  port = (receiver.address() as AddressInfo).port;
  await admin.call(systemSettingCalls.outbound, { allowed: [], webhooks: ['127.0.0.0/8'] });
});
afterAll(async () => {
  await new Promise((done) => receiver.close(done));
  await app.stop();
});
beforeEach(async () => {
  got.length = 0;
  answer = 200;
  await app.context.unscoped((db) => db.deleteFrom('settings_webhook').execute());
});

let serial = 0;
const url = () => `http://127.0.0.1:${port}/hook`;
const add = (more: object = {}) => admin.call(webhookCalls.add, { name: 'Hook', url: url(), events: ['product.*'], deptId: 2, ...more });
/** A product of the platform, published: `product.created`, `product.publish`. */
async function publish() {
  serial += 1;
  const product = await admin.call(productCalls.add, { code: `HOOK-${serial}`, name: `Hooked ${serial}`, category: 'smartPos' });
  await admin.call(productCalls.publish, { id: product.id });
  return product.id;
}
const list = async () => (await admin.call(webhookCalls.deliveries, {})).content;
const hurry = () =>
  app.context.unscoped((db) =>
    db
      .updateTable('settings_webhook_delivery')
      .set({ next_at: new Date(0) })
      .execute(),
  );

test('a change arrives signed as Standard Webhooks says, once', async () => {
  const { secret } = await add({ deptId: 1, events: ['product.publish'] });
  const id = await publish();
  expect(await deliverDue(app.context)).toBe(1);
  expect(await deliverDue(app.context)).toBe(0);
  const { headers, body } = got[0] ?? { headers: {}, body: '' };
  const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: { id: number; to: string } };
  expect([event.type, event.data.id, event.data.to]).toEqual(['product.publish', id, '1']);
  expect(() => new Webhook(secret).verify(body.replace('publish', 'unpublish'), headers as Record<string, string>)).toThrow();
  expect((await list())[0]).toMatchObject({ state: 'done', status: 200, attempts: 1, allowedActions: ['replay'] });
});

test('what is not asked for, not below the department, or switched off isn’t sent', async () => {
  await add({ deptId: 1, events: ['product.unpublish'] });
  await add({ deptId: 2, events: ['*'] });
  await add({ deptId: 1, events: ['*'], enabled: false });
  await publish();
  expect(await deliverDue(app.context)).toBe(0);
});

test('a rolled back change is none', async () => {
  await add({ deptId: 1, events: ['*'] });
  await publish();
  await app.context.unscoped((db) => db.deleteFrom('settings_webhook_delivery').execute());
  expect((await admin.send(productCalls.publish, { id: 999_999 })).code).toBe(404);
  expect(await list()).toEqual([]);
});

test('a refusal is tried again with growing waits, the same event id each time; a replay too', async () => {
  await add({ deptId: 1, events: ['product.publish'] });
  await publish();
  answer = 500;
  await deliverDue(app.context);
  const [first] = await list();
  // It stands inside: of what it says nothing is shown to whoever named it.
  expect(first).toMatchObject({ state: 'waiting', status: 500, error: 'HTTP 500', attempts: 1 });
  const failing = async () => (await admin.call(webhookCalls.page, {})).content[0];
  expect(await failing()).toMatchObject({ failingSince: expect.any(String), nextAt: first?.nextAt, error: 'HTTP 500' });
  expect(await deliverDue(app.context)).toBe(0);
  await hurry();
  await deliverDue(app.context);
  answer = 200;
  await hurry();
  await deliverDue(app.context);
  expect(await failing()).toMatchObject({ failingSince: null, nextAt: null, error: null });
  expect((await list())[0]).toMatchObject({ state: 'done', attempts: 3, error: null });
  await admin.call(webhookCalls.replay, { id: first?.id ?? 0 });
  await deliverDue(app.context);
  expect(new Set(got.map((one) => one.headers['webhook-id'])).size).toBe(1);
  expect(got).toHaveLength(4);
});

test('a webhook that fails says why and how long it waits, also while a new event stands before the one that was put off', async () => {
  await add({ deptId: 1, events: ['product.publish'] });
  await publish();
  answer = 500;
  await deliverDue(app.context);
  const [putOff] = await list();
  await publish();
  const said = { failingSince: expect.any(String), error: 'HTTP 500' };
  expect((await admin.call(webhookCalls.page, {})).content[0]).toMatchObject({ ...said, nextAt: putOff?.nextAt });
  // What was given up still says why; what is tried next is what waits.
  answer = 410;
  await hurry();
  await deliverDue(app.context);
  expect((await admin.call(webhookCalls.page, {})).content[0]).toMatchObject({ ...said, error: 'HTTP 410', nextAt: null });
});

test('given up after its tries, and at once where the receiver says it is gone', async () => {
  await add({ deptId: 1, events: ['product.publish'] });
  await publish();
  answer = 503;
  for (let n = 0; n < 7; n += 1) {
    await hurry();
    await deliverDue(app.context);
  }
  expect((await list())[0]).toMatchObject({ state: 'failed', attempts: 7 });
  await publish();
  answer = 410;
  await deliverDue(app.context);
  expect((await list())[0]).toMatchObject({ state: 'failed', attempts: 1 });
});

test('one whose process ended in the middle is sent again', async () => {
  await add({ deptId: 1, events: ['product.publish'] });
  await publish();
  await app.context.unscoped((db) => db.updateTable('settings_webhook_delivery').set({ state: 'sending', next_at: new Date() }).execute());
  expect(await deliverDue(app.context)).toBe(0);
  await hurry();
  expect(await deliverDue(app.context)).toBe(1);
});

test('an address inside is refused when it is saved, and again when it is sent', async () => {
  await admin.call(systemSettingCalls.outbound, { allowed: ['127.0.0.0/8'], webhooks: [] });
  expect((await admin.send(webhookCalls.add, { name: 'x', url: url(), events: ['*'], deptId: 1 })).body?.fault).toBe('ADDRESS_NOT_PUBLIC');
  await admin.call(systemSettingCalls.outbound, { allowed: [], webhooks: ['127.0.0.0/8'] });
  await add({ deptId: 1, events: ['product.publish'] });
  await publish();
  await admin.call(systemSettingCalls.outbound, { allowed: ['127.0.0.0/8'], webhooks: [] });
  await deliverDue(app.context);
  expect(got).toEqual([]);
  expect((await list())[0]).toMatchObject({ state: 'waiting', error: 'ADDRESS_NOT_PUBLIC' });
  await admin.call(systemSettingCalls.outbound, { allowed: [], webhooks: ['127.0.0.0/8'] });
});

test('an event that nothing says is refused; the secret is shown once and sealed', async () => {
  expect(
    (await admin.send(webhookCalls.add, { name: 'x', url: url(), events: ['product.explode'], deptId: 1 })).body?.fields,
  ).toHaveProperty('events');
  const { secret, row } = await add();
  const stored = await app.context.unscoped((db) => db.selectFrom('settings_webhook').selectAll().executeTakeFirstOrThrow());
  expect(stored.secret_sealed.toString()).not.toContain(secret);
  expect(JSON.stringify(await admin.call(webhookCalls.detail, { id: row.id }))).not.toContain(secret);
  const renewed = await admin.call(webhookCalls.newSecret, { id: row.id });
  expect(renewed.secret).not.toBe(secret);
  await admin.call(webhookCalls.test, { id: row.id });
  await deliverDue(app.context);
  expect(() => new Webhook(renewed.secret).verify(got[0]?.body ?? '', (got[0]?.headers ?? {}) as Record<string, string>)).not.toThrow();
});

test('entries of the log are events for who asks for them by name: what was done, and what was refused', async () => {
  await add({ events: ['audit.*'], deptId: 1 });
  await add({ name: 'All', events: ['*'], deptId: 1 });
  await add({ name: 'Refused', events: ['audit.refused'], deptId: 1 });
  app.context.refusals.note({ account: 'anna', ip: '192.0.2.7', call: '/sys/login/account', result: 'LOGIN_REFUSED' });
  await app.context.refusals.flush();
  await app.context.unscoped((db) => writeRefusals(db, new Date(app.clock.now.getTime() + 120_000)));
  await admin.call(productCalls.add, { code: 'HOOK-LOG', name: 'Logged', category: 'smartPos' });
  const names = (await list()).map((row) => row.event).filter((event) => event.startsWith('audit.'));
  expect(names.filter((name) => name === 'audit.refused')).toHaveLength(2);
  expect(new Set(names)).toEqual(new Set(['audit.done', 'audit.refused']));
  const told = (await list()).find((row) => row.event === 'audit.refused');
  expect(JSON.parse(told?.body ?? '')).toMatchObject({
    type: 'audit.refused',
    data: { call: '/sys/login/account', target: 'anna', ip: '192.0.2.7', result: 'LOGIN_REFUSED', count: 1 },
  });
  expect((await admin.call(webhookCalls.events, {})).find(({ life }) => life === 'audit')?.events).toEqual(['done', 'refused']);
  const role = await app.context.unscoped((db) =>
    db
      .insertInto('access_role')
      .values({
        name: 'Hooks',
        type: '1',
        platforms: ['manager'],
        menus: ['systemSettings', 'settings:webhook:page', 'settings:webhook:update'],
        dept_id: 1,
        dept_path: '1.',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const without = await app.person('orgMember', app.root, 'manager');
  await app.context.unscoped((db) => setRoles(db, without.userId, [role.id], { by: null, way: 'system' }));
  const seen = (await without.call(webhookCalls.deliveries, { page: { size: 50 } })).content;
  const entries = seen.filter(({ event }) => event.startsWith('audit.'));
  expect(entries.length).toBeGreaterThan(3);
  expect(entries.filter(({ body }) => body !== null)).toEqual([]);
  expect(seen.filter(({ event, body }) => !event.startsWith('audit.') && body === null)).toEqual([]);
  expect((await admin.send(webhookCalls.add, { name: 'x', url: url(), events: ['audit.read'], deptId: 1 })).code).toBe(400);
});

test('one webhook or organisation with many keeps nobody waiting, nor does an address that fails', async () => {
  const of = async (name: string, deptId: number) => (await add({ name, deptId, events: ['product.publish'] })).row.id;
  const many = [await of('A', 2), await of('B', 2), await of('C', 2), await of('D', 2)];
  const other = await of('E', 1);
  const failing = await of('F', 1);
  const queue = (ids: readonly number[], n: number, minutes: number) =>
    app.context.unscoped((db) =>
      sql`insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path, next_at)
        select id, 'evt_' || id || '_' || n, 'product.publish', '{}', dept_path, now() - make_interval(mins => ${minutes})
        from settings_webhook cross join generate_series(1, ${n}) n where id = any(${ids}::bigint[])`.execute(db),
    );
  await queue(many, 50, 30);
  await queue([other, failing], 1, 1);
  await app.context.unscoped((db) => sql`update settings_webhook set failing_since = now() where id = ${failing}`.execute(db));
  const next = (lane: 'well' | 'failing') => app.context.unscoped((db) => take(db, lane));
  const first = (await next('well')).map((one) => one.webhook_id);
  expect(first).toHaveLength(7);
  expect(first).toContain(other);
  for (const id of many) expect(first.filter((one) => one === id).length, String(id)).toBeLessThanOrEqual(2);
  expect(await next('well')).toEqual([]);
  expect((await next('failing')).map((one) => one.webhook_id)).toEqual([failing]);
});

test('exported lists say events, states and failures in the words of who reads them', async () => {
  const { row } = await add({ events: ['product.publish', 'task.*', '*'] });
  await app.context.unscoped((db) =>
    sql`insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path, state, error, created_at)
      select ${row.id}, event, event, '{}', '1.2.', 'failed', error, now() + make_interval(secs => at)
      from (values (1, 'product.publish', 'ECONNREFUSED'), (2, 'webhook.test', 'ADDRESS_NOT_PUBLIC'), (3, 'product.created', 'not today')) v(at, event, error)`.execute(
      db,
    ),
  );
  const file = async (work: Promise<{ work: number }>) => {
    const { work: id } = await work;
    await app.runJobs();
    const { url: at } = await admin.call(backgroundJobCalls.download, { id });
    return (await app.http.inject({ url: `/ops${at}` })).body.trim().split('\r\n').slice(1);
  };
  const columns = ['event', 'state', 'error'];
  const asked = { criteria: { webhookId: row.id }, format: 'csv' as const, columns };
  expect(await file(admin.call(webhookCalls.exportDeliveries, asked))).toEqual([
    'Product · published,Failed,Connection refused',
    expect.stringMatching(/^Webhook · test,Failed,.?This address isn’t public/),
    'Product · created,Failed,not today',
  ]);
  const hooks = await file(admin.call(webhookCalls.export, { criteria: {}, format: 'csv', columns: ['name', 'events'] }));
  expect(hooks).toEqual(['Hook,"Product · published, Release · any change, Everything"']);
  const chinese = await admin.send(webhookCalls.exportDeliveries, asked, { headers: { 'accept-language': 'zh-CN' } });
  expect((await file(Promise.resolve(chinese.body as never)))[0]).toBe('产品 · 发布,已放弃,连接被拒绝');
});

test('deliveries that ended more than 30 days ago are removed, what is open is not', async () => {
  const { row } = await add();
  await app.context.unscoped((db) =>
    sql`insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path, state, ended_at)
      select ${row.id}, concat_ws('-', state, days), 'product.publish', '{}', '1.2.', state, ${app.clock.now}::timestamptz - make_interval(days => days)
      from (values ('done', 29), ('done', 31), ('failed', 31), ('waiting', null)) v(state, days)`.execute(db),
  );
  await app.context.unscoped((db) => app.context.enqueue(db, 'settings:forget-deliveries', {}));
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ state: string }>`select state from settings_webhook_delivery where webhook_id = ${row.id} order by state`.execute(db),
  );
  expect(rows.map(({ state }) => state)).toEqual(['done', 'waiting']);
});
