import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { appCallbackCalls } from '@mooring/contract/app/callback';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAppRow } from '../../../../test/apps.ts';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { releasing } from '../../../engines/rollout/release.factory.ts';
import { type HttpsReceiver, httpsReceiver } from '../../customer/receivers.factory.ts';
import type { DeptAt } from '../../org/api.ts';
import { deliverDue, type Lane, take } from '../../settings/api.ts';

/** What an app's owner has another system told: of its own app alone, and of subscribers' terminals only how it fares there. */
let app: TestApp;
const depts = {} as Record<'maker' | 'bank' | 'branch' | 'other', DeptAt>;
let owner: Client;
let developer: Client;
let taker: Client;
let outsider: Client;
let productId: number;
const usual = getCACertificates('default');
let system: HttpsReceiver;
let url: string;
const { settle, sns, subscribe, offers } = releasing(
  () => app,
  () => taker,
  () => 0,
);

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  depts.maker = await app.dept('App maker');
  depts.bank = await app.dept('Bank');
  depts.branch = await app.dept('Branch', depts.bank);
  depts.other = await app.dept('Other bank');
  const admin = await app.person('platformAdmin', app.root, 'manager');
  await admin.call(systemSettingCalls.outbound, { allowed: [], callbacks: ['127.0.0.0/8'] });
  owner = await app.person('platformAdmin', depts.maker);
  developer = await app.person('developer', depts.maker);
  taker = await app.person('platformAdmin', depts.bank);
  outsider = await app.person('platformAdmin', depts.other);
  productId = await makeProduct(app, app.root);
  system = await httpsReceiver();
  setDefaultCACertificates([...usual, system.ca]);
  url = `${system.url}/hook`;
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await system.stop();
  await app.stop();
});

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
let count = 0;
/** In the catalogue, free for all. */
async function listed(by = depts.maker) {
  count += 1;
  const made = await makeAppRow(app, by, `App ${count}`, { review_state: '2', publish_state: '1', market_id: app.root.id });
  await run(sql`update app_app set subscription = 'free' where id = ${made.app}`);
  await run(
    sql`insert into app_version_product (version_id, product_id, dept_path) select id, ${productId}, dept_path from app_version where id = ${made.appVersion}`,
  );
  const [{ package_name: packageName = '' } = {}] = await run(
    sql<{ package_name: string }>`select package_name from app_app where id = ${made.app}`,
  );
  return { ...made, packageName };
}
async function terminal(dept: DeptAt): Promise<string> {
  const [sn = ''] = sns(1);
  await makeDevices(app, dept, productId, [sn]);
  await run(sql`update device set capabilities = '{softApp}' where sn = ${sn}`);
  return sn;
}
const installed = (sn: string, packageName: string) =>
  run(
    sql`insert into device_app (device_id, package_name, name, version_name, version_code, dept_path) select id, ${packageName}, 'App', '1', 1, dept_path from device where sn = ${sn}`,
  );
async function released(sn: string, content: object): Promise<number> {
  const scope = { releaseScope: '2' as const, sns: [sn] };
  const { id } = await taker.call(softAppTaskCalls.add, { name: `To ${sn}`, scope, content } as never);
  await taker.call(softAppTaskCalls.submit, { id });
  await taker.call(softAppTaskCalls.enable, { id });
  await settle();
  return id;
}
const sentFor = async (appId: number) => {
  const row = await owner.call(appCallbackCalls.detail, { appId });
  if (!row) return [];
  const { content } = await owner.call(appCallbackCalls.deliveries, { criteria: { webhookId: row.id }, page: { size: 50 } });
  return content.map(({ body }) => JSON.parse(body ?? '') as { type: string; data: Record<string, unknown> }).toReversed();
};
const typesFor = async (appId: number) => (await sentFor(appId)).map(({ type }) => type);

