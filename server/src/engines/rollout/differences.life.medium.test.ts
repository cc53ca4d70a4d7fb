import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { differenceCalls, packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { moduleDifferenceCalls, modulePackageCalls } from '@mooring/contract/module/calls';
import { patchDifferenceCalls, patchPackageCalls } from '@mooring/contract/patch/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeFile, makePackage, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { addDept, type DeptAt } from '../../modules/org/api.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import { carryOutNext } from './differences/carry-out.ts';
import { takeNext } from './differences/lease.ts';
import { differencesIn } from './differences.factory.ts';
import { rolloutsOf } from './release.factory.ts';
import { round } from './tick.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

let made = 1;
const never = new AbortController().signal;
const { bytes: keeping, next, all, listed, shaOf, pair, added } = differencesIn(() => ({ app, admin }));
const blobOf = (sha256: string) => join(app.dataDir, 'blobs', sha256.slice(0, 2), sha256);
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
interface Offered {
  readonly package: { readonly kind: string; readonly sha256: string; readonly base: string | null; readonly fullSha256?: string };
}
const offersTo = async (sn: string) =>
  (
    await app.context.unscoped((db) =>
      sql<{ data: Offered }>`select data from gateway_outbox where topic = 'offer' and sn = ${sn} order by id`.execute(db),
    )
  ).rows.map((row) => row.data.package);
async function release(packageId: number, sns: string[]) {
  const task = await admin.call(taskCalls.add, { name: 'Release', packageId, scope: { releaseScope: '2', sns } });
  await admin.call(taskCalls.submit, { id: task.id });
  await admin.call(taskCalls.enable, { id: task.id });
  for (let turns = 0; turns < 50 && (await round(app.context, rolloutsOf(app))); turns += 1);
  return task.id;
}

test('one organisation’s many differences keep another’s waiting no longer than one, its units below counting as one', async () => {
  const rival = await app.dept('Rival');
  const below = await app.dept('Rival North', rival);
  const of = await pair();
  const wait = async (dept: DeptAt) => {
    const baseId = await makePackage(app, admin, app.root, of.productId, `1.${made}`, randomBytes(10));
    made += 1;
    await admin.call(differenceCalls.add, { packageId: of.packageId, baseIds: [baseId] });
    const { rows } = await app.context.unscoped((db) =>
      sql<{
        id: number;
      }>`update rollout_difference set dept_id = ${dept.id}, dept_path = ${dept.path} where base_id = ${baseId} returning id`.execute(db),
    );
    return rows[0]?.id ?? 0;
  };
  const line = { id: 2, path: '1.2.' };
  const unit = (name: string) => app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name, parent: line }));
  const units = [await unit('North'), await unit('South')];
  const many: number[] = [];
  for (const dept of [rival, rival, below, below]) many.push(await wait(dept));
  const ofLine: number[] = [];
  for (const dept of [line as DeptAt, ...units]) ofLine.push(await wait(dept));
  const one = [await wait(owner), await wait(owner)];
  const root = await wait(app.root);
  const taken: (number | undefined)[] = [];
  for (let at = 0; at < 10; at += 1) {
    const row = await takeNext(app.context, `turn ${at}`);
    taken.push(row?.id);
    await app.context.unscoped((db) =>
      sql`update rollout_difference set state = 'givenUp', lease = null, lease_until = null where id = ${row?.id ?? 0}`.execute(db),
    );
  }
  expect(taken).toEqual([many[0], ofLine[0], one[0], root, many[1], ofLine[1], one[1], many[2], ofLine[2], many[3]]);
});

