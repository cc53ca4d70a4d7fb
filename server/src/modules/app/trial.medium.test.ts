import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring, describe as say } from './app.factory.ts';

/** A reviewer tries what waits for the review, on test terminals and nowhere else. */
let app: TestApp;
let maker: DeptAt;
let developer: Client;
let reviewer: Client;
let manager: Client;
let productId: number;
const { settle, sns, offers, subscribe } = releasing(
  () => app,
  () => manager,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  developer = await app.person('developer', maker);
  reviewer = await app.person('reviewer', app.root);
  manager = await app.person('orgManager', app.root);
  productId = await makeProduct(app, app.root);
  await becomeDeveloper(developer, reviewer);
});
afterAll(() => app.stop());

const query = (of: ReturnType<typeof sql>) => app.context.unscoped(async (db) => (await of.execute(db)).rows);
const versions = (id: number) => reviewer.call(appVersionCalls.detail, { id });

/** A version that waits, one terminal for tests and one that takes payments. */
async function waiting(packageName: string) {
  const { id } = await bring(app, developer, maker, { packageName });
  // For nobody's terminals but its listed ones: a trial isn't bound to whom it is for.
  await makeDevices(app, maker, productId, [`ONLY${id}`]);
  await say(developer, { id }, productId, { scope: '2', sns: [`ONLY${id}`] });
  const { contentHash } = await developer.call(appVersionCalls.submit, { id });
  const [bench = '', counter = ''] = sns(2);
  await makeDevices(app, app.root, productId, [bench, counter]);
  await query(sql`update device set capabilities = '{softApp}', test_terminal = sn = ${bench} where sn in (${bench}, ${counter})`);
  return { id, contentHash, bench, counter };
}
const idsOf = (names: readonly string[]) =>
  query(sql`select id from device where sn = any(${[...names]}::text[])`).then((rows) => rows.map((row) => (row as { id: number }).id));
const trial = async ({ id, contentHash }: { id: number; contentHash: string }, names: readonly string[], by = reviewer) =>
  by.send(appVersionCalls.trial, { id, contentHash, deviceIds: await idsOf(names) });
/** The release that it became. */
const tried = async ({ id, contentHash }: { id: number; contentHash: string }, names: readonly string[]) =>
  (await reviewer.call(appVersionCalls.trial, { id, contentHash, deviceIds: await idsOf(names) })).id;
const reached = async (taskId: number) =>
  (await manager.call(softAppTaskDeviceCalls.page, { criteria: { taskId } })).content.map(({ sn, state }) => [sn, state]);

test('a version that waits for its review reaches test terminals alone', async () => {
  const version = await waiting('com.example.bench');
  const { id, bench, counter } = version;
  expect((await reviewer.call(appVersionCalls.testTerminals, { id })).map(({ sn }) => sn)).toEqual([bench]);
  const found = async (of: object) => (await reviewer.call(appVersionCalls.testTerminals, { id, ...of })).map(({ sn }) => sn);
  expect(await found({ text: bench.slice(1).toLowerCase() })).toEqual([bench]);
  expect(await found({ text: `${bench}9` })).toEqual([]);
  expect(await found({ text: bench, ids: await idsOf([counter]) })).toEqual([]);
  expect(await found({ ids: await idsOf([bench, counter]) })).toEqual([bench]);
  expect(await faultOf(trial(version, [bench, counter]))).toBe('NOT_FOUND');
  const taskId = await tried(version, [bench]);
  await settle();
  expect(await reached(taskId)).toEqual([[bench, '2']]);
  expect((await reviewer.call(appVersionCalls.onTerminals, { id })).tally).toEqual({ '2': 1 });
  expect((await developer.call(appVersionCalls.onTerminals, { id })).tally).toEqual({});
  const offers = await query(
    sql`select sn, data -> 'package' -> 'app' ->> 'packageName' as name from gateway_outbox where topic = 'offer'`,
  );
  expect(offers).toEqual([{ sn: bench, name: 'com.example.bench' }]);
  // One that takes payments again gets nothing, also where it was asked for before.
  const later = await waiting('com.example.later');
  const asked = await tried(later, [later.bench]);
  await query(sql`update device set test_terminal = false where sn = ${later.bench}`);
  await settle();
  expect((await reached(asked)).filter(([, state]) => state === '2')).toEqual([]);
});

