import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { TestApk } from '@mooring/apk/apk.factory';
import { makeSigner } from '@mooring/apk/signer.factory';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { appDifferenceCalls } from '@mooring/contract/app/difference-calls';
import { softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { differencesIn } from '../../engines/rollout/differences.factory.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring, list, describe as say } from './app.factory.ts';

let app: TestApp;
let maker: DeptAt;
let other: DeptAt;
let developer: Client;
let reviewer: Client;
let outsider: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  developer = await app.person('orgManager', maker);
  reviewer = await app.person('reviewer', app.root);
  other = await app.dept('Other');
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root, 'A920');
  await becomeDeveloper(developer, reviewer);
});
afterAll(() => app.stop());
const { all } = differencesIn(() => ({ app, admin: developer }));
const { settle, sns, subscribe, offers } = releasing(
  () => app,
  () => developer,
  () => 0,
);

const codeOf = (at: number) => createHash('md5').update(String(at)).digest('hex').slice(0, 12);
/** What changes little from version to version, once it is unpacked. */
const menu = (first: string) =>
  new TextEncoder().encode(Array.from({ length: 5000 }, (_, at) => `${at % 25 === 0 ? first : 'Espresso'} ${codeOf(at)}`).join('\n'));
let apps = 0;
const nextName = () => `com.example.diff${++apps}`;
/** A version in the catalogue. */
async function listed(packageName: string, versionCode: number, more: TestApk = {}) {
  const files = { 'assets/menu.txt': menu(`Latte ${versionCode}`) };
  const row = await bring(app, developer, maker, { packageName, versionCode, versionName: `${versionCode}.0`, minSdk: 24, files, ...more });
  await say(developer, row, productId);
  await list(app, developer, reviewer, row);
  return row;
}
const pair = async (packageName = nextName()) => ({ packageName, base: await listed(packageName, 10), now: await listed(packageName, 20) });
const rowsOf = async (packageId: number, who = developer) =>
  (await who.call(appDifferenceCalls.page, { criteria: { packageId } })).content.toSorted((a, b) => a.form.localeCompare(b.form));
/** Whoever makes what is asked for next needn’t make these too. */
const giveUp = async (packageId: number) => {
  for (const { id } of await rowsOf(packageId)) await developer.call(appDifferenceCalls.giveUp, { id });
};
const start = (packageId: number, baseIds: number[], enableAtOnce = false) =>
  developer.call(appDifferenceCalls.add, { packageId, baseIds, enableAtOnce });
const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);

/** Terminals that run a version, and say that they can do this. */
async function terminals(
  count: number,
  packageName: string,
  of: { versionCode: number; certificateSha256: string },
  can: string[],
  at = maker,
) {
  const names = sns(count);
  await makeDevices(app, at, productId, names);
  await run(sql`insert into device_app (device_id, package_name, name, version_name, version_code, certificate, dept_path)
    select id, ${packageName}, 'Till', ${`${of.versionCode}.0`}, ${of.versionCode}, ${of.certificateSha256}, dept_path from device where sn = any(${names}::text[])`);
  await run(sql`update device set capabilities = ${['softApp', ...can]}::text[] where sn = any(${names}::text[])`);
  return names;
}
interface Offered {
  readonly kind: string;
  readonly base: string | null;
  readonly size: number;
  readonly sha256: string;
  readonly fullSha256?: string;
  readonly fullSize?: number;
  readonly app: { readonly versionCode: number };
}
const offeredTo = async (sn: string) =>
  (await run(sql<{ data: { package: Offered } }>`select data from gateway_outbox where topic = 'offer' and sn = ${sn} order by id`)).map(
    ({ data }) => data.package,
  );
async function released(versionId: number, names: readonly string[]): Promise<number> {
  const asked = { scope: { releaseScope: '2' as const, sns: [...names] }, content: { action: 'update' as const, versionId } };
  const task = await developer.call(softAppTaskCalls.add, { name: 'Up', ...asked } as never);
  await developer.call(softAppTaskCalls.submit, { id: task.id });
  await developer.call(softAppTaskCalls.enable, { id: task.id });
  await settle();
  return task.id;
}