test('its developer sets an address, is shown the secret once, and what arrives is signed with it', async () => {
  const { app: appId } = await listed();
  expect(await developer.call(appCallbackCalls.detail, { appId })).toBeNull();
  const { secret, row } = await developer.call(appCallbackCalls.set, { appId, url });
  expect(row).toMatchObject({ appId, url, failingSince: null });
  expect(JSON.stringify(await developer.call(appCallbackCalls.detail, { appId }))).not.toContain(String(secret));
  await developer.call(appCallbackCalls.test, { appId });
  await deliverDue(app.context);
  const last = system.got.at(-1);
  expect(new Webhook(secret ?? '').verify(last?.body ?? '', last?.headers as never)).toMatchObject({ type: 'webhook.test' });
  // The same host goes on with its secret; another one gets another.
  expect((await developer.call(appCallbackCalls.set, { appId, url: `${url}/2` })).secret).toBeNull();
  const moved = await developer.call(appCallbackCalls.set, { appId, url: url.replace('127.0.0.1', '127.0.0.2') });
  expect(moved.secret).not.toBeNull();
  expect(moved.secret).not.toBe(secret);
  const renewed = await developer.call(appCallbackCalls.newSecret, { appId });
  expect(renewed.secret).not.toBe(moved.secret);
  const kept = await run(sql<{ said: string }>`select to_jsonb(w)::text as said from settings_webhook w where app_id = ${appId}`);
  expect(kept[0]?.said).not.toContain(renewed.secret);
});

test('it hears of its own app alone: of subscriptions, and of what became of it on terminals, without saying which', async () => {
  const [own, foreign] = [await listed(), await listed(depts.other)];
  await owner.call(appCallbackCalls.set, { appId: own.app, url });
  for (const { app: appId } of [own, foreign]) await taker.call(appSubscriptionCalls.add, { appId });
  const sn = await terminal(depts.branch);
  for (const { appVersion } of [own, foreign]) {
    const taskId = await released(sn, { action: 'install', versionId: appVersion });
    for (const attempt of await offers(taskId)) await subscribe('result', attempt, { outcome: 'success', version: '1' });
  }
  const heard = await sentFor(own.app);
  expect(heard.map(({ type }) => type)).toEqual(['appSubscription.created', 'taskResult.succeed']);
  expect(heard[1]?.data).toMatchObject({
    appId: own.app,
    packageName: own.packageName,
    action: 'install',
    versionId: own.appVersion,
    deptId: depts.bank.id,
    deptName: 'Bank',
    to: '3',
  });
  for (const hidden of [sn, depts.bank.path, depts.branch.path, 'Branch', foreign.packageName])
    expect(JSON.stringify(heard)).not.toContain(hidden);
});

test('a failure says its reason; an uninstall is heard of too; nothing once the subscription has ended', async () => {
  const own = await listed();
  await owner.call(appCallbackCalls.set, { appId: own.app, url });
  const { id } = await taker.call(appSubscriptionCalls.add, { appId: own.app });
  const sn = await terminal(depts.bank);
  const failing = await released(sn, { action: 'install', versionId: own.appVersion });
  for (const attempt of await offers(failing)) await subscribe('result', attempt, { outcome: 'failure', reason: 'noSpace' });
  await installed(sn, own.packageName);
  const removing = await released(sn, { action: 'uninstall', packageName: own.packageName });
  for (const attempt of await offers(removing)) await subscribe('result', attempt, { outcome: 'success' });
  const heard = (await sentFor(own.app)).filter(({ type }) => type.startsWith('taskResult.'));
  expect(heard.map(({ data }) => [data.to, data.action])).toEqual([
    ['4', 'install'],
    ['3', 'uninstall'],
  ]);
  expect(heard[0]?.data.reason).toBe('noSpace');
  const again = await released(sn, { action: 'uninstall', packageName: own.packageName });
  const open = await offers(again);
  await taker.call(appSubscriptionCalls.end, { id });
  for (const attempt of open) await subscribe('result', attempt, { outcome: 'success' });
  expect((await typesFor(own.app)).filter((type) => type.startsWith('taskResult.'))).toHaveLength(2);
});

