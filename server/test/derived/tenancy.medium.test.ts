import { deviceCalls } from '@mooring/contract/device/calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Db } from '../../src/platform/context.ts';
import { makeAbsence } from '../absence.ts';
import { makeAppDifference, makeAppRow, makeDeveloper, makeSdk, makeSubscription } from '../apps.ts';
import { entityOf } from '../entity-of.ts';
import {
  makeDevices,
  makeFile,
  makePackage,
  makeParamLevel,
  makeParamSet,
  makeParamTemplate,
  makeProduct,
  makeShown,
} from '../firmware.ts';
import { makeGroup, makeNotice, makeView } from '../named-rows.ts';
import { makeOrderRow } from '../orders.ts';
import { makeAlarm, makeMaintenance, makePlaces } from '../places.ts';
import { makeIotRows, makeShipments, makeSyncRows } from '../shipments.ts';
import { makeSigningRows } from '../signing.ts';
import { type Client, type TestApp, testApp } from '../test-app.ts';

let app: TestApp;
let mine: Client;
let theirs: Client;
/** Ids of the other organisation's rows, by the entity that they are. */
const foreign: Record<string, number> = {};
const THEIRS = 'THEIRS';

/** The other organisation's package, task and result once more for every kind of release. */
async function makeEachKind(db: Db, path: string): Promise<void> {
  const { firmwarePackage = 0, task = 0, result = 0 } = foreign;
  for (const { kind, paths } of releaseKinds) {
    const package_ = await sql<{ id: number }>`
      insert into rollout_package (product_id, content, name, version, kind, file_id, file_name, size, sha256, md5, publish_state, dept_id, dept_path, created_by, created_by_name)
      select product_id, ${kind}, ${THEIRS}, version, kind, file_id, file_name, size, sha256, md5, publish_state, dept_id, dept_path, created_by, created_by_name
      from rollout_package where id = ${firmwarePackage} returning id`.execute(db);
    const packageId = package_.rows[0]?.id ?? 0;
    const sends = paths.packages ? sql`${packageId}::bigint, null::jsonb` : sql`null::bigint, '{}'::jsonb`;
    const copy = await sql<{ id: number }>`
      insert into rollout_task (kind, name, package_id, content, product_id, release_scope, scope, delivery, dept_id, dept_path, created_by, created_by_name)
      select ${kind}, name, ${sends}, product_id, release_scope, scope, delivery, dept_id, dept_path, created_by, created_by_name from rollout_task where id = ${task} returning id`.execute(
      db,
    );
    const of = await sql<{ id: number }>`
      insert into rollout_result (task_id, kind, device_id, sn, ring, state, next_at, tries_left, dept_path)
      select ${copy.rows[0]?.id ?? 0}, ${kind}, device_id, sn, 1, '4', now(), 0, ${path} from rollout_result where id = ${result} returning id`.execute(
      db,
    );
    const difference = await sql<{ id: number }>`
      insert into rollout_difference (content, package_id, base_id, dept_id, dept_path, created_by, created_by_name)
      select ${kind}, ${packageId}::bigint, id, dept_id, dept_path, created_by, ${THEIRS} from rollout_package where id = ${firmwarePackage} returning id`.execute(
      db,
    );
    const drift = await sql<{ id: number }>`
      insert into rollout_wanted (device_id, kind, part, task_id, owner_dept_id, version, settled, at, sent_at, found, since, dept_path)
      select device_id, ${kind}, ${THEIRS}, ${copy.rows[0]?.id ?? 0}, 0, 'x', true, now(), now(), 'y', now(), ${path} from rollout_result where id = ${result} returning id`.execute(
      db,
    );
    foreign[`drift:${kind}`] = drift.rows[0]?.id ?? 0;
    foreign[`difference:${kind}`] = difference.rows[0]?.id ?? 0;
    foreign[`package:${kind}`] = packageId;
    foreign[`task:${kind}`] = copy.rows[0]?.id ?? 0;
    foreign[`result:${kind}`] = of.rows[0]?.id ?? 0;
  }
}
beforeAll(async () => {
  app = await testApp();
  const [a, b] = [await app.dept('Bank A'), await app.dept('Bank B')];
  mine = await app.person('orgManager', a);
  theirs = await app.person('orgManager', b);
  foreign.dept = b.id;
  foreign.product = await makeProduct(app, b, THEIRS);
  const productId = await makeProduct(app, app.root);
  foreign.firmwarePackage = await makePackage(app, theirs, b, productId, `9.0-${THEIRS}`);
  [foreign.device = 0] = await makeDevices(app, b, productId, [`${THEIRS}1`]);
  foreign.file = await makeFile(app, theirs, b);
  for (const part of ['advert', 'customization', 'desktop'] as const)
    foreign[part] = await makeShown(app, b, `desktop_${part}`, `${THEIRS} ${part}`);
  foreign.paramSet = await makeParamSet(app, b, THEIRS);
  foreign.paramTemplate = await makeParamTemplate(app, b, THEIRS);
  foreign.paramLevel = await makeParamLevel(app, b, foreign.paramTemplate ?? 0);
  Object.assign(foreign, await makePlaces(app, b, THEIRS));
  Object.assign(foreign, await makeShipments(app, b, productId, THEIRS));
  Object.assign(foreign, await makeSyncRows(app, b, THEIRS));
  Object.assign(foreign, await makeIotRows(app, b, THEIRS));
  Object.assign(foreign, await makeNotice(app, b, theirs.userId, THEIRS));
  Object.assign(foreign, await makeAppRow(app, b, THEIRS));
  foreign.developer = await makeDeveloper(app, b, THEIRS);
  foreign.sdk = await makeSdk(app, b, productId, THEIRS);
  foreign.appSubscription = await makeSubscription(app, b, THEIRS);
  Object.assign(foreign, await makeSigningRows(app, b, THEIRS));
  foreign.order = await makeOrderRow(app, b, foreign.device, `${THEIRS}1`);
  foreign.maintenance = await makeMaintenance(app, b, foreign.device, `${THEIRS}1`);
  Object.assign(foreign, await makeAlarm(app, b, foreign.device, THEIRS));
  foreign.hardwareTest = (await theirs.call(hardwareTestCalls.add, { deviceIds: [foreign.device] })).id;
  const task = await theirs.call(taskCalls.add, {
    name: `${THEIRS} task`,
    packageId: foreign.firmwarePackage,
    scope: { releaseScope: '0' },
  });
  foreign.task = task.id;
  await theirs.call(deviceCalls.command, { of: { ids: [foreign.device] }, command: { kind: 'reboot', params: {} } });
  await app.context.unscoped(async (db) => {
    const { id: resultId } = await db
      .insertInto('rollout_result')
      .values({
        task_id: task.id,
        kind: 'firmware',
        device_id: foreign.device ?? 0,
        sn: `${THEIRS}1`,
        ring: 1,
        state: '4',
        next_at: new Date(),
        tries_left: 0,
        dept_path: b.path,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    foreign.result = resultId;
    await makeEachKind(db, b.path);
    foreign['difference:softApp'] = await makeAppDifference(db, foreign.appVersion ?? 0, THEIRS);
    const paramFile = {
      set_id: foreign.paramSet ?? 0,
      device_id: foreign.device ?? 0,
      sn: `${THEIRS}1`,
      file_name: THEIRS,
      size: 1,
      sha256: 'x',
      dept_path: b.path,
    };
    foreign.paramFile = (await db.insertInto('paramfile_file').values(paramFile).returning('id').executeTakeFirstOrThrow()).id;
    foreign.user = theirs.userId;
    foreign.review = (
      await db.selectFrom('access_grant_review').select('id').where('user_id', '=', theirs.userId).executeTakeFirstOrThrow()
    ).id;
    const role = { name: THEIRS, type: '2', platforms: ['centre'], menus: ['device'], dept_id: b.id, dept_path: b.path };
    foreign.role = (await db.insertInto('access_role').values(role).returning('id').executeTakeFirstOrThrow()).id;
    const invite = {
      code_hash: Buffer.from(THEIRS),
      email: `${THEIRS}@example.com`,
      user_type: '2',
      role_ids: [],
      dept_id: b.id,
      dept_path: b.path,
      invited_by: theirs.userId,
      invited_by_name: THEIRS,
      expires_at: new Date(Date.now() + 1e9),
    };
    foreign.invite = (await db.insertInto('account_invite').values(invite).returning('id').executeTakeFirstOrThrow()).id;
    const trust = {
      pair: THEIRS,
      side: 'giver',
      dept_id: b.id,
      trustee_id: 2,
      until: new Date(Date.now() + 1e9),
      given_by: THEIRS,
      dept_path: b.path,
    };
    foreign.trust = (await db.insertInto('org_trust').values(trust).returning('id').executeTakeFirstOrThrow()).id;
    foreign.absence = await makeAbsence(db, theirs.userId, mine.userId, b.path);
    foreign.session = (await db.selectFrom('auth_session').select('id').where('user_id', '=', theirs.userId).executeTakeFirstOrThrow()).id;
    const passkey = { user_id: theirs.userId, credential_id: THEIRS, public_key: Buffer.alloc(1), name: THEIRS };
    foreign.passkey = (await db.insertInto('account_passkey').values(passkey).returning('id').executeTakeFirstOrThrow()).id;
    const command = await db.selectFrom('gateway_outbox').select('id').executeTakeFirstOrThrow();
    foreign.command = command.id;
    const pending = await db
      .insertInto('device_pending')
      .values({ sn: `${THEIRS}9`, key_hash: 'x', product_code: THEIRS, ip: '127.0.0.1', dept_path: b.path })
      .returning('id')
      .executeTakeFirstOrThrow();
    foreign.pending = pending.id;
    const code = await db
      .insertInto('device_enrol_code')
      .values({ code_hash: 'x', hint: THEIRS, dept_id: b.id, dept_path: b.path, max_uses: 1, expires_at: new Date(Date.now() + 1e9) })
      .returning('id')
      .executeTakeFirstOrThrow();
    foreign.code = code.id;
    const rule = await db
      .insertInto('device_enrol_rule')
      .values({ name: THEIRS, dept_id: b.id, dept_path: b.path, only_expected: false, enabled: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    foreign.rule = rule.id;
    const blackout = await db
      .insertInto('release_blackout')
      .values({ name: THEIRS, from_day: '2026-01-01', to_day: '2026-01-02', dept_id: b.id, dept_path: b.path })
      .returning('id')
      .executeTakeFirstOrThrow();
    foreign.blackout = blackout.id;
    foreign.savedView = await makeView(db, b, theirs.userId, THEIRS);
    foreign.deviceGroup = await makeGroup(db, b, THEIRS);
    const model = { product_id: foreign.product ?? 0, version: 1, model: '{}', note: THEIRS, created_by: THEIRS, dept_path: b.path };
    foreign.thingModel = (await db.insertInto('product_model').values(model).returning('id').executeTakeFirstOrThrow()).id;
    const factory = await db
      .insertInto('device_factory')
      .values({
        name: THEIRS,
        certificate: 'x',
        fingerprint: 'x',
        subject: THEIRS,
        expires_at: new Date(Date.now() + 1e9),
        dept_id: b.id,
        dept_path: b.path,
        enabled: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    foreign.factory = factory.id;
  });
});
afterAll(() => app.stop());

const shapeOf = (call: Call) => (call.input as unknown as { shape?: Record<string, z.ZodType> }).shape ?? {};
const held = async () => new Set((await mine.call(userInfo)).permissions);
const userInfo = allCalls.find((call) => call.path === '/sys/user/info') as unknown as Call<
  z.ZodType,
  z.ZodType<{ permissions: string[] }>
>;

const named = allCalls.filter((call) => call.wire === 'json' && call.can !== 'public' && 'id' in shapeOf(call));
const lists = allCalls.filter((call) => call.wire === 'json' && call.can !== 'public' && call.reads);

describe('another organisation', () => {
  test('each call that takes an id is known here', () => {
    expect(named.filter((call) => entityOf(call) === undefined).map((call) => call.path)).toEqual([]);
  });

  test.each(named.map((call) => [call.path, call] as const))('%s does not reach its rows by id', async (_path, call) => {
    if (!isAllowed(await held(), call.can)) return;
    const id = foreign[entityOf(call) ?? ''];
    const asked = Object.keys(shapeOf(call)).length === 1 ? { id } : nearlyValid(call, id ?? 0);
    const { code, body } = await mine.send(call, asked);
    // A read that answers a list may answer an empty one; anything else is not there.
    if (code === 200) expect(JSON.stringify(body)).not.toContain(THEIRS);
    else expect([400, 404]).toContain(code);
    if (!call.reads) expect(code).not.toBe(200);
  });

  test('bulk acts on its rows do nothing', async () => {
    for (const call of allCalls.filter((one) => 'of' in shapeOf(one))) {
      const id = foreign[entityOf(call) ?? ''] ?? 0;
      const { code, body } = await mine.send(call, { ...nearlyValid(call, id), of: { ids: [id] } });
      if (code === 200) expect([call.path, (body as unknown as { done: number }).done]).toEqual([call.path, 0]);
      else expect([400, 403, 404]).toContain(code);
    }
    expect((await theirs.call(deviceCalls.detail, { id: foreign.device ?? 0 })).status).toBe('3');
  });

  test('ids of its rows in an input are not found', async () => {
    expect((await mine.send(deviceCalls.add, { sn: 'NEW12345', productId: foreign.product, deptId: foreign.dept })).code).toBe(404);
    expect((await mine.send(taskCalls.add, { name: 'x', packageId: foreign.firmwarePackage, scope: { releaseScope: '0' } })).code).toBe(
      404,
    );
    expect(
      (await mine.send(taskCalls.preview, { packageId: foreign.firmwarePackage, scope: { releaseScope: '1', deptIds: [foreign.dept] } }))
        .code,
    ).toBe(404);
  });

  test('no list shows its rows', async () => {
    for (const call of lists)
      expect([call.path, JSON.stringify((await mine.send(call, listInput(call))).body ?? null).includes(THEIRS)]).toEqual([
        call.path,
        false,
      ]);
  });
});

test('these tests fail when a policy is missing', async () => {
  const client = await app.context.pools.owner.connect();
  try {
    // The list joins the department too: two policies stand before a foreign row.
    await client.query('alter table device disable row level security; alter table org_dept disable row level security');
    expect(JSON.stringify(await mine.call(deviceCalls.page, {}))).toContain(THEIRS);
    expect((await mine.send(deviceCalls.detail, { id: foreign.device })).code).toBe(200);
  } finally {
    await client.query('alter table device enable row level security; alter table org_dept enable row level security');
    client.release();
  }
  expect(JSON.stringify(await mine.call(deviceCalls.page, {}))).not.toContain(THEIRS);
});

function nearlyValid(call: Call, id: number): Record<string, unknown> {
  const full: Record<string, unknown> = {
    id,
    name: 'x',
    values: {},
    version: '1.0',
    packageId: foreign.firmwarePackage,
    scope: { releaseScope: '0' },
    command: { kind: 'reboot', params: {} },
    deptId: foreign.dept,
    productId: foreign.product,
    category: 'smartPos',
    userName: 'x',
    account: 'xyz',
    roleIds: [foreign.role],
    menus: ['device'],
    reason: 'x',
    number: 'x',
    merchantId: foreign.merchant,
    at: new Date().toISOString(),
    signedBy: 'x',
    diagnosis: 'x',
    workDone: 'x',
    total: 0,
    fault: 'x',
    partnerId: foreign.dept,
    soldAt: '2026-01-01',
    toId: foreign.dept,
    parentId: foreign.dept,
    into: foreign.dept,
  };
  return Object.fromEntries(
    Object.keys(shapeOf(call))
      .filter((key) => key in full)
      .map((key) => [key, full[key]]),
  );
}
function listInput(call: Call): unknown {
  const shape = shapeOf(call);
  const kind = releaseKinds.find(({ paths }) => call.path === `${paths.results}/page`);
  if (kind) return { criteria: { taskId: foreign[`task:${kind.kind}`] } };
  if (call.path === '/device/commands') return { criteria: { deviceId: foreign.device } };
  if ('deviceId' in shape) return { deviceId: foreign.device };
  if ('id' in shape) return { id: foreign[entityOf(call) ?? ''] };
  if ('menuType' in shape) return { menuType: 'centre' };
  return {};
}