test('a difference is asked for, made, verified and enabled, and only then terminals on its base get it', async () => {
  const of = await pair();
  await makeDevices(app, owner, of.productId, ['LIFE-0001', 'LIFE-0002']);
  await makeDevices(app, owner, of.productId, ['LIFE-0003'], '0.9');
  expect(await admin.call(differenceCalls.bases, { packageId: of.packageId })).toMatchObject([{ version: '1.0', devices: 2, made: false }]);
  const asked = await added(of);
  expect(asked).toMatchObject({ base: '1.0', state: 'generating', verification: '0', size: null, devices: 2, worth: null });
  expect((await admin.send(differenceCalls.enable, { id: asked.id })).body).toMatchObject({ fault: 'OVERTAKEN' });
  await all();
  const [made] = await listed(of.packageId);
  expect(made).toMatchObject({ state: 'verified', verification: '1', percent: 100, worth: true, framed: false, fullSize: 200_000 });
  expect(made?.size).toBeLessThan(20_000);
  expect(made?.savedPercent).toBeGreaterThan(90);
  expect(made?.allowedActions.sort()).toEqual(['delete', 'enable', 'recheck', 'regenerate']);

  await release(of.packageId, ['LIFE-0001']);
  expect(await offersTo('LIFE-0001')).toMatchObject([{ kind: 'TA' }]);
  expect(await admin.call(differenceCalls.enable, { id: asked.id })).toMatchObject({
    state: 'enabled',
    allowedActions: ['disable', 'recheck'],
  });
  await release(of.packageId, ['LIFE-0002', 'LIFE-0003']);
  const sha256 = await shaOf(asked.id);
  expect(await offersTo('LIFE-0002')).toMatchObject([{ kind: 'DI', base: '1.0', sha256, fullSha256: digest(of.full) }]);
  expect(await offersTo('LIFE-0003')).toMatchObject([{ kind: 'TA', sha256: digest(of.full) }]);
  expect((await admin.send(differenceCalls.delete, { id: asked.id })).body).toMatchObject({ fault: 'DIFFERENCE_ENABLED' });
  await admin.call(differenceCalls.disable, { id: asked.id });
  await admin.call(differenceCalls.delete, { id: asked.id });
  expect(existsSync(blobOf(sha256 ?? ''))).toBe(true);
  await app.runJobs();
  expect(existsSync(blobOf(sha256 ?? ''))).toBe(false);
  expect(await listed(of.packageId)).toEqual([]);
});

test('a base that is damaged or gone fails with its reason, and it can be made again', async () => {
  const of = await pair();
  const path = blobOf(digest(of.old));
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.concat([bytes.subarray(1), Buffer.from([1])]));
  const { id } = await added(of);
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'failed', reason: 'baseDamaged', verification: '0' });
  writeFileSync(path, bytes);
  expect(await admin.call(differenceCalls.regenerate, { id })).toMatchObject({ state: 'generating', reason: null });
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'verified' });
  // What was stored of it is tried, not what was in memory.
  await app.context.unscoped((db) => sql`update rollout_difference set state = 'made' where id = ${id}`.execute(db));
  writeFileSync(blobOf((await shaOf(id)) ?? ''), randomBytes(100));
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'verifyFailed', verification: '2', reason: 'resultWrong' });
});

test('one in use is verified again by hand, and goes back into use, or out of it with its reason', async () => {
  const of = await pair();
  const { id } = await added(of);
  await all();
  await admin.call(differenceCalls.enable, { id });
  const again = await admin.call(differenceCalls.recheck, { id });
  expect(again).toMatchObject({ state: 'made', verification: '0', enableAtOnce: true, allowedActions: ['giveUp', 'delete'] });
  expect((await admin.send(differenceCalls.recheck, { id })).body?.fault).toBe('OVERTAKEN');
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'enabled', verification: '1' });
  const path = blobOf((await shaOf(id)) ?? '');
  const sound = readFileSync(path);
  writeFileSync(path, randomBytes(100));
  await admin.call(differenceCalls.recheck, { id });
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'verifyFailed', verification: '2', reason: 'resultWrong' });
  writeFileSync(path, sound);
  expect(await admin.call(differenceCalls.recheck, { id })).toMatchObject({ state: 'made', reason: null, enableAtOnce: false });
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'verified', verification: '1' });
});

test('one in use that is verified again goes back into use by the rights of who had it verified', async () => {
  const of = await pair();
  const { id } = await added(of);
  await all();
  await admin.call(differenceCalls.enable, { id });
  const other = await app.person('platformAdmin', app.root);
  await other.call(differenceCalls.recheck, { id });
  await app.context.unscoped((db) => sql`delete from access_user_role where user_id = ${other.userId}`.execute(db));
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'verified', verification: '1' });
});

test('a server that is killed or stopped in between leaves it to the next one, and nothing behind', async () => {
  const of = await pair();
  const { id } = await added(of);
  // Killed: it holds the lease, and its files stay.
  expect(await takeNext(app.context, 'killed')).toMatchObject({ id });
  expect(await next()).toBe(false);
  app.clock.now = new Date(app.clock.now.getTime() + 31_000);
  // Stopped: the lease is given back at once.
  const stopping = new AbortController();
  stopping.abort();
  await next(stopping.signal);
  expect((await listed(of.packageId))[0]?.state).toBe('generating');
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'verified' });
  expect(readdirSync(join(app.dataDir, 'differences'))).toEqual([]);
  // What ends its server again and again is given up.
  await admin.call(differenceCalls.regenerate, { id });
  for (const _time of [1, 2, 3]) {
    await takeNext(app.context, 'killed');
    app.clock.now = new Date(app.clock.now.getTime() + 31_000);
  }
  await all();
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'failed', reason: 'broken' });
});