test('both forms are made, tried and used; each terminal gets the smallest that it says it can apply, others the full package', async () => {
  const { packageName, base, now } = await pair();
  const [best = ''] = await terminals(1, packageName, base, ['appDiff', 'appDiffEntries']);
  const [plain = ''] = await terminals(1, packageName, base, ['appDiff']);
  const [none = ''] = await terminals(1, packageName, base, ['diffFrames']);
  const [elsewhere = ''] = await terminals(1, packageName, { ...base, versionCode: 9 }, ['appDiff', 'appDiffEntries']);
  expect(await developer.call(appDifferenceCalls.bases, { packageId: now.id })).toMatchObject([
    { id: base.id, version: '10.0 (10)', devices: 3, made: false },
  ]);
  expect(await start(now.id, [base.id])).toEqual({ started: 2 });
  await all();
  const [entries, image] = await rowsOf(now.id);
  expect(entries).toMatchObject({ form: 'entries', state: 'verified', verification: '1', worth: true, base: '10.0 (10)', devices: 3 });
  expect(entries?.size).toBeLessThan((entries?.fullSize ?? 0) / 4);
  // Packed anew, nearly all of it is another: it isn't worth it.
  expect(image).toMatchObject({ form: 'image', state: 'verified', verification: '1', worth: false });
  expect(await faultOf(developer.send(appDifferenceCalls.enable, { id: image?.id ?? 0 }))).toBe('DIFFERENCE_NOT_WORTH');
  // Nothing goes out before a person wants it.
  const preview = { scope: { releaseScope: '2', sns: [best] }, content: { action: 'update', versionId: now.id } };
  expect((await developer.call(softAppTaskCalls.preview, preview as never)).byVersion).toMatchObject([
    { version: '10', gets: 'full', idle: true },
  ]);
  expect(await developer.call(appDifferenceCalls.enable, { id: entries?.id ?? 0 })).toMatchObject({ state: 'enabled' });
  expect((await developer.call(softAppTaskCalls.preview, preview as never)).byVersion).toMatchObject([
    { version: '10', gets: 'diff', bytes: entries?.size },
  ]);
  const taskId = await released(now.id, [best, plain, none, elsewhere]);
  const [difference] = await offeredTo(best);
  expect(difference).toMatchObject({
    ...{ kind: 'DI', base: '10', size: entries?.size, fullSha256: now.sha256, fullSize: now.size },
    app: { versionCode: 20 },
  });
  for (const sn of [plain, none, elsewhere]) expect(await offeredTo(sn)).toMatchObject([{ kind: 'TA', base: null, sha256: now.sha256 }]);
  // Who can't make use of it gets the full package next.
  const attempt = (
    await run(
      sql<{
        offer: string;
        device_id: number;
        sn: string;
        dept_path: string;
      }>`select offer, device_id, sn, dept_path from rollout_result where task_id = ${taskId} and sn = ${best}`,
    )
  )[0];
  if (attempt) await subscribe('result', attempt, { outcome: 'failure', reason: 'baseWrong' });
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  await settle();
  expect((await offeredTo(best)).map(({ kind }) => kind)).toEqual(['DI', 'TA']);
  expect(await offers(taskId)).toHaveLength(4);
  expect((await developer.call(softAppTaskDeviceCalls.page, { criteria: { taskId } })).content.find(({ sn }) => sn === best)).toMatchObject(
    { attempts: 2 },
  );
});

test('who has no room beside a difference, or isn’t heard of again, gets the full package next; one that fails otherwise gets it again', async () => {
  const { packageName, base, now } = await pair();
  const [narrow = '', killed = '', dropped = ''] = await terminals(3, packageName, base, ['appDiff', 'appDiffEntries']);
  await start(now.id, [base.id], true);
  await all();
  const taskId = await released(now.id, [narrow, killed, dropped]);
  const attemptOf = async (sn: string) => (await offers(taskId)).find((one) => one.sn === sn);
  const [first, third] = [await attemptOf(narrow), await attemptOf(dropped)];
  if (!first || !third) throw new Error('nothing was sent');
  await subscribe('result', first, { outcome: 'failure', reason: 'noSpace' });
  await subscribe('result', third, { outcome: 'failure', reason: 'powerLost' });
  for (const _day of [1, 2, 3]) {
    app.clock.now = new Date(app.clock.now.getTime() + 86_400_000);
    await settle();
  }
  const sent = await run(sql<{ sn: string; kinds: string[] }>`
    select r.sn, array_agg(case when a.full_size is null then 'TA' else 'DI' end order by a.no) as kinds
    from rollout_attempt a join rollout_result r on r.id = a.result_id where r.task_id = ${taskId} and a.no <= 2 group by r.sn`);
  expect(new Map(sent.map(({ sn, kinds }) => [sn, kinds]))).toEqual(
    new Map([
      [narrow, ['DI', 'TA']],
      [killed, ['DI', 'TA']],
      [dropped, ['DI', 'DI']],
    ]),
  );
});