test('it is asked for by who may review it and didn’t write it, as long as it waits as it was seen', async () => {
  const version = await waiting('com.example.asked');
  const { id, contentHash, bench } = version;
  const outsider = await app.person('orgManager', await app.dept('Others'));
  expect(await faultOf(trial(version, [bench], developer))).toBe('FORBIDDEN');
  expect(await faultOf(trial(version, [bench], outsider))).toBe('NOT_FOUND');
  expect(await faultOf(trial({ id, contentHash: 'a'.repeat(64) }, [bench]))).toBe('OVERTAKEN');
  const editedBy = (who: Client) => query(sql`update app_version set edited_by_id = ${who.userId} where id = ${id}`);
  await editedBy(reviewer);
  expect(await faultOf(trial(version, [bench]))).toBe('APP_OWN_REVIEW');
  await editedBy(developer);
  const install = (action: string) =>
    faultOf(
      manager.send(softAppTaskCalls.add, {
        name: 'Not yet',
        scope: { releaseScope: '2', sns: [bench] },
        content: { action, versionId: id },
      } as never),
    );
  expect(await install('install')).toBe('APP_NOT_LISTED');
  await reviewer.call(appVersionCalls.approve, { id, contentHash, marketId: app.root.id });
  expect(await faultOf(trial(version, [bench]))).toBe('APP_TRIAL');
  expect(await install('trial')).toBe('APP_TRIAL');
});

test('sent back or withdrawn, its trial stops; approved, it goes on', async () => {
  const decisions = {
    sentBack: (id: number, contentHash: string) => reviewer.call(appVersionCalls.reject, { id, contentHash, comment: 'Crashes' }),
    withdrawn: (id: number) => developer.call(appVersionCalls.withdraw, { id }),
    approved: (id: number, contentHash: string) => reviewer.call(appVersionCalls.approve, { id, contentHash, marketId: app.root.id }),
  };
  for (const [name, decide] of Object.entries(decisions)) {
    const version = await waiting(`com.example.${name}`);
    const taskId = await tried(version, [version.bench]);
    await settle();
    await decide(version.id, version.contentHash);
    await app.runJobs();
    const { state } = await manager.call(softAppTaskCalls.detail, { id: taskId });
    expect([name, state]).toEqual([name, name === 'approved' ? 'running' : 'paused']);
  }
});

test('its end cancels what is under way and takes it off where it was tried, once', async () => {
  const version = await waiting('com.example.over');
  const { id, bench } = version;
  const taskId = await tried(version, [bench]);
  await settle();
  await query(sql`insert into device_app (device_id, package_name, name, version_name, version_code, certificate, dept_path)
    select d.id, v.package_name, '', '', v.version_code, v.certificate_sha256, d.dept_path from device d, app_version v where d.sn = ${bench} and v.id = ${id}`);
  expect((await reviewer.call(appVersionCalls.onTerminals, { id })).trial).toEqual({ open: 1, installed: 1 });
  expect((await developer.call(appVersionCalls.onTerminals, { id })).trial).toEqual({ open: 0, installed: 0 });
  expect(await faultOf(developer.send(appVersionCalls.endTrial, { id }))).toBe('FORBIDDEN');
  expect(await reviewer.call(appVersionCalls.endTrial, { id })).toEqual({ cancelled: 1, uninstalling: 1 });
  await settle();
  expect((await manager.call(softAppTaskCalls.detail, { id: taskId })).state).toBe('cancelled');
  const offers = await query(
    sql`select data -> 'uninstall' ->> 'packageName' as name from gateway_outbox where topic = 'offer' and sn = ${bench} and data ? 'uninstall'`,
  );
  expect(offers).toEqual([{ name: 'com.example.over' }]);
});

test('its end takes off once, and nothing that came into the catalogue', async () => {
  const version = await waiting('com.example.listed');
  const { id, bench } = version;
  await tried(version, [bench]);
  await settle();
  await query(sql`insert into device_app (device_id, package_name, name, version_name, version_code, certificate, dept_path)
    select d.id, v.package_name, '', '', v.version_code, v.certificate_sha256, d.dept_path from device d, app_version v where d.sn = ${bench} and v.id = ${id}`);
  const installed = async () => (await reviewer.call(appVersionCalls.onTerminals, { id })).trial.installed;
  const listed = (state: string) => query(sql`update app_version set publish_state = ${state} where id = ${id}`);
  expect(await installed()).toBe(1);
  // Releases count it as installed from then on.
  await listed('1');
  expect(await installed()).toBe(0);
  await listed('0');
  expect(await reviewer.call(appVersionCalls.endTrial, { id })).toEqual({ cancelled: 1, uninstalling: 1 });
  await settle();
  expect([await installed(), await faultOf(reviewer.send(appVersionCalls.endTrial, { id }))]).toEqual([0, 'OVERTAKEN']);
});

