import { softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAppRow } from '../../../test/apps.ts';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import type { DeptAt } from '../org/api.ts';

/** Who is shut out of an app, or whose term is over, gets it from nobody above either. */
let app: TestApp;
const depts = {} as Record<'maker' | 'bank' | 'branch' | 'other', DeptAt>;
let centre: Client;
let owner: Client;
let taker: Client;
let branch: Client;
let productId: number;
const { settle, sns } = releasing(
  () => app,
  () => centre,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  depts.maker = await app.dept('App maker');
  depts.bank = await app.dept('Bank');
  depts.branch = await app.dept('Branch', depts.bank);
  depts.other = await app.dept('Other bank');
  centre = await app.person('platformAdmin', app.root);
  owner = await app.person('platformAdmin', depts.maker);
  taker = await app.person('platformAdmin', depts.bank);
  branch = await app.person('platformAdmin', depts.branch);
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
let count = 0;
/** In the catalogue, free for all, with a subscription of the bank. */
async function subscribed() {
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
  const { id } = await taker.call(appSubscriptionCalls.add, { appId: made.app });
  return { appId: made.app, versionId: made.appVersion, id };
}
async function terminal(dept: DeptAt): Promise<string> {
  const [sn = ''] = sns(1);
  await makeDevices(app, dept, productId, [sn]);
  await run(sql`update device set capabilities = '{softApp}' where sn = ${sn}`);
  return sn;
}
async function termOf(id: number, said: object): Promise<void> {
  const { revision } = await owner.call(appSubscriptionCalls.detail, { id });
  await owner.call(appSubscriptionCalls.term, { id, revision, validUntil: null, blacklist: '0', reason: '', ...said } as never);
}
const scopeOf = (names: readonly string[]) => ({ releaseScope: '2' as const, sns: [...names] });
const taskOf = (names: readonly string[], versionId: number, delivery: object = {}) =>
  ({ scope: scopeOf(names), delivery: { retries: 0, ...delivery }, content: { action: 'install', versionId } }) as never;
const refused = async (names: readonly string[], versionId: number) =>
  Object.fromEntries(
    (await centre.call(softAppTaskCalls.preview, taskOf(names, versionId))).refused.map(({ reason, sns: of }) => [reason, of]),
  );
async function released(names: readonly string[], versionId: number, delivery: object = {}): Promise<number> {
  const task = await centre.call(softAppTaskCalls.add, {
    name: 'App',
    ...(taskOf(names, versionId, delivery) as object),
    release: true,
  } as never);
  await settle();
  return task.id;
}
const resultsOf = async (taskId: number) =>
  Object.fromEntries(
    (await centre.call(softAppTaskDeviceCalls.page, { criteria: { taskId } })).content.map(({ sn, state, reason }) => [
      sn,
      [state, reason],
    ]),
  );
const whyOf = async (taskId: number, sn: string) => (await centre.call(deviceReleaseCalls.whyNot, { taskId, sn })).why?.key;

test('a release from above passes over those whom the owner shut out, in the wizard too, and says so', async () => {
  const { id, versionId } = await subscribed();
  const [atBank, atBranch, atOther, atMaker] = [
    await terminal(depts.bank),
    await terminal(depts.branch),
    await terminal(depts.other),
    await terminal(depts.maker),
  ];
  const all = [atBank, atBranch, atOther, atMaker];
  expect(await refused(all, versionId)).toEqual({});
  await termOf(id, { blacklist: '1' });
  expect(await refused(all, versionId)).toEqual({ appBlocked: [atBank, atBranch] });
  const taskId = await released(all, versionId);
  expect(await resultsOf(taskId)).toEqual({ [atOther]: ['2', null], [atMaker]: ['2', null] });
  expect(await whyOf(taskId, atBranch)).toBe('why.passed.appBlocked');
});

test('so it does with those whose term is over, unless somebody on their way up is subscribed', async () => {
  const { id, appId, versionId } = await subscribed();
  const [atBank, atBranch] = [await terminal(depts.bank), await terminal(depts.branch)];
  const all = [atBank, atBranch];
  await termOf(id, { validUntil: '2020-01-01' });
  expect(await refused(all, versionId)).toEqual({ appOver: [atBank, atBranch] });
  const own = await branch.call(appSubscriptionCalls.add, { appId });
  await owner.call(appSubscriptionCalls.accept, { id: own.id, validUntil: '2999-01-01' });
  expect(await refused(all, versionId)).toEqual({ appOver: [atBank] });
  const taskId = await released(all, versionId);
  expect(await resultsOf(taskId)).toEqual({ [atBranch]: ['2', null] });
  expect(await whyOf(taskId, atBank)).toBe('why.passed.appOver');
});

test('so it does with those whose subscription keeps to another version, unless somebody on their way up takes any', async () => {
  const { id, appId, versionId } = await subscribed();
  const [atBank, atBranch, atMaker] = [await terminal(depts.bank), await terminal(depts.branch), await terminal(depts.maker)];
  const all = [atBank, atBranch, atMaker];
  const { appVersion } = await makeAppRow(app, depts.maker, 'Another version');
  await run(sql`update app_version set app_id = ${appId}, version_code = 99 where id = ${appVersion}`);
  await run(sql`update app_subscription set version_id = ${appVersion} where id = ${id}`);
  expect(await refused(all, versionId)).toEqual({ appPinned: [atBank, atBranch] });
  await branch.call(appSubscriptionCalls.add, { appId });
  expect(await refused(all, versionId)).toEqual({ appPinned: [atBank] });
  const taskId = await released(all, versionId);
  expect(await resultsOf(taskId)).toEqual({ [atBranch]: ['2', null], [atMaker]: ['2', null] });
  expect(await whyOf(taskId, atBank)).toBe('why.passed.appPinned');
});

test('what a release has chosen before is looked at again as its turn comes', async () => {
  const { id, versionId } = await subscribed();
  const [atBank, atOther] = [await terminal(depts.bank), await terminal(depts.other)];
  await run(
    sql`update device_presence set online = false where device_id in (select id from device where sn = any(${[atBank, atOther]}::text[]))`,
  );
  await run(sql`update device set status = '2' where sn = any(${[atBank, atOther]}::text[])`);
  const taskId = await released([atBank, atOther], versionId);
  expect(await resultsOf(taskId)).toEqual({ [atBank]: ['1', null], [atOther]: ['1', null] });
  await termOf(id, { validUntil: '2020-01-01' });
  await run(
    sql`update device_presence set online = true where device_id in (select id from device where sn = any(${[atBank, atOther]}::text[]))`,
  );
  await run(sql`update device set status = '3' where sn = any(${[atBank, atOther]}::text[])`);
  await run(sql`update rollout_result set next_at = ${app.clock.now} where task_id = ${taskId}`);
  await settle();
  expect(await resultsOf(taskId)).toEqual({ [atBank]: ['4', 'appOver'], [atOther]: ['2', null] });
});