test('given up while it is made: the process ends and nothing is stored', async () => {
  const of = await pair();
  const { id } = await added(of);
  const running = next();
  await expect
    .poll(
      async () =>
        (await app.context.unscoped((db) => db.selectFrom('rollout_difference').select('lease').where('id', '=', id).executeTakeFirst()))
          ?.lease,
    )
    .not.toBeNull();
  await admin.call(differenceCalls.giveUp, { id });
  await running;
  expect((await listed(of.packageId))[0]).toMatchObject({ state: 'givenUp', size: null });
  await app.runJobs();
  expect(await shaOf(id)).toBeNull();
});

test('the same pair twice, two people at once, and what is no base are refused', async () => {
  const of = await pair();
  const other = await pair();
  const input = { packageId: of.packageId, baseIds: [of.baseId] };
  const both = await Promise.all([admin.send(differenceCalls.add, input), admin.send(differenceCalls.add, input)]);
  expect(both.map((one) => one.code).sort()).toEqual([200, 400]);
  expect(both.find((one) => one.code === 400)?.body).toMatchObject({ fault: 'DIFFERENCE_EXISTS' });
  for (const baseIds of [[of.packageId], [other.baseId], [of.baseId, other.baseId]])
    expect((await admin.send(differenceCalls.add, { packageId: of.packageId, baseIds })).body).toMatchObject({
      fault: 'DIFFERENCE_BASE_WRONG',
    });
  expect((await admin.send(differenceCalls.add, { packageId: of.packageId, baseIds: [999_999] })).code).toBe(404);
  // The newer one is no base of the older one.
  expect((await admin.send(differenceCalls.add, { packageId: of.baseId, baseIds: [of.packageId] })).body).toMatchObject({
    fault: 'DIFFERENCE_BASE_WRONG',
  });
  await all();
  const [row] = await listed(of.packageId);
  const enabled = await Promise.all([1, 2].map(() => admin.send(differenceCalls.enable, { id: row?.id })));
  expect(enabled.map((one) => one.code).sort()).toEqual([200, 409]);
});

test('all versions in use get one each, once', async () => {
  const of = await pair();
  await makePackage(app, admin, app.root, of.productId, '1.5', randomBytes(1000));
  await makePackage(app, admin, app.root, of.productId, '1.8', randomBytes(1000));
  await makeDevices(app, owner, of.productId, ['USED-0001']);
  await makeDevices(app, owner, of.productId, ['USED-0002'], '1.8');
  expect(await admin.call(differenceCalls.addAll, { packageId: of.packageId })).toEqual({ started: 2 });
  expect((await listed(of.packageId)).map((row) => row.base).sort()).toEqual(['1.0', '1.8']);
  expect((await admin.send(differenceCalls.addAll, { packageId: of.packageId })).body).toMatchObject({ fault: 'DIFFERENCE_NO_BASES' });
});

test('a withdrawn version is sent in no way; a base that is deleted takes its differences along', async () => {
  const of = await pair();
  const { id } = await added(of);
  await all();
  await admin.call(differenceCalls.enable, { id });
  const sha256 = (await shaOf(id)) ?? '';
  await admin.call(packageCalls.unpublish, { id: of.packageId });
  expect((await admin.send(differenceCalls.regenerate, { id })).code).not.toBe(200);
  const again = await pair();
  expect((await admin.send(differenceCalls.add, { packageId: of.packageId, baseIds: [of.baseId] })).body).toMatchObject({
    fault: 'PACKAGE_NOT_PUBLISHED',
  });
  await admin.call(packageCalls.unpublish, { id: of.baseId });
  await admin.call(packageCalls.delete, { id: of.baseId });
  expect(await listed(of.packageId)).toEqual([]);
  await app.runJobs();
  expect(existsSync(blobOf(sha256))).toBe(false);
  expect(existsSync(blobOf(digest(again.old)))).toBe(true);
});