test('its end leaves what a release brought after it', async () => {
  const version = await waiting('com.example.kept');
  const { id, contentHash, bench } = version;
  const [trialled] = [await tried(version, [bench]), await settle()];
  const [offer] = await offers(trialled);
  if (offer) await subscribe('result', offer, { outcome: 'failed', reason: 'install' });
  await settle();
  await query(sql`update app_version set scope = '0' where id = ${id}`);
  await query(sql`delete from app_version_sn where version_id = ${id}`);
  await query(
    sql`update app_version set review_state = '2', publish_state = '1', listed_at = now(), content_hash = ${contentHash} where id = ${id}`,
  );
  await query(sql`update device set dept_id = ${maker.id}, dept_path = ${maker.path} where sn = ${bench}`);
  const content = { action: 'install', versionId: id };
  const { id: task } = await manager.call(softAppTaskCalls.add, {
    name: 'Kept',
    scope: { releaseScope: '2', sns: [bench] },
    content,
  } as never);
  await manager.call(softAppTaskCalls.submit, { id: task });
  await manager.call(softAppTaskCalls.enable, { id: task });
  await settle();
  for (const one of await offers(task)) await subscribe('result', one, { outcome: 'success', version: '1' });
  await query(sql`insert into device_app (device_id, package_name, name, version_name, version_code, certificate, dept_path)
    select d.id, v.package_name, '', '', v.version_code, v.certificate_sha256, d.dept_path from device d, app_version v where d.sn = ${bench} and v.id = ${id}`);
  await settle();
  expect((await reviewer.call(appVersionCalls.onTerminals, { id })).trial.installed).toBe(0);
  expect(await reviewer.call(appVersionCalls.endTrial, { id })).toEqual({ cancelled: 1, uninstalling: 0 });
});

test('a terminal that goes to another organisation is no test terminal there', async () => {
  const { bench } = await waiting('com.example.moved');
  const [row] = (await manager.call(deviceCalls.page, { criteria: { sn: bench } })).content;
  await manager.call(deviceCalls.move, { of: { ids: [row?.id ?? 0] }, deptId: maker.id });
  expect((await manager.call(deviceCalls.detail, { id: row?.id ?? 0 })).testTerminal).toBe(false);
});

test('a test terminal is found by its filter, and an edit that doesn’t name it keeps it', async () => {
  const { id, bench } = await waiting('com.example.filter');
  expect((await versions(id)).allowedActions).toContain('approve');
  const found = async () => (await manager.call(deviceCalls.page, { criteria: { testTerminal: true, sn: bench } })).content;
  const [row] = await found();
  expect(row).toMatchObject({ sn: bench, testTerminal: true });
  if (!row) return;
  await manager.call(deviceCalls.update, { id: row.id, revision: row.revision, name: 'Bench' });
  const [same] = await found();
  expect(same).toMatchObject({ name: 'Bench', testTerminal: true });
  await manager.call(deviceCalls.update, { id: row.id, revision: same?.revision ?? 0, name: 'Counter', testTerminal: false });
  expect(await found()).toEqual([]);
});

test('one that was tried is not deleted, whoever tried it: others of its list are', async () => {
  const version = await waiting('com.example.record');
  await tried(version, [version.bench]);
  await developer.call(appVersionCalls.withdraw, { id: version.id });
  const draft = await bring(app, developer, maker, { packageName: 'com.example.record', versionCode: 2 });
  expect((await developer.call(appVersionCalls.detail, { id: version.id })).allowedActions).not.toContain('delete');
  expect((await developer.call(appVersionCalls.detail, { id: draft.id })).allowedActions).toContain('delete');
  expect(await faultOf(developer.send(appVersionCalls.delete, { id: version.id }))).toBe('APP_VERSION_TRIED');
  const many = await developer.call(appVersionCalls.deleteMany, { of: { ids: [version.id, draft.id] }, preview: false });
  expect(many).toMatchObject({ total: 2, done: 1, refused: 1, failed: [{ id: version.id }] });
});
