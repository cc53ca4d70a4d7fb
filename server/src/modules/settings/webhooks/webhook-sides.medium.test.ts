import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAppRow } from '../../../../test/apps.ts';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { openStore } from '../../../platform/files/open-store.ts';
import type { DeptAt } from '../../org/api.ts';
import { makeKey, makeStore } from '../../signing/signing.factory.ts';

/** Who hears what of subscriptions, of the apps in them, and of what is signed. */
let app: TestApp;
const depts = {} as Record<'maker' | 'bank' | 'branch' | 'other', DeptAt>;
const hooks = {} as Record<'root' | keyof typeof depts, Client>;
let owner: Client;
let taker: Client;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  depts.maker = await app.dept('App maker');
  depts.bank = await app.dept('Bank');
  depts.branch = await app.dept('Branch', depts.bank);
  depts.other = await app.dept('Other bank');
  hooks.root = await app.person('platformAdmin', app.root, 'manager');
  await hooks.root.call(systemSettingCalls.outbound, { allowed: [], webhooks: ['127.0.0.0/8'] });
  for (const name of ['maker', 'bank', 'branch', 'other'] as const) hooks[name] = await app.person('platformAdmin', depts[name], 'manager');
  owner = await app.person('platformAdmin', depts.maker);
  taker = await app.person('platformAdmin', depts.bank);
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
type Side = keyof typeof hooks;
const sides: readonly Side[] = ['root', 'maker', 'bank', 'branch', 'other'];
const deptOf = (side: Side): DeptAt => (side === 'root' ? app.root : depts[side]);
const address = { name: 'Hook', url: 'http://127.0.0.1:9/hook' };
const addresses = {} as Record<Side, number>;
/** Each organisation has an address that asks for everything. */
beforeEach(async () => {
  await run(sql`delete from settings_webhook`);
  for (const side of sides)
    addresses[side] = (await hooks[side].call(webhookCalls.add, { ...address, events: ['*'], deptId: deptOf(side).id })).row.id;
});