test('one form that was deleted is made again while the other stays; what there is isn’t made twice', async () => {
  const { packageName, base, now } = await pair();
  await terminals(1, packageName, base, []);
  await start(now.id, [base.id]);
  await all();
  const [entries, image] = await rowsOf(now.id);
  const bases = () => developer.call(appDifferenceCalls.bases, { packageId: now.id });
  expect(await bases()).toMatchObject([{ id: base.id, made: true }]);
  await developer.call(appDifferenceCalls.delete, { id: entries?.id ?? 0 });
  expect(await bases()).toMatchObject([{ id: base.id, made: false }]);
  expect(await start(now.id, [base.id])).toEqual({ started: 1 });
  expect((await rowsOf(now.id)).map(({ form }) => form)).toEqual(['entries', 'image']);
  expect(await faultOf(developer.send(appDifferenceCalls.add, { packageId: now.id, baseIds: [base.id] }))).toBe('DIFFERENCE_EXISTS');
  await developer.call(appDifferenceCalls.delete, { id: image?.id ?? 0 });
  expect(await developer.call(appDifferenceCalls.addAll, { packageId: now.id })).toEqual({ started: 1 });
  await all();
});

test('a version that comes into the catalogue is led to from those in use, a subscriber’s too, without anybody’s asking', async () => {
  const packageName = nextName();
  const [unused, few, many] = [await listed(packageName, 1), await listed(packageName, 2), await listed(packageName, 3)];
  await terminals(1, packageName, few, [], other);
  await terminals(2, packageName, many, ['appDiff', 'appDiffEntries'], other);
  const now = await listed(packageName, 4);
  await app.runJobs();
  const made = await rowsOf(now.id);
  expect(made.map(({ base, form }) => [base, form]).toSorted()).toEqual(
    [few, many].flatMap(({ versionCode: code }) => [
      [`${code}.0 (${code})`, 'entries'],
      [`${code}.0 (${code})`, 'image'],
    ]),
  );
  expect(made.some(({ base }) => base === `${unused.versionCode}.0 (1)`)).toBe(false);
  // Of whose terminals they are its developer learns nothing.
  expect(made.every(({ devices }) => devices === 0)).toBe(true);
  await all();
  expect((await rowsOf(now.id)).filter(({ form }) => form === 'entries').map(({ state }) => state)).toEqual(['enabled', 'enabled']);
  // Taken out and in again, and asked for twice: there is one of each.
  await developer.call(appVersionCalls.unpublish, { id: now.id });
  await developer.call(appVersionCalls.publish, { id: now.id });
  await settlePublished(app);
  await app.runJobs();
  expect(await rowsOf(now.id)).toHaveLength(4);
});

test('a new version is led to from all that are in use, and not from what fewer than one in a hundred run', async () => {
  const packageName = nextName();
  const older = [];
  for (const code of [1, 2, 3, 4, 5, 6]) older.push(await listed(packageName, code));
  const [rare, ...used] = older;
  if (!rare) throw new Error('none');
  await terminals(1, packageName, rare, []);
  for (const one of used) await terminals(30, packageName, one, []);
  const now = await listed(packageName, 7);
  await app.runJobs();
  const made = new Set((await rowsOf(now.id)).map(({ base }) => base));
  expect([...made].toSorted()).toEqual(used.map(({ versionCode: code }) => `${code}.0 (${code})`));
  for (const { id } of [...older, now]) await giveUp(id);
});

test('packages above 64 MB, which would stand unpacked in a terminal’s memory, come in the plain form alone', async () => {
  const { base, now } = await pair();
  await run(sql`update app_version set size = ${64 * 1024 ** 2 + 1} where id = ${base.id}`);
  expect(await start(now.id, [base.id])).toEqual({ started: 1 });
  expect(await rowsOf(now.id)).toMatchObject([{ form: 'image' }]);
  await giveUp(now.id);
});

