import { deviceCalls } from '@mooring/contract/device/calls';
import { regCalls } from '@mooring/contract/device/reg-calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { productCalls } from '@mooring/contract/product/calls';
import { productCategoryCalls } from '@mooring/contract/product/category-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginAgain } from '../../../test/begin-again.ts';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import type { DeptAt } from '../org/api.ts';
import { foldTally } from './fold-tally.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let rival: DeptAt;
let admin: Client;
let banker: Client;
let productId: number;
const page = (number = 1, size = 10) => ({ number, size });

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Harbour Bank');
  branch = await app.dept('Harbour Bank North', bank);
  rival = await app.dept('Meridian Payments');
  admin = await app.person('platformAdmin', app.root);
  banker = await app.person('orgManager', bank);
  productId = await makeProduct(app, { id: 2, path: '1.2.' });
});
afterAll(() => app.stop());

test('a device is added, found by a part of its SN or name, changed and deleted, and comes back', async () => {
  const added = await admin.call(deviceCalls.add, {
    sn: 'abc-0001',
    name: 'Till at the gate',
    productId,
    deptId: branch.id,
    tags: ['vip'],
  });
  expect(added).toMatchObject({ sn: 'ABC-0001', status: '1', deptName: 'Harbour Bank North', lockStatus: '00', tags: ['vip'] });
  for (const text of ['c-00', 'THE GATE', 'abc-0001']) {
    expect((await banker.call(deviceCalls.page, { criteria: { text }, page: page() })).content.map((row) => row.sn)).toEqual(['ABC-0001']);
  }
  expect((await banker.call(deviceCalls.page, { criteria: { tag: 'vip' } })).total).toBe(1);
  expect((await banker.call(deviceCalls.page, { criteria: { text: '%' } })).total).toBe(0);
  const changed = await admin.call(deviceCalls.update, { id: added.id, name: 'Till 1', tags: ['a', 'a'], remark: 'moved' });
  expect(changed).toMatchObject({ name: 'Till 1', tags: ['a'] });
  expect((await admin.call(deviceCalls.delete, { of: { ids: [added.id] } })).done).toBe(1);
  expect((await admin.call(deviceCalls.page, { criteria: { sn: 'ABC-0001' } })).total).toBe(0);
  expect((await admin.call(deviceCalls.page, { criteria: { deleted: true } })).content[0]?.allowedActions).toEqual(['restore']);
  await admin.call(deviceCalls.restore, { id: added.id });
  // Together they come back as together they went; what isn't deleted is refused.
  const both = { of: { ids: [added.id] } };
  expect((await admin.call(deviceCalls.delete, both)).done).toBe(1);
  expect(await admin.call(deviceCalls.restoreMany, { ...both, preview: true })).toMatchObject({ total: 1, refused: 0 });
  expect(await admin.call(deviceCalls.restoreMany, both)).toMatchObject({ done: 1, refused: 0 });
  expect(await admin.call(deviceCalls.restoreMany, both)).toMatchObject({ done: 0, refused: 1 });
  const names = (await admin.call(deviceCalls.timeline, { id: added.id })).content.map((entry) => entry.name);
  expect(names).toEqual(['created']);
});

test('a SN is unique in the installation, and the answer says no more', async () => {
  await admin.call(deviceCalls.add, { sn: 'RIVAL-01', productId, deptId: rival.id });
  const answer = await admin.send(deviceCalls.add, { sn: 'RIVAL-01', productId, deptId: bank.id });
  expect(answer).toMatchObject({ code: 400, body: { fault: 'SN_TAKEN', fields: { sn: { key: 'fault.SN_TAKEN' } } } });
  expect((await admin.send(deviceCalls.add, { sn: 'no spaces', productId, deptId: bank.id })).body?.fields).toHaveProperty('sn');
});