test('a terminal of who has not subscribed is none of its business', async () => {
  const own = await listed();
  await owner.call(appCallbackCalls.set, { appId: own.app, url });
  await outsider.call(appSubscriptionCalls.add, { appId: own.app });
  const sn = await terminal(depts.bank);
  await installed(sn, own.packageName);
  const taskId = await released(sn, { action: 'uninstall', packageName: own.packageName });
  for (const attempt of await offers(taskId)) await subscribe('result', attempt, { outcome: 'success' });
  expect(await typesFor(own.app)).toEqual(['appSubscription.created']);
});

test('only its owner sees, sets, tests or deletes it, and no list of webhooks has it', async () => {
  const { app: appId } = await listed();
  const { row } = await owner.call(appCallbackCalls.set, { appId, url });
  await taker.call(appSubscriptionCalls.add, { appId });
  for (const one of [taker, outsider]) {
    for (const call of ['detail', 'newSecret', 'delete', 'test'] as const)
      expect((await one.send(appCallbackCalls[call], { appId })).code, call).toBe(404);
    expect((await one.send(appCallbackCalls.set, { appId, url })).code).toBe(404);
    const { content } = await one.call(appCallbackCalls.deliveries, { criteria: { webhookId: row.id }, page: { size: 5 } });
    expect(content).toEqual([]);
  }
  const hooks = await app.person('platformAdmin', depts.maker, 'manager');
  expect((await hooks.call(webhookCalls.page, {})).content).toEqual([]);
  for (const call of ['detail', 'newSecret', 'delete', 'test'] as const)
    expect((await hooks.send(webhookCalls[call], { id: row.id })).code, call).toBe(404);
  await owner.call(appCallbackCalls.delete, { appId });
  expect(await owner.call(appCallbackCalls.detail, { appId })).toBeNull();
  for (const call of ['newSecret', 'delete', 'test'] as const) expect((await owner.send(appCallbackCalls[call], { appId })).code).toBe(404);
});

test('an address that is none, or that is inside, is refused at its field', async () => {
  const { app: appId } = await listed();
  for (const bad of [
    '',
    'http://example.com/x',
    'https://me:word@example.com/x',
    'javascript:alert(1)',
    `https://example.com/${'x'.repeat(600)}`,
  ]) {
    const answer = await owner.send(appCallbackCalls.set, { appId, url: bad });
    expect(answer.code, bad).toBe(400);
  }
  expect((await owner.send(appCallbackCalls.set, { appId, url: 'https://10.0.0.1/x' })).body).toMatchObject({
    fault: 'ADDRESS_NOT_PUBLIC',
  });
  expect(await owner.call(appCallbackCalls.detail, { appId })).toBeNull();
});

test('a reason is told as a code alone, a term that is over ends it, and what a reviewer tries is the reviewer’s', async () => {
  const own = await listed();
  await owner.call(appCallbackCalls.set, { appId: own.app, url });
  const { id } = await taker.call(appSubscriptionCalls.add, { appId: own.app });
  const sn = await terminal(depts.bank);
  const failing = await released(sn, { action: 'install', versionId: own.appVersion });
  for (const attempt of await offers(failing)) await subscribe('result', attempt, { outcome: 'failure', reason: `${sn} at Main St 1` });
  expect((await sentFor(own.app)).at(-1)?.data.reason).toBe('other');
  const results = () => typesFor(own.app).then((types) => types.filter((type) => type.startsWith('taskResult.')).length);
  const before = await results();
  const again = await released(sn, { action: 'install', versionId: own.appVersion });
  await run(sql`update rollout_task set content = jsonb_set(content, '{action}', '"trial"') where id = ${again}`);
  for (const attempt of await offers(again)) await subscribe('result', attempt, { outcome: 'success', version: '1' });
  expect(await results()).toBe(before);
  const last = await released(sn, { action: 'install', versionId: own.appVersion });
  await run(sql`update app_subscription set valid_until = current_date - 2 where id = ${id}`);
  for (const attempt of await offers(last)) await subscribe('result', attempt, { outcome: 'success', version: '1' });
  expect(await results()).toBe(before);
});