test('a preview says of a subscriber’s terminals what they will get, and of an older key’s that a difference waits to be enabled', async () => {
  const [oldKey, newKey] = [await makeSigner({ name: 'Old' }), await makeSigner({ name: 'New' })];
  const packageName = nextName();
  const first = await listed(packageName, 1, { signers: [oldKey], minSdk: 28 });
  const last = await listed(packageName, 2, { signers: [newKey], rotatedFrom: [oldKey], minSdk: 28 });
  const [sn = ''] = await terminals(1, packageName, first, ['appDiff', 'appDiffEntries']);
  const [theirs = ''] = await terminals(1, packageName, first, ['appDiff', 'appDiffEntries'], other);
  await start(last.id, [first.id]);
  await all();
  const previewed = async (who: Client, of: string) =>
    (
      await who.call(softAppTaskCalls.preview, {
        scope: { releaseScope: '2', sns: [of] },
        content: { action: 'update', versionId: last.id },
      } as never)
    ).byVersion;
  expect(await previewed(developer, sn)).toMatchObject([{ version: '(1)', gets: 'full', idle: true }]);
  await outsider.call(appSubscriptionCalls.add, { appId: last.appId });
  // What waits for the owner to enable it is the owner's to know.
  expect(await previewed(outsider, theirs)).toMatchObject([{ gets: 'full', idle: false }]);
  const [entries] = await rowsOf(last.id);
  await developer.call(appDifferenceCalls.enable, { id: entries?.id ?? 0 });
  expect(await previewed(outsider, theirs)).toMatchObject([{ version: '(1)', gets: 'diff', bytes: entries?.size }]);
});

test('where files stay as they are, the plain form is worth it, and goes to who can apply that', async () => {
  const packageName = nextName();
  const library = randomBytes(200_000);
  const with_ = (menuOf: string) => ({ files: { 'assets/menu.txt': menu(menuOf), 'assets/library.bin': library } });
  const [base, now] = [await listed(packageName, 1, with_('a')), await listed(packageName, 2, with_('b'))];
  const [best = ''] = await terminals(1, packageName, base, ['appDiff', 'appDiffEntries']);
  const [plain = ''] = await terminals(1, packageName, base, ['appDiff']);
  await start(now.id, [base.id], true);
  await all();
  const [entries, image] = await rowsOf(now.id);
  expect([entries, image]).toMatchObject([{ state: 'enabled' }, { state: 'enabled' }]);
  await released(now.id, [best, plain]);
  expect(await offeredTo(best)).toMatchObject([{ kind: 'DI', size: entries?.size }]);
  expect(await offeredTo(plain)).toMatchObject([{ kind: 'DI', size: image?.size }]);
});

test('only from versions that were in the catalogue, of the same key or one it was rotated from, and older', async () => {
  const packageName = nextName();
  const [oldKey, newKey] = [await makeSigner({ name: 'Old' }), await makeSigner({ name: 'New' })];
  const first = await listed(packageName, 1, { signers: [oldKey] });
  const draft = await bring(app, developer, maker, { packageName, versionCode: 2, minSdk: 28, signers: [oldKey] });
  const rotated = await listed(packageName, 3, { signers: [newKey], rotatedFrom: [oldKey], minSdk: 28 });
  const last = await listed(packageName, 4, { signers: [newKey], rotatedFrom: [oldKey], minSdk: 28 });
  const bases = await developer.call(appDifferenceCalls.bases, { packageId: last.id });
  expect(bases.map(({ id }) => id)).toEqual([rotated.id, first.id]);
  for (const id of [draft.id, last.id])
    expect(await faultOf(developer.send(appDifferenceCalls.add, { packageId: last.id, baseIds: [id] }))).toBe('DIFFERENCE_BASE_WRONG');
  expect(await faultOf(developer.send(appDifferenceCalls.add, { packageId: draft.id, baseIds: [first.id] }))).toBe('APP_NOT_LISTED');
  // What another key signed with the same code is no base; what the rotation leads from is.
  await start(last.id, [first.id], true);
  await all();
  const [sn = ''] = await terminals(1, packageName, first, ['appDiffEntries', 'appDiff']);
  await released(last.id, [sn]);
  expect(await offeredTo(sn)).toMatchObject([{ kind: 'DI', base: '1' }]);
  await run(sql`update app_version set lineage = '{}' where id = ${last.id}`);
  expect((await developer.call(appDifferenceCalls.bases, { packageId: last.id })).map(({ id }) => id)).toEqual([rotated.id]);
});