test('another organisation’s device is not there: in lists, by id, in bulk', async () => {
  const [foreign] = await makeDevices(app, rival, productId, ['RIVAL-02']);
  const id = foreign ?? 0;
  expect((await banker.call(deviceCalls.page, { criteria: { sn: 'RIVAL-02' } })).total).toBe(0);
  for (const [call, input] of [
    [deviceCalls.detail, { id }],
    [deviceCalls.timeline, { id }],
    [deviceCalls.revoke, { id }],
    [deviceCalls.setConfig, { id, values: { a: 1 } }],
    [deviceCalls.update, { id, name: 'mine' }],
  ] as const) {
    expect((await banker.send(call, input)).code, call.name).toBe(404);
  }
  expect(await banker.call(deviceCalls.disable, { of: { ids: [id] } })).toMatchObject({ total: 0, done: 0 });
  expect(await banker.call(deviceCalls.command, { of: { ids: [id] }, command: { kind: 'reboot', params: {} } })).toMatchObject({
    total: 0,
    done: 0,
  });
  expect(
    (await app.context.unscoped((db) => db.selectFrom('gateway_outbox').select('id').where('device_id', '=', id).execute())).length,
  ).toBe(0);
});

test('a device whose product its organisation cannot see is a device still', async () => {
  const elsewhere = await makeProduct(app, rival);
  const [id = 0] = await makeDevices(app, bank, elsewhere, ['STRAY-1'], '0.9');
  const found = await banker.call(deviceCalls.page, { criteria: { sn: 'STRAY' } });
  expect([found.total, found.content.map((row) => [row.id, row.productName])]).toEqual([1, [[id, '']]]);
  expect((await banker.call(deviceCalls.detail, { id })).productCode).toBe('');
});

test('disabling cuts it off and enabling brings back what it was', async () => {
  const [online = 0, stocked = 0] = await makeDevices(app, bank, productId, ['CYCLE-01', 'CYCLE-02']);
  await app.context.unscoped((db) => sql`update device set status = '5' where id = ${stocked}`.execute(db));
  expect(await banker.call(deviceCalls.disable, { of: { ids: [online, stocked] } })).toMatchObject({ total: 2, done: 2, refused: 0 });
  const both = { ids: [online, stocked] };
  expect(await banker.call(deviceCalls.enable, { of: both, preview: true })).toMatchObject({ total: 2, done: 0, refused: 0 });
  expect(await banker.call(deviceCalls.issue, { of: both, preview: true })).toMatchObject({ total: 2, done: 0, refused: 2 });
  expect(await banker.call(deviceCalls.move, { of: both, deptId: bank.id, preview: true })).toMatchObject({ refused: 2 });
  expect(await banker.call(deviceCalls.disable, { of: { ids: [online] } })).toMatchObject({
    done: 0,
    refused: 1,
    failed: [{ label: 'CYCLE-01', fault: 'DEVICE_STATE' }],
  });
  const cuts = await app.context.unscoped((db) => db.selectFrom('gateway_cut').select('sn').execute());
  expect(cuts.map((row) => row.sn)).toEqual(expect.arrayContaining(['CYCLE-01', 'CYCLE-02']));
  await banker.call(deviceCalls.enable, { of: { ids: [online, stocked] } });
  const states = await Promise.all([online, stocked].map(async (id) => (await banker.call(deviceCalls.detail, { id })).status));
  expect(states).toEqual(['2', '5']);
});