interface Body {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
/** What an organisation was told of, from the first to the last. */
const heard = async (side: Side): Promise<Body[]> => {
  const { content } = await hooks[side].call(webhookCalls.deliveries, { criteria: { webhookId: addresses[side] }, page: { size: 50 } });
  return content.map(({ body }) => JSON.parse(body ?? '') as Body).toReversed();
};
const told = async (side: Side, life: string) =>
  (await heard(side)).filter(({ data }) => data.life === life).map(({ type }) => type.slice(life.length + 1));

let count = 0;
async function listed(mode = 'free', by = depts.maker) {
  count += 1;
  const made = await makeAppRow(app, by, `App ${count}`, { review_state: '2', publish_state: '1', market_id: app.root.id });
  await run(sql`update app_app set subscription = ${mode} where id = ${made.app}`);
  return made;
}

test('a subscription is heard of on both its sides, once by who is above both, and by no third one', async () => {
  const { app: appId } = await listed('asked');
  const { id } = await taker.call(appSubscriptionCalls.add, { appId });
  await owner.call(appSubscriptionCalls.accept, { id });
  const { secret, appKey } = await taker.call(appSubscriptionCalls.rotate, { id });
  await taker.call(appSubscriptionCalls.end, { id });
  for (const side of ['maker', 'bank'] as const) {
    expect(await told(side, 'appSubscription'), side).toEqual(['created', 'accept', 'end']);
    const of = (await heard(side)).find(({ type }) => type === 'appSubscription.accept');
    expect(of?.data).toMatchObject({
      id,
      from: 'asked',
      to: 'active',
      dept: depts[side].path,
      appId,
      deptName: 'Bank',
      ownerName: 'App maker',
    });
    const bodies = JSON.stringify(await heard(side));
    for (const hidden of [secret, appKey]) expect(bodies).not.toContain(hidden);
  }
  // Where the subscriber stands is its own: the owner is told which organisation it is, as its list says.
  expect(JSON.stringify(await heard('maker'))).not.toContain(depts.bank.path);
  expect(JSON.stringify((await heard('bank')).filter(({ data }) => data.life === 'appSubscription'))).not.toContain(depts.maker.path);
  expect(await told('root', 'appSubscription')).toEqual(['created', 'accept', 'end']);
  for (const side of ['other', 'branch'] as const) expect(await told(side, 'appSubscription'), side).toEqual([]);
});

test('a subscription that was declined, and one that ends by a merge, are heard of as well', async () => {
  const { app: appId } = await listed('asked');
  const { id } = await taker.call(appSubscriptionCalls.add, { appId });
  await owner.call(appSubscriptionCalls.refuse, { id, reason: 'Not now' });
  expect(await told('bank', 'appSubscription')).toEqual(['created', 'refuse']);
  const free = await listed();
  const outsider = await app.person('platformAdmin', depts.other);
  await taker.call(appSubscriptionCalls.add, { appId: free.app });
  const theirs = await outsider.call(appSubscriptionCalls.add, { appId: free.app });
  await run(sql`update app_subscription set dept_id = ${depts.bank.id}, dept_path = ${depts.bank.path} where id = ${theirs.id}`);
  for (const side of ['maker', 'bank'] as const)
    expect((await heard(side)).find(({ data }) => data.id === theirs.id && data.event === 'end')?.data, side).toMatchObject({
      from: 'active',
      to: 'ended',
    });
});

test('the owner of an app that asks for everything hears of its own app alone, whatever goes on at its subscribers', async () => {
  const own = await listed();
  const foreign = await listed('free', depts.other);
  for (const { app: appId } of [own, foreign]) await taker.call(appSubscriptionCalls.add, { appId });
  const productId = await makeProduct(app, app.root);
  await makeDevices(app, depts.bank, productId, ['SIDES001']);
  for (const { appVersion } of [own, foreign])
    await run(
      sql`insert into app_version_product (version_id, product_id, dept_path) select id, ${productId}, dept_path from app_version where id = ${appVersion}`,
    );
  const scope = { releaseScope: '2' as const, sns: ['SIDES001'] };
  for (const { appVersion: versionId } of [own, foreign])
    await taker.call(softAppTaskCalls.add, { name: `Release ${versionId}`, scope, content: { action: 'install', versionId } });
  await app.runJobs();
  // The subscriber hears of its releases and terminals: there was something to overhear.
  expect(await told('bank', 'task')).not.toEqual([]);
  // Mails are those that it is sent itself.
  const others = (await heard('maker')).filter(({ data }) => data.life !== 'mail');
  expect(new Set(others.map(({ data }) => [data.life, data.appId].join(' ')))).toEqual(new Set([`appSubscription ${own.app}`]));
  expect(await told('maker', 'task')).toEqual([]);
  expect(await told('maker', 'taskResult')).toEqual([]);
  // Nor by an address at a subscriber, added or moved there.
  const there = { ...address, name: 'There', events: ['*'], deptId: depts.bank.id };
  expect((await hooks.maker.send(webhookCalls.add, there)).code).toBe(404);
  const [mine] = (await hooks.maker.call(webhookCalls.page, {})).content;
  expect((await hooks.maker.send(webhookCalls.update, { ...there, id: mine?.id, revision: mine?.revision })).code).toBe(404);
  // Whoever doesn't own it any more hears of it no more.
  await run(sql`update app_app set dept_id = ${depts.other.id}, dept_path = ${depts.other.path} where id = ${own.app}`);
  const before = (await told('maker', 'appSubscription')).length;
  const [row] = await run(sql<{ id: number }>`select id from app_subscription where app_id = ${own.app}`);
  await taker.call(appSubscriptionCalls.end, { id: row?.id ?? 0 });
  expect(await told('maker', 'appSubscription')).toHaveLength(before);
  expect((await heard('other')).filter(({ type }) => type === 'appSubscription.end')).toMatchObject([{ data: { id: row?.id } }]);
});

test('keys and jobs of signing are heard of where they are, and that they moved is all that is said', async () => {
  const [author, second] = [await app.person('signingOfficer', depts.bank), await app.person('signingOfficer', depts.bank)];
  const key = await makeKey(author, second, await makeStore(author, depts.bank.id));
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(
    Readable.from([await makeApk({ packageName: 'com.acme.pay', signers: [] })]),
  );
  const values = {
    kind: '4',
    name: 'pay.apk',
    size,
    sha256,
    md5,
    user_id: author.userId,
    dept_path: depts.bank.path,
    created_at: app.clock.now,
  };
  const file = await app.context.unscoped((db) => db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow());
  const { id } = await author.call(signingJobCalls.add, { keyId: key, fileId: file.id, profile: 'apk' });
  await second.call(signingJobCalls.approve, { id });
  await app.runJobs();
  await author.call(signingKeyCalls.suspend, { id: key });
  expect(await told('bank', 'signingKey')).toEqual(['created', 'activate', 'suspend']);
  expect(await told('bank', 'signingJob')).toEqual(['created', 'approve', 'begin', 'finish']);
  const bodies = await heard('bank');
  const saysOf = (type: string) => Object.keys(bodies.find((one) => one.type === type)?.data ?? {}).toSorted();
  for (const type of ['signingKey.activate', 'signingJob.finish'])
    expect(saysOf(type)).toEqual(['dept', 'event', 'from', 'id', 'life', 'to']);
  for (const side of ['maker', 'branch', 'other'] as const)
    expect([...(await told(side, 'signingKey')), ...(await told(side, 'signingJob'))], side).toEqual([]);
});

test('they may be asked for by name, and nothing that they don’t say', async () => {
  const ask = (events: string[]) => hooks.bank.send(webhookCalls.add, { ...address, events, deptId: depts.bank.id });
  const named = ['appSubscription.accept', 'signingKey.*', 'signingJob.finish'];
  expect((await ask(named)).code).toBe(200);
  expect((await ask(['signingKey.export'])).code).toBe(400);
  const machines = (await hooks.bank.call(webhookCalls.events, {})).map(({ life }) => life);
  expect(machines).toEqual(expect.arrayContaining(['appSubscription', 'signingKey', 'signingJob']));
});
