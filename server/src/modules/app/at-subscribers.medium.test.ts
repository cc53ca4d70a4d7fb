import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAppRow } from '../../../test/apps.ts';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { describe as say } from './app.factory.ts';
import { saysApps } from './catalogue.factory.ts';

/** What passes between who brought an app and who subscribed to it: how it fares there, and that it was taken out of the catalogue. */
let app: TestApp;
const depts = {} as Record<'maker' | 'bank' | 'branch' | 'other', DeptAt>;
let reviewer: Client;
let developer: Client;
let taker: Client;
let outsider: Client;
let productId: number;
const { settle, sns, subscribe, offers } = releasing(
  () => app,
  () => taker,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  depts.maker = await app.dept('App maker');
  depts.bank = await app.dept('Bank');
  depts.branch = await app.dept('Branch', depts.bank);
  depts.other = await app.dept('Other bank');
  reviewer = await app.person('platformAdmin', app.root);
  developer = await app.person('developer', depts.maker);
  taker = await app.person('platformAdmin', depts.bank);
  outsider = await app.person('platformAdmin', depts.other);
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
let count = 0;
/** In the catalogue, free for all. */
async function listed() {
  count += 1;
  const made = await makeAppRow(app, depts.maker, `App ${count}`, {
    review_state: '2',
    publish_state: '1',
    market_id: app.root.id,
    listed_at: new Date(),
  });
  await run(sql`update app_app set subscription = 'free' where id = ${made.app}`);
  await run(
    sql`insert into app_version_product (version_id, product_id, dept_path) select id, ${productId}, dept_path from app_version where id = ${made.appVersion}`,
  );
  const [row] = await run(
    sql<{ name: string; code: number }>`select package_name as name, version_code as code from app_version where id = ${made.appVersion}`,
  );
  return { appId: made.app, id: made.appVersion, name: row?.name ?? '', code: row?.code ?? 0 };
}
async function terminals(dept: DeptAt, n: number): Promise<string[]> {
  const names = sns(n);
  await makeDevices(app, dept, productId, names);
  await run(sql`update device set capabilities = '{softApp}' where sn = any(${names}::text[])`);
  return names;
}
/** Released by a subscriber, and failed at each of its terminals for these reasons in turn. */
async function failed(by: Client, names: readonly string[], versionId: number, reasons: readonly string[]): Promise<void> {
  const scope = { releaseScope: '2' as const, sns: [...names] };
  const delivery = { retries: 0 };
  const { id } = await by.call(softAppTaskCalls.add, {
    name: 'App',
    scope,
    delivery,
    content: { action: 'install', versionId },
    release: true,
  } as never);
  await settle();
  for (const [at, attempt] of (await offers(id)).entries())
    await subscribe('result', attempt, { outcome: 'failure', reason: reasons[at % reasons.length] ?? '' });
  await settle();
}
const seen = async (id: number, by = developer) => by.call(appVersionCalls.onTerminals, { id });

test('who brought an app sees how it fares at all subscribers, in figures alone; nobody else does', async () => {
  const { appId, id } = await listed();
  expect((await seen(id)).subscribers).toEqual({ tally: {}, reasons: [] });
  const subscription = await taker.call(appSubscriptionCalls.add, { appId });
  await outsider.call(appSubscriptionCalls.add, { appId });
  const [atBank, atBranch, atOther] = [await terminals(depts.bank, 1), await terminals(depts.branch, 1), await terminals(depts.other, 1)];
  await failed(taker, [...atBank, ...atBranch], id, ['hashWrong', 'A word of the terminal']);
  await failed(outsider, atOther, id, ['hashWrong']);
  const found = await seen(id);
  expect(found).toEqual({
    installed: 0,
    others: 0,
    trial: { installed: 0, open: 0 },
    tally: {},
    reasons: [],
    subscribers: {
      tally: { 4: 3 },
      reasons: [
        { reason: 'hashWrong', count: 2 },
        { reason: 'other', count: 1 },
      ],
    },
  });
  expect(await seen(id, taker)).toMatchObject({ tally: { 4: 2 }, subscribers: null });
  // Barred, or over by its term, it tells nothing more, as call-backs don't.
  const owner = await app.person('platformAdmin', depts.maker);
  const term = async (set: object) => {
    const { revision } = await owner.call(appSubscriptionCalls.detail, { id: subscription.id });
    await owner.call(appSubscriptionCalls.term, {
      id: subscription.id,
      revision,
      validUntil: null,
      blacklist: '0',
      reason: '',
      ...set,
    } as never);
  };
  await term({ blacklist: '1' });
  expect((await seen(id)).subscribers?.tally).toEqual({ 4: 1 });
  await term({});
  expect((await seen(id)).subscribers?.tally).toEqual({ 4: 3 });
  await run(sql`update app_subscription set valid_until = '2020-01-01' where id = ${subscription.id}`);
  expect((await seen(id)).subscribers?.tally).toEqual({ 4: 1 });
});

test('what a reviewer tries on a subscriber’s terminals isn’t told to who brought it', async () => {
  const { appId, id } = await listed();
  await taker.call(appSubscriptionCalls.add, { appId });
  await failed(taker, await terminals(depts.bank, 1), id, ['hashWrong']);
  await run(sql`update rollout_task set content = jsonb_set(content, '{action}', '"trial"') where app_version_id = ${id}`);
  expect((await seen(id)).subscribers).toEqual({ tally: {}, reasons: [] });
});

test('delisted, a version is told of to each subscriber that has it, to its owner and to those below, with their own number and the way to take it off', async () => {
  const { appId, id, name, code } = await listed();
  const ended = await taker.call(appSubscriptionCalls.add, { appId });
  await outsider.call(appSubscriptionCalls.add, { appId });
  const [atBank, atBranch, atMaker] = [await terminals(depts.bank, 1), await terminals(depts.branch, 1), await terminals(depts.maker, 1)];
  const shop = await app.dept('Shop of the maker', depts.maker);
  const atShop = await terminals(shop, 3);
  const [older = ''] = await terminals(depts.other, 1);
  await run(sql`update app_version set certificate_sha256 = ${'ab'.repeat(32)} where id = ${id}`);
  for (const sn of [...atBank, ...atBranch, ...atMaker, ...atShop]) await saysApps(app, sn, [{ id: name, code }]);
  await saysApps(app, older, [{ id: name, code: code - 1 }]);
  // Also who took it before has it still.
  await taker.call(appSubscriptionCalls.end, { id: ended.id });
  await reviewer.call(appVersionCalls.delist, { id, comment: 'A flaw in its printing.' });
  // An edit doesn't make it another story.
  await say(developer, { id }, productId);
  await app.runJobs();
  const said = await run(sql<{ dept_path: string; link: string; params: object; channels: string[]; target: object }>`
    select dept_path, link, params, channels, target from message_message where text_key = 'appDelistedHere'`);
  const told = (path: string, count: number) => ({
    dept_path: path,
    link: expect.stringMatching(new RegExp(`^/task/create/softApp\\?uninstall=${name}&name=[^&]+&version=${code}$`)),
    params: expect.objectContaining({ count }),
    channels: ['centre', 'email'],
    target: { above: path, can: 'tms:softApp:add', apart: depts.maker.path },
  });
  const byPath = (a: { dept_path: string }, b: { dept_path: string }) => (a.dept_path < b.dept_path ? -1 : 1);
  expect(said.toSorted(byPath)).toEqual(
    [
      told(depts.bank.path, 2),
      told(shop.path, 3),
      { ...told(depts.maker.path, 1), target: { above: depts.maker.path, can: 'tms:softApp:add' } },
    ].toSorted(byPath),
  );
});