test('an uninstall by a name that two apps have is told to neither', async () => {
  const [own, foreign] = [await listed(), await listed(depts.other)];
  await owner.call(appCallbackCalls.set, { appId: own.app, url });
  for (const { app: appId } of [own, foreign]) await taker.call(appSubscriptionCalls.add, { appId });
  await run(sql`update app_app set package_name = ${own.packageName} where id = ${foreign.app}`);
  const sn = await terminal(depts.bank);
  await installed(sn, own.packageName);
  const removing = await released(sn, { action: 'uninstall', packageName: own.packageName });
  for (const attempt of await offers(removing)) await subscribe('result', attempt, { outcome: 'success' });
  expect(await typesFor(own.app)).toEqual(['appSubscription.created']);
});

test('an address that is being deleted holds nobody’s changes up and fails none', async () => {
  const own = await listed();
  const { row } = await owner.call(appCallbackCalls.set, { appId: own.app, url });
  const hooks = await app.person('platformAdmin', depts.bank, 'manager');
  const { row: other } = await hooks.call(webhookCalls.add, {
    name: 'Hook',
    url: 'https://93.184.216.34/x',
    events: ['*'],
    deptId: depts.bank.id,
  });
  await app.context.unscoped(async (db) => {
    await sql`delete from settings_webhook where id = any(${[row.id, other.id]}::bigint[])`.execute(db);
    await taker.call(appSubscriptionCalls.add, { appId: own.app });
  });
  expect(await owner.call(appCallbackCalls.detail, { appId: own.app })).toBeNull();
});

test('those of developers go by themselves, however slow; a test that still waits isn’t queued again', async () => {
  const own = await listed();
  await run(sql`delete from settings_webhook`);
  const { row } = await owner.call(appCallbackCalls.set, { appId: own.app, url });
  for (const _ of [1, 2, 3]) await owner.call(appCallbackCalls.test, { appId: own.app });
  const taken = (lane: Lane) => app.context.unscoped(async (db) => (await take(db, lane)).map((one) => one.webhook_id));
  expect(await taken('well')).toEqual([]);
  expect(await taken('failing')).toEqual([]);
  expect(await taken('apps')).toEqual([row.id]);
});

test('what its system doesn’t take within a week waits no longer', async () => {
  const own = await listed();
  await owner.call(appCallbackCalls.set, { appId: own.app, url });
  await owner.call(appCallbackCalls.test, { appId: own.app });
  const forget = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'settings:forget-deliveries', {}));
    await app.runJobs();
    return typesFor(own.app);
  };
  expect(await forget()).toEqual(['webhook.test']);
  await run(sql`update settings_webhook_delivery set created_at = now() - interval '8 days'`);
  expect(await forget()).toEqual([]);
});

test('of two that are set at once both count, and one stays', async () => {
  const { app: appId } = await listed();
  const both = await Promise.all(['/a', '/b'].map((path) => owner.send(appCallbackCalls.set, { appId, url: `${system.url}${path}` })));
  expect(both.map(({ code }) => code)).toEqual([200, 200]);
  const secrets = both.map(({ body }) => (body as unknown as { secret: string | null }).secret);
  expect(secrets.filter((secret) => secret !== null)).toHaveLength(1);
});

test('whoever has the app no longer hears of it no longer', async () => {
  const own = await listed();
  await owner.call(appCallbackCalls.set, { appId: own.app, url });
  await run(sql`update app_app set dept_id = ${depts.other.id}, dept_path = ${depts.other.path} where id = ${own.app}`);
  await taker.call(appSubscriptionCalls.add, { appId: own.app });
  const left = await run(
    sql`select 1 from settings_webhook_delivery d join settings_webhook w on w.id = d.webhook_id where w.app_id = ${own.app}`,
  );
  expect(left).toEqual([]);
});