test('a base that is taken into a release at the same moment stays, and so do its differences', async () => {
  const of = await pair();
  await added(of);
  await all();
  await admin.call(packageCalls.unpublish, { id: of.baseId });
  const task = { name: 'Beside', packageId: of.packageId, scope: { releaseScope: '0' as const } };
  const { owner: pool } = app.context.pools;
  const other = await pool.connect();
  const waits = () => {
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    return expect.poll(async () => (await pool.query(waiting)).rowCount).toBeGreaterThan(0);
  };
  const set = "hashtextextended('set:package:' || $1::text, 0)";
  try {
    // Who writes a release shares the set of its package's releases …
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock(${set})`, [of.packageId]);
    const adding = admin.call(taskCalls.add, task);
    await waits();
    await other.query('commit');
    const { id } = await adding;
    // … and who deletes the package waits until it is written.
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock_shared(${set})`, [of.baseId]);
    await other.query('update rollout_task set package_id = $1 where id = $2', [of.baseId, id]);
    const deleting = admin.send(packageCalls.delete, { id: of.baseId });
    await waits();
    await other.query('commit');
    expect((await deleting).body).toMatchObject({ fault: 'PACKAGE_IN_USE' });
  } finally {
    other.release();
  }
  expect(await listed(of.packageId)).toHaveLength(1);
});

test('no space is a reason, and leaves nothing half stored', async () => {
  const of = await pair();
  const { id } = await added(of);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const store = { ...diskStore(join(app.dataDir, 'blobs')), put: () => Promise.reject(full) };
  await carryOutNext(
    app.context,
    { ...keeping(), store },
    rolloutsOf(app).kinds.flatMap(({ differences }) => differences ?? []),
    never,
  );
  expect((await listed(of.packageId))[0]).toMatchObject({ id, state: 'failed', reason: 'noSpace' });
  expect(readdirSync(join(app.dataDir, 'differences'))).toEqual([]);

  // Asked before anything is copied.
  const huge = await pair();
  await added(huge);
  await app.context.unscoped((db) => sql`update rollout_package set size = ${10 ** 15} where id = ${huge.packageId}`.execute(db));
  await next();
  expect((await listed(huge.packageId))[0]).toMatchObject({ state: 'failed', reason: 'noSpace' });
});

test('of large images only terminals that know frames get the difference', async () => {
  const of = await pair();
  const { id } = await added(of);
  await all();
  await admin.call(differenceCalls.enable, { id });
  await app.context.unscoped((db) => sql`update rollout_difference set frames = 2 where id = ${id}`.execute(db));
  await makeDevices(app, owner, of.productId, ['FRAM-0001', 'FRAM-0002']);
  await app.context.unscoped((db) => sql`update device set capabilities = '{diffFrames}' where sn = 'FRAM-0002'`.execute(db));
  await release(of.packageId, ['FRAM-0001', 'FRAM-0002']);
  expect(await offersTo('FRAM-0001')).toMatchObject([{ kind: 'TA' }]);
  expect(await offersTo('FRAM-0002')).toMatchObject([{ kind: 'DI' }]);
});

test('an organisation below sees differences and changes none; others see nothing', async () => {
  const of = await pair();
  const { id } = await added(of);
  const below = await app.person('orgManager', owner);
  expect((await below.call(differenceCalls.page, { criteria: { packageId: of.packageId } })).content).toMatchObject([
    { allowedActions: [] },
  ]);
  expect((await below.send(differenceCalls.giveUp, { id })).code).not.toBe(200);
  expect((await below.send(differenceCalls.addAll, { packageId: of.packageId })).code).not.toBe(200);
});

test('a module and a patch have theirs as firmware has; terminals are counted by what they run of it', async () => {
  const productId = await makeProduct(app, app.root);
  const [deviceId = 0] = await makeDevices(app, owner, productId, ['PART-0001']);
  await app.context.unscoped((db) =>
    sql`update device set modules = '{"sp": "1.0"}', patch = '2026-01' where id = ${deviceId}`.execute(db),
  );
  const old = randomBytes(50_000);
  const versions = [old, Buffer.concat([old.subarray(0, 49_000), randomBytes(1000)])];
  for (const { packages, differences, own, names, type } of [
    { packages: modulePackageCalls, differences: moduleDifferenceCalls, own: { name: 'sp' }, names: ['1.0', '2.0'], type: '6' },
    { packages: patchPackageCalls, differences: patchDifferenceCalls, own: {}, names: ['2026-01', '2026-02'], type: '5' },
  ]) {
    let packageId = 0;
    for (const [at, version] of names.entries()) {
      const fileId = await makeFile(app, admin, app.root, versions[at]);
      await app.context.unscoped((db) => sql`update file_file set kind = ${type} where id = ${fileId}`.execute(db));
      packageId = (await admin.call(packages.add as typeof packageCalls.add, { productId, version, fileId, publish: true, ...own })).id;
      await settlePublished(app);
    }
    expect(await admin.call(differences.addAll, { packageId })).toEqual({ started: 1 });
    await all();
    expect((await admin.call(differences.page, { criteria: { packageId } })).content).toMatchObject([
      { state: 'verified', devices: 1, worth: true },
    ]);
  }
});