test('everything that matches: a preview, then the background where it is much, and the counters hold', async () => {
  // More than what a list counts to.
  const many = 10_400;
  await app.context.unscoped((db) =>
    sql`
    insert into device (sn, name, status, product_id, dept_id, dept_path, firmware)
    select 'BULK-' || n, 'Bulk ' || n, case when n % 2 = 0 then '1' else '2' end, ${productId}, ${branch.id}, ${branch.path}, '1.' || n % 3 from generate_series(1, ${many}) n`.execute(
      db,
    ),
  );
  const of = { criteria: { sn: 'BULK-' }, except: [] };
  expect(await banker.call(deviceCalls.stockIn, { of, preview: true })).toMatchObject({ total: many, done: 0, work: null });
  const outcome = await banker.call(deviceCalls.stockIn, { of });
  expect(outcome.work).toBeGreaterThan(0);
  await app.runJobs();
  const works = await banker.call(backgroundJobCalls.page, {});
  expect(works.content[0]).toMatchObject({ kind: 'bulk', state: 'done', done: many });
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where sn = 'BULK-1'`.execute(db));
  const counted = async () => {
    const rows = await app.context.unscoped((db) =>
      sql<{
        status: string;
        n: number;
      }>`select status, count(*)::int as n from device where deleted_at is null and dept_path like ${`${bank.path}%`} group by status`.execute(
        db,
      ),
    );
    return Object.fromEntries(rows.rows.map((row) => [row.status, row.n]));
  };
  expect((await banker.call(deviceCalls.counts)).byStatus).toEqual(await counted());
  const counters = () =>
    app.context.unscoped(async (db) => {
      const found = await sql<{ at: string; key: string }>`
        select ctid::text as at, concat_ws(' ', dept_path, product_id, status, firmware) as key from device_tally order by 2, 1`.execute(
        db,
      );
      return found.rows;
    });
  const keys = (await counters()).map((one) => one.key);
  expect(new Set(keys).size).toBeLessThan(keys.length);
  await app.context.unscoped(foldTally);
  const folded = await counters();
  expect(new Set(folded.map((one) => one.key)).size).toBe(folded.length);
  await app.context.unscoped(foldTally);
  expect(await counters()).toEqual(folded);
  expect((await banker.call(deviceCalls.counts)).byStatus).toEqual(await counted());
  expect((await banker.call(deviceCalls.firmwares)).find((one) => one.version === '1.0')?.count).toBe(3466 + 2);
  const last = await banker.call(deviceCalls.page, { criteria: { sn: 'BULK-' }, page: { size: 10, last: true, sort: 'sn', order: 'asc' } });
  expect(last.content).toHaveLength(10);
});

test('a job that is cancelled on its way keeps what it had done and what had failed', async () => {
  await asOwner(app.url, (owner) =>
    owner.query(`create function cancel_it() returns trigger language plpgsql as $$ begin new.state := 'cancelled'; return new; end $$;
      create trigger cancel_it before update of done on work for each row when (old.state = 'running' and new.state = 'running') execute function cancel_it()`),
  );
  // All of them are in stock already.
  const { work } = await banker.call(deviceCalls.stockIn, { of: { criteria: { sn: 'BULK-' }, except: [] } });
  await app.runJobs();
  await asOwner(app.url, (owner) => owner.query('drop trigger cancel_it on work; drop function cancel_it'));
  const shown = await banker.call(backgroundJobCalls.detail, { id: work ?? 0 });
  expect(shown).toMatchObject({ state: 'cancelled', done: 0 });
  expect(shown.failed).toBeGreaterThanOrEqual(1000);
  expect(shown.failures).toHaveLength(100);
});

test('a command for everything that matches is told once, also by a job that begins again', async () => {
  const of = { criteria: { sn: 'BULK-' }, except: [] };
  const command = { kind: 'message' as const, params: { title: 'Closing', text: 'at six' } };
  const { work, total } = await banker.call(deviceCalls.command, { of, command });
  const told = () =>
    app.context.unscoped((db) =>
      sql<{ n: number }>`select count(*)::int as n from gateway_outbox o join device d on d.id = o.device_id where d.sn like 'BULK-%'`
        .execute(db)
        .then((found) => found.rows[0]?.n),
    );
  await app.runJobs();
  expect(await told()).toBe(total);
  const params = { kind: command.kind, params: command.params, hours: 24 };
  await beginAgain(app, banker, bank, 'device.bulk', { work, name: 'command', of, params });
  await app.runJobs();
  expect(await told()).toBe(total);
  expect(await banker.call(backgroundJobCalls.detail, { id: work ?? 0 })).toMatchObject({ state: 'done', done: total, failed: 0 });
});

test('a command is kept, may be withdrawn once, and is in the timeline', async () => {
  const [id = 0] = await makeDevices(app, bank, productId, ['ORDER-01']);
  const sent = await banker.call(deviceCalls.command, {
    of: { ids: [id] },
    command: { kind: 'message', params: { title: 'Closing', text: 'at six' } },
  });
  expect(sent.done).toBe(1);
  const [command] = (await banker.call(deviceCalls.commands, { criteria: { deviceId: id } })).content;
  expect(command).toMatchObject({
    kind: 'message',
    state: 'waiting',
    params: { title: 'Closing', text: 'at six', seconds: 30 },
    allowedActions: ['withdraw'],
    by: 'Person 2',
  });
  expect((await banker.call(deviceCalls.withdraw, { id: command?.id ?? 0 })).state).toBe('withdrawn');
  expect((await banker.send(deviceCalls.withdraw, { id: command?.id ?? 0 })).code).toBe(409);
  expect((await banker.call(deviceCalls.timeline, { id })).content.map((entry) => [entry.kind, entry.name])).toContainEqual([
    'command',
    'message',
  ]);
  expect((await banker.send(deviceCalls.command, { of: { ids: [id] }, command: { kind: 'format', params: {} } })).code).toBe(400);
});

test('the timeline holds connections, reports, commands and updates, and is read to its end without gap or repeat', async () => {
  const [id = 0] = await makeDevices(app, bank, productId, ['STORY-01']);
  await app.context.unscoped(async (db) => {
    const { path } = bank;
    await sql`insert into state_change (life, row_id, event, from_state, to_state, dept_path, at)
      select 'device', ${id}, case n % 2 when 0 then 'lost' else 'seen' end, '3', '2', ${path}, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 microsecond'
      from generate_series(1, 130) n`.execute(db);
    await sql`insert into device_event (at, device_id, dept_path, name, level, params, terminal_at)
      values ('2026-01-01T00:00:00.000050Z', ${id}, ${path}, 'lowBattery', 'warning', '{}', now())`.execute(db);
    await sql`with task as (
      insert into rollout_task (kind, name, package_id, product_id, release_scope, scope, delivery, state, dept_id, dept_path, created_by, created_by_name)
      values ('firmware', 'June update', 1, ${productId}, '0', '{}', '{}', 'running', ${bank.id}, ${path}, 1, 'admin') returning id
    ), result as (
      insert into rollout_result (task_id, kind, device_id, sn, ring, state, next_at, tries_left, dept_path, reason, from_version)
      select id, 'firmware', ${id}, 'STORY-01', 1, '4', now(), 0, ${path}, 'noSpace', '1.0.0' from task returning id
    )
    insert into state_change (life, row_id, event, from_state, to_state, dept_path, at) select 'taskResult', id, 'fail', '2', '4', ${path}, '2026-01-01T00:00:00.000099Z' from result`.execute(
      db,
    );
  });
  const read: { key: string; kind: string; name: string }[] = [];
  let before: string | undefined;
  do {
    const found = await banker.call(deviceCalls.timeline, { id, ...(before ? { before } : {}) });
    read.push(...found.content);
    before = found.next ?? undefined;
  } while (before);
  expect(new Set(read.map((one) => one.key)).size).toBe(read.length);
  const count = (kind: string) => read.filter((one) => one.kind === kind).length;
  expect([count('move') >= 130, count('event'), count('task')]).toEqual([true, 1, 1]);
  expect(read.find((one) => one.kind === 'task')).toMatchObject({
    name: 'June update',
    state: '4',
    level: 'warning',
    detail: { reason: 'noSpace', fromVersion: '1.0.0' },
  });
  for (const wrong of ['2026', 'x/y', "2026-01-01 00:00:00+00'/m1", '2026-99-99 00:00:00+00/m1'])
    expect((await banker.send(deviceCalls.timeline, { id, before: wrong })).code).toBe(400);
});

test('the numbers of the hardware stand in the list, as they do in its page', async () => {
  const [id = 0] = await makeDevices(app, bank, productId, ['NUMBERS-1']);
  const numbers = { imei: '860000000000099', iccid: '8986000000000000009a', mac: 'AA:BB:CC:00:11:22', pn: 'PN-9' };
  await app.context.unscoped((db) => db.updateTable('device').set(numbers).where('id', '=', id).execute());
  expect((await banker.call(deviceCalls.page, { criteria: { text: numbers.imei } })).content).toMatchObject([{ id, ...numbers }]);
  expect(await banker.call(deviceCalls.detail, { id })).toMatchObject(numbers);
});

test('only what is usable at its target moves there, and what isn’t is named before and after', async () => {
  const theirs = await makeProduct(app, bank);
  const [fits = 0] = await makeDevices(app, bank, productId, ['MOVE-FITS']);
  const [not = 0] = await makeDevices(app, bank, theirs, ['MOVE-NOT1']);
  const asked = { of: { ids: [fits, not] }, deptId: rival.id };
  const failed = [{ id: not, label: 'MOVE-NOT1', fault: 'DEVICE_PRODUCT' }];
  expect(await admin.call(deviceCalls.move, { ...asked, preview: true })).toMatchObject({ total: 2, refused: 1, failed });
  expect(await admin.call(deviceCalls.move, asked)).toMatchObject({ total: 2, done: 1, refused: 1, failed });
});

test('a move to another organisation takes the device and leaves its history', async () => {
  const [id = 0] = await makeDevices(app, bank, productId, ['MOVE-01']);
  await banker.call(deviceCalls.disable, { of: { ids: [id] } });
  expect((await banker.send(deviceCalls.move, { of: { ids: [id] }, deptId: rival.id })).code).toBe(404);
  await banker.call(deviceCalls.enable, { of: { ids: [id] } });
  await banker.call(deviceCalls.command, { of: { ids: [id] }, command: { kind: 'reboot', params: {} } });
  await banker.call(deviceCalls.setConfig, { id, values: { receiptHead: 'Harbour Bank' } });
  expect((await admin.call(deviceCalls.move, { of: { ids: [id] }, deptId: rival.id })).done).toBe(1);
  // What its former organisation asked of it, or had set, goes no further.
  const outbox = await app.context.unscoped((db) =>
    db.selectFrom('gateway_outbox').select(['topic', 'state']).where('device_id', '=', id).where('topic', '=', 'command').execute(),
  );
  expect(outbox).toEqual([{ topic: 'command', state: 'withdrawn' }]);
  expect((await admin.call(deviceCalls.detail, { id })).config.values).toEqual({});
  expect((await banker.send(deviceCalls.detail, { id })).code).toBe(404);
  const other = await app.person('orgManager', rival);
  expect((await other.call(deviceCalls.detail, { id })).deptName).toBe('Meridian Payments');
  expect((await other.call(deviceCalls.timeline, { id })).content).toEqual([]);
});

test('tags of many are added and taken away, the others stay; what would be too many is named', async () => {
  const [one = 0, two = 0, full = 0] = await makeDevices(app, bank, productId, ['TAG-01', 'TAG-02', 'TAG-03']);
  const tagsOf = async (id: number) => (await banker.call(deviceCalls.detail, { id })).tags;
  const many = Array.from({ length: 20 }, (_, at) => `t${at}`);
  await banker.call(deviceCalls.retag, { of: { ids: [one] }, add: ['lobby', 'lobby', 'old'] });
  await banker.call(deviceCalls.retag, { of: { ids: [full] }, add: many });
  const change = { of: { ids: [one, two, full] }, add: ['till'], remove: ['old'] };
  expect(await banker.call(deviceCalls.retag, { ...change, preview: true })).toMatchObject({ total: 3, refused: 1 });
  expect(await banker.call(deviceCalls.retag, change)).toMatchObject({
    done: 2,
    refused: 1,
    failed: [{ label: 'TAG-03', fault: 'TAGS_SAME' }],
  });
  expect([await tagsOf(one), await tagsOf(two), await tagsOf(full)]).toEqual([['lobby', 'till'], ['till'], many]);
  expect(await banker.call(deviceCalls.retag, change)).toMatchObject({ done: 0, refused: 3 });
  for (const wrong of [{}, { add: ['x'], remove: ['x'] }, { add: [' '] }, { add: ['x'.repeat(33)] }, { add: [...many, 'more'] }])
    expect((await banker.send(deviceCalls.retag, { of: { ids: [one] }, ...wrong })).code).toBe(400);
  const other = await app.person('orgManager', rival);
  expect(await other.call(deviceCalls.retag, change)).toMatchObject({ total: 0, done: 0 });
});

test('an enrolment code is shown once; only its hash is kept', async () => {
  const loose = await admin.call(regCalls.code, { deptId: bank.id });
  const [one, ...others] = await app.context.unscoped((db) =>
    db.selectFrom('product_product').select('code').where('publish_status', '=', '1').execute(),
  );
  expect(loose.command).toContain(`--product ${others.length === 0 ? one?.code : 'PRODUCT_CODE'} `);
  expect(loose.command).not.toMatch(/[<>|&;$]/);
  await admin.call(regCalls.codeWithdraw, { id: loose.id });
  const made = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 3 });
  expect(made.code).toMatch(/^([A-Z0-9]{5}-){3}[A-Z0-9]{5}$/);
  expect(made.command).toContain(made.code);
  const [shown] = (await admin.call(regCalls.codes, {})).content;
  expect(JSON.stringify(shown)).not.toContain(made.code);
  const of = async (deptId: number) => (await admin.call(regCalls.codes, { criteria: { deptId } })).content.map((row) => row.deptId);
  expect(new Set(await of(bank.id))).toEqual(new Set([bank.id]));
  expect(await of(app.root.id)).toEqual([]);
  expect((await admin.call(regCalls.codeWithdraw, { id: made.id })).state).toBe('withdrawn');
  expect((await admin.send(regCalls.code, { deptId: bank.id, sn: 'RIVAL-01' })).body?.fault).toBe('SN_TAKEN');
});

test('products: owned above, read below, published or not, kept while in use', async () => {
  const owner = await app.person('platformAdmin', app.root, 'manager');
  const made = await owner.call(productCalls.add, { code: 'Q80', name: 'Q80', category: 'mPos' });
  expect((await owner.send(productCalls.add, { code: 'Q80', name: 'again', category: 'mPos' })).body?.fault).toBe('PRODUCT_CODE_TAKEN');
  expect((await owner.send(productCalls.add, { code: 'q80', name: 'in another case', category: 'mPos' })).body?.fault).toBe(
    'PRODUCT_CODE_TAKEN',
  );
  expect((await banker.call(productCalls.list, {})).some((one) => one.code === 'Q80')).toBe(false);
  expect((await admin.send(deviceCalls.add, { sn: 'EARLY-01', productId: made.id, deptId: bank.id })).body?.fault).toBe(
    'PRODUCT_UNPUBLISHED',
  );
  await owner.call(productCalls.publish, { id: made.id });
  expect((await owner.send(productCalls.publish, { id: made.id })).code).toBe(409);
  expect((await banker.call(productCalls.list, { text: 'q8' })).map((one) => one.code)).toEqual(['Q80']);
  await admin.call(deviceCalls.add, { sn: 'Q80-0001', productId: made.id, deptId: bank.id });
  await owner.call(productCalls.unpublish, { id: made.id });
  expect((await owner.send(productCalls.delete, { id: made.id })).body?.fault).toBe('PRODUCT_IN_USE');
  const visible = await banker.call(productCategoryCalls.visible, { page: { size: 100, number: 1 } });
  expect(visible.content.map((one) => one.code)).toContain('smartPos');
});