test('two who ask at once: one is told, and one set of them is made; all in use at once leaves out what there is', async () => {
  const { packageName, base, now } = await pair();
  const ask = () => faultOf(developer.send(appDifferenceCalls.add, { packageId: now.id, baseIds: [base.id] }));
  expect((await Promise.all([ask(), ask()])).toSorted()).toEqual([200, 'DIFFERENCE_EXISTS']);
  expect(await rowsOf(now.id)).toHaveLength(2);
  expect(await faultOf(developer.send(appDifferenceCalls.addAll, { packageId: now.id }))).toBe('DIFFERENCE_NO_BASES');
  const next = await listed(packageName, 30);
  await terminals(1, packageName, now, []);
  expect(await developer.call(appDifferenceCalls.addAll, { packageId: next.id })).toEqual({ started: 2 });
  expect(new Set((await rowsOf(next.id)).map((row) => row.baseId))).toEqual(new Set([now.id]));
  for (const { id } of [now, next]) await giveUp(id);
});

test('a base that is damaged where it is stored is said so, and nothing comes of it', async () => {
  const { base, now } = await pair();
  await start(now.id, [base.id]);
  writeFileSync(join(app.dataDir, 'blobs', base.sha256.slice(0, 2), base.sha256), 'not the package');
  await all();
  expect(await rowsOf(now.id)).toMatchObject([
    { state: 'failed', reason: 'baseDamaged' },
    { state: 'failed', reason: 'baseDamaged' },
  ]);
});

test('a package of which nothing is packed again to the same bytes has the plain form alone, and it is said why', async () => {
  const { base, now } = await pair();
  await start(now.id, [base.id]);
  // As if a packer that isn’t zlib had made it: no archive at all.
  const other = randomBytes(now.size);
  const { sha256 } = await diskStore(join(app.dataDir, 'blobs')).put(Readable.from([other]));
  await run(sql`update app_version set sha256 = ${sha256} where id = ${now.id}`);
  await all();
  expect(await rowsOf(now.id)).toMatchObject([
    { form: 'entries', state: 'failed', reason: 'entriesOther' },
    { form: 'image', state: 'verified', worth: false },
  ]);
});

test('what is taken out of the catalogue is led to no more, and its differences go with their bytes', async () => {
  const { packageName, base, now } = await pair();
  await start(now.id, [base.id], true);
  await all();
  const [sn = ''] = await terminals(1, packageName, base, ['appDiff', 'appDiffEntries']);
  await developer.call(appVersionCalls.unpublish, { id: now.id });
  expect((await rowsOf(now.id))[0]).toMatchObject({ state: 'enabled' });
  expect(await faultOf(developer.send(appDifferenceCalls.addAll, { packageId: now.id }))).toBe('APP_NOT_LISTED');
  await developer.call(appVersionCalls.publish, { id: now.id });
  await settlePublished(app);
  await released(now.id, [sn]);
  expect(await offeredTo(sn)).toMatchObject([{ kind: 'DI' }]);
  const bytes = await run(
    sql<{ sha256: string }>`select sha256 from rollout_difference where app_version_id = ${now.id} and sha256 is not null`,
  );
  expect(bytes.length).toBeGreaterThan(0);
  await developer.call(appVersionCalls.delist, { id: now.id, comment: 'A flaw' });
  await app.runJobs();
  expect(await rowsOf(now.id)).toEqual([]);
  const named = await run(
    sql<{ n: number }>`select count(*)::int as n from file_file where sha256 = any(${bytes.map(({ sha256 }) => sha256)}::text[])`,
  );
  expect(named[0]?.n).toBe(0);
});

test('another organisation neither sees nor makes them, and a stranger’s id is none', async () => {
  const { base, now } = await pair();
  await start(now.id, [base.id]);
  const [row] = await rowsOf(now.id);
  // The version is in their catalogue; what its owner makes of it is not.
  expect(await rowsOf(now.id, outsider)).toEqual([]);
  for (const call of [appDifferenceCalls.bases, appDifferenceCalls.addAll])
    expect(await faultOf(outsider.send(call, { packageId: now.id }))).toBe('NOT_FOUND');
  expect(await faultOf(outsider.send(appDifferenceCalls.giveUp, { id: row?.id ?? 0 }))).toBe('NOT_FOUND');
  for (const packageId of [0, -1, 1.5, 999_999, 'x', null])
    expect(await faultOf(developer.send(appDifferenceCalls.add, { packageId, baseIds: [base.id] } as never)), String(packageId)).toMatch(
      /BAD_INPUT|NOT_FOUND/,
    );
  expect(await faultOf(developer.send(appDifferenceCalls.add, { packageId: now.id, baseIds: [] }))).toBe('BAD_INPUT');
});
