import { logCalls } from '@mooring/contract/audit-log/calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { androidTaskCalls, androidTaskDeviceCalls } from '@mooring/contract/paramfile/android-calls';
import { paramLevelCalls, paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { sealFor } from '../../../test/seal.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { openSettings } from '../../platform/gateway/sealed-settings.ts';
import { faultOf, makeMerchant, makeShop } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let admin: Client;
let manager: Client;
let outsider: Client;
let productId: number;
let merchantId: number;
let shops: { readonly id: number }[];
const SECRET = 'Tpk-77-level-secret';
const { settle, sns } = releasing(
  () => app,
  () => admin,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other bank');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root, 'A920');
  merchantId = (await makeMerchant(admin, bank.id)).id;
  shops = [await makeShop(admin, merchantId), await makeShop(admin, merchantId)];
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
type Fields = InputOf<typeof paramTemplateCalls.add>['fields'];
const fields: Fields = [
  { key: 'host', label: 'Host', type: 'text', required: true, maxLength: 20 },
  { key: 'port', label: 'Port', type: 'number', max: 65535, default: 443 },
  { key: 'receipt', label: 'Receipt', type: 'text' },
  { key: 'pin', label: 'PIN', type: 'secret' },
];
const templateOf = async (client = admin) => (await client.call(paramTemplateCalls.add, { name: 'Till', fields })).id;
const give = (client: Client, input: InputOf<typeof paramLevelCalls.give>) => client.call(paramLevelCalls.give, input);
const pin = async (client: Client, value = SECRET) => [{ key: 'pin', value: (await sealFor(client, 'androidParam', value)) as never }];
async function terminals(at: DeptAt, inShops = false): Promise<{ id: number; sn: string }[]> {
  const names = sns(2);
  const made = await makeDevices(app, at, productId, names);
  await run(sql`update device set capabilities = '{androidParam}' where sn = any(${names}::text[])`);
  const rows = names.map((sn, no) => ({ sn, id: made[no] ?? 0 }));
  if (inShops)
    for (const [no, { id }] of rows.entries())
      await admin.call(merchantCalls.assign, { of: { ids: [id] }, merchantId, shopId: shops[no]?.id ?? 0 });
  return rows;
}
const resultOf = async (client: Client, templateId: number, deviceId: number) => {
  const found = await client.call(paramResultCalls.preview, { templateId, deviceId });
  return Object.fromEntries(
    found.fields.map(({ key, value, isSet, from, lockedBy }) => [
      key,
      [value ?? isSet, typeof from === 'string' ? from : from.name, lockedBy?.name ?? null],
    ]),
  );
};
const offersTo = (names: readonly string[]) =>
  run(sql<{ sn: string; data: Record<string, unknown> }>`
    select sn, data from gateway_outbox where topic = 'offer' and sn = any(${names}::text[]) order by sn`);

test('values come down from the platform to the terminal, each with its source, and a lock holds all below it', async () => {
  const templateId = await templateOf();
  const [first = { id: 0, sn: '' }] = await terminals(bank, true);
  const deptName = (await admin.call(paramLevelCalls.read, { templateId, deptId: app.root.id })).place.name;
  expect(await resultOf(admin, templateId, first.id)).toEqual({
    host: [false, 'none', null],
    port: [443, 'default', null],
    receipt: [false, 'none', null],
    pin: [false, 'none', null],
  });
  await give(admin, { templateId, deptId: app.root.id, values: { host: 'a.example', port: 1 } });
  await give(manager, { templateId, merchantId, values: { receipt: 'Merchant' } });
  const shop = shops[0]?.id ?? 0;
  const given = await give(manager, { templateId, shopId: shop, values: { receipt: 'Shop', host: 'shop.example' } });
  expect(given).toMatchObject({ revision: 1, maySave: true, values: { receipt: 'Shop', host: 'shop.example' } });
  await give(manager, { templateId, deviceId: first.id, values: { port: 9 } });
  expect(await resultOf(manager, templateId, first.id)).toMatchObject({
    host: ['shop.example', given.place.name, null],
    port: [9, first.sn, null],
    receipt: ['Shop', given.place.name, null],
  });
  await give(manager, { templateId, deptId: bank.id, values: {}, locked: ['host'] });
  expect(await resultOf(manager, templateId, first.id)).toMatchObject({ host: ['a.example', deptName, 'Bank'] });
  // It stands as it stood, may stay, and may not be changed; below, the form says by whom it is locked.
  const form = await manager.call(paramLevelCalls.read, { templateId, shopId: shop });
  expect(form.inherited[0]).toMatchObject({ key: 'host', value: 'a.example', lockedBy: { name: 'Bank' } });
  const changed = { templateId, shopId: shop, revision: 1, values: { receipt: 'New', host: 'b.example' } };
  const refused = await manager.send(paramLevelCalls.give, changed);
  expect([refused.body?.fault, refused.message, Object.keys(refused.body?.fields ?? {})]).toEqual([
    'PARAM_LOCKED',
    '“Host” is locked by Bank.',
    ['values.host'],
  ]);
  await give(manager, { ...changed, values: { receipt: 'New', host: 'shop.example' } });
  const root = await admin.call(paramLevelCalls.read, { templateId, deptId: bank.id });
  await give(admin, { templateId, deptId: bank.id, revision: root.revision });
  expect(await resultOf(manager, templateId, first.id)).toMatchObject({ host: ['shop.example', given.place.name, null] });
});

test('each place is given values by those who see it, and is read from below without its secrets', async () => {
  const templateId = await templateOf();
  await give(admin, { templateId, deptId: app.root.id, values: { host: 'root' }, secrets: await pin(admin) });
  await give(manager, { templateId, deptId: bank.id, values: { host: 'bank' } });
  const [device = { id: 0, sn: '' }] = await terminals(bank);
  const shop = shops[0]?.id ?? 0;
  for (const place of [{ deptId: bank.id }, { merchantId }, { shopId: shop }, { deviceId: device.id }]) {
    expect(await faultOf(outsider.send(paramLevelCalls.give, { templateId, ...place, values: { host: 'x' } }))).toBe('NOT_FOUND');
    expect(await faultOf(outsider.send(paramLevelCalls.read, { templateId, ...place }))).toBe('NOT_FOUND');
  }
  expect(await faultOf(outsider.send(paramResultCalls.preview, { templateId, deviceId: device.id }))).toBe('NOT_FOUND');
  expect(await faultOf(manager.send(paramLevelCalls.give, { templateId, deptId: app.root.id, values: { host: 'x' } }))).toBe('NOT_FOUND');
  const page = await manager.call(paramLevelCalls.page, { criteria: { templateId } });
  expect(page.content.map((row) => [row.place, row.given, row.allowedActions])).toEqual([
    ['Bank', 1, ['delete']],
    [expect.any(String), 2, []],
  ]);
  expect((await manager.call(paramLevelCalls.page, { criteria: { templateId, level: 'org', text: 'ban' } })).content).toHaveLength(1);
  expect((await outsider.call(paramLevelCalls.page, { criteria: { templateId } })).content.map((row) => row.given)).toEqual([2]);
  const root = page.content[1]?.id ?? 0;
  expect(await faultOf(manager.send(paramLevelCalls.delete, { id: root }))).toBe('NOT_FOUND');
  const below = await manager.call(paramLevelCalls.read, { templateId, deptId: bank.id });
  expect(below.inherited.find(({ key }) => key === 'pin')).toMatchObject({ value: null, isSet: true });
  await manager.call(paramLevelCalls.delete, { id: page.content[0]?.id ?? 0 });
  expect(await resultOf(manager, templateId, device.id)).toMatchObject({ host: ['root', expect.any(String), null] });
  expect(await faultOf(admin.send(paramLevelCalls.give, { templateId, deptId: bank.id, shopId: shop } as never))).toBe('BAD_INPUT');
  expect(await faultOf(admin.send(paramLevelCalls.give, { templateId } as never))).toBe('BAD_INPUT');
});

test('a merchant’s and a shop’s page say what is given there of each template, what is given first; others don’t see it', async () => {
  const [early, late] = [
    await admin.call(paramTemplateCalls.add, { name: 'A of places', fields }),
    await admin.call(paramTemplateCalls.add, { name: 'B of places', fields }),
  ];
  const shopId = shops[1]?.id ?? 0;
  await give(admin, { templateId: late.id, merchantId, values: { host: 'm.example', port: 5 }, locked: ['host'] });
  const at = async (place: { merchantId: number } | { shopId: number }, text = 'of places') =>
    (await manager.call(paramLevelCalls.ofPlace, { ...place, text })).map((row) => [row.name, row.given, row.lockedCount]);
  expect(await at({ merchantId })).toEqual([
    ['B of places', 2, 1],
    ['A of places', 0, 0],
  ]);
  expect(await at({ shopId })).toEqual([
    ['A of places', 0, 0],
    ['B of places', 0, 0],
  ]);
  expect(await at({ merchantId }, 'b of')).toEqual([['B of places', 2, 1]]);
  expect((await manager.call(paramLevelCalls.ofPlace, { merchantId }))[0]).toMatchObject({ given: expect.any(Number) });
  expect(await faultOf(outsider.send(paramLevelCalls.ofPlace, { merchantId }))).toBe('NOT_FOUND');
  expect(await faultOf(manager.send(paramLevelCalls.ofPlace, { merchantId, shopId } as never))).toBe('BAD_INPUT');
  await admin.call(paramTemplateCalls.delete, { id: early.id });
});

test('what does not fit is refused at its field; of two at once one comes first', async () => {
  const templateId = await templateOf();
  const wrong = { templateId, deptId: bank.id, values: { host: 'x'.repeat(21), port: 70000, receipt: 3, nope: 'x', pin: 'open' } };
  const answer = await admin.send(paramLevelCalls.give, wrong as never);
  expect([answer.code, Object.keys(answer.body?.fields ?? {}).sort()]).toEqual([
    400,
    ['values.host', 'values.nope', 'values.pin', 'values.port', 'values.receipt'],
  ]);
  const both = await Promise.all(
    ['a', 'b'].map((host) => admin.send(paramLevelCalls.give, { templateId, deptId: bank.id, revision: 0, values: { host } })),
  );
  expect(both.map(({ code }) => code).sort()).toEqual([200, 409]);
  // An empty value is none: the key goes.
  await give(admin, { templateId, deptId: bank.id, values: { host: '', receipt: 'r' } });
  expect(await run(sql`select values from paramfile_level where template_id = ${templateId}`)).toEqual([{ values: { receipt: 'r' } }]);
});

test('a value whose field was retyped or deleted says so, is not in force, and a text that became a secret is not shown', async () => {
  const templateId = await templateOf();
  const [device = { id: 0, sn: '' }] = await terminals(bank);
  await give(admin, { templateId, deptId: bank.id, values: { host: 'bank', port: 5, receipt: 'r' } });
  const next: Fields = [
    { key: 'host', label: 'Host', type: 'number' },
    { key: 'receipt', type: 'secret' },
  ];
  await admin.call(paramTemplateCalls.update, { id: templateId, name: 'Till', fields: next, remark: '' });
  const form = await admin.call(paramLevelCalls.read, { templateId, deptId: bank.id });
  expect(form.unfit.sort()).toEqual(['host', 'port', 'receipt']);
  expect(form.values).toEqual({ host: 'bank', port: 5 });
  expect(await resultOf(admin, templateId, device.id)).toEqual({ host: [false, 'none', null], receipt: [false, 'none', null] });
});

test('a terminal that goes to another organisation gets what is given there', async () => {
  const templateId = await templateOf();
  const [device = { id: 0, sn: '' }] = await terminals(bank);
  await give(admin, { templateId, deptId: bank.id, values: { host: 'bank' } });
  await give(admin, { templateId, deptId: branch.id, values: { host: 'branch' } });
  await give(admin, { templateId, deviceId: device.id, values: { port: 7 } });
  await run(sql`update device set dept_id = ${branch.id}, dept_path = ${branch.path} where id = ${device.id}`);
  expect(await resultOf(admin, templateId, device.id)).toMatchObject({ host: ['branch', 'Branch', null], port: [7, device.sn, null] });
  const keeper = await app.person('orgManager', branch);
  const page = await keeper.call(paramLevelCalls.page, { criteria: { templateId, level: 'device' } });
  expect(page.content.map((row) => row.place)).toEqual([device.sn]);
});

test('each terminal is sent its own result, whose secrets stand nowhere; one without a required value is told so', async () => {
  const templateId = await templateOf();
  const [one = { id: 0, sn: '' }, two = { id: 0, sn: '' }] = await terminals(bank, true);
  const [bare = { id: 0, sn: '' }] = await terminals(other);
  const names = [one.sn, two.sn, bare.sn];
  await give(manager, { templateId, deptId: bank.id, values: { host: 'bank' }, secrets: await pin(manager) });
  for (const [no, shop] of shops.entries()) await give(manager, { templateId, shopId: shop.id, values: { receipt: `Shop ${no}` } });
  const content = { templateId, mode: 'own' as const };
  const task = await admin.call(androidTaskCalls.add, {
    name: 'Own',
    content,
    scope: { releaseScope: '2', sns: names },
    release: true,
  });
  expect(task.content).toMatchObject({ mode: 'own', templateRevision: 1, values: {}, secretKeys: [] });
  // What counts is what is given when it is sent.
  await give(manager, { templateId, shopId: shops[1]?.id ?? 0, values: { receipt: 'Later' } });
  await settle();
  const opened = (await offersTo(names)).map(({ sn, data }) => [sn, openSettings(app.context.masterKey, data).settings]);
  const values = (receipt: string) => ({
    section: `androidParam.${templateId}`,
    values: { values: { host: 'bank', port: 443, receipt }, secrets: { pin: SECRET }, salt: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
  expect(opened).toEqual([
    [one.sn, values('Shop 0')],
    [two.sn, values('Later')],
  ]);
  const results = await admin.call(androidTaskDeviceCalls.page, { criteria: { taskId: task.id }, page: { sort: 'sn' } });
  expect(results.content.find(({ sn }) => sn === bare.sn)).toMatchObject({ state: '4', reason: 'paramMissing', message: 'Host' });
  const log = await admin.call(logCalls.page, { page: { size: 100 } });
  const entries = await Promise.all(log.content.map(({ id }) => admin.call(logCalls.detail, { id })));
  expect(JSON.stringify(entries)).not.toContain(SECRET);
  await admin.call(paramLevelCalls.export, { criteria: { templateId }, format: 'csv', columns: ['place', 'given'] });
  await app.runJobs();
  const tables = await run(
    sql<{
      name: string;
    }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const rows = await run(sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)} x where x::text like ${`%${SECRET}%`}`);
    expect([name, rows[0]?.n]).toEqual([name, 0]);
  }
});

test('before a release it is told how many terminals lack a required value, the first by name; a place above gives it to them', async () => {
  const templateId = await templateOf();
  const here = await terminals(bank);
  const bare = await terminals(other);
  await give(admin, { templateId, deptId: bank.id, values: { host: 'bank' } });
  const scope = { releaseScope: '2' as const, sns: [...here, ...bare].map(({ sn }) => sn) };
  const lacking = async (content: object = { templateId, mode: 'own' }) =>
    (await admin.call(androidTaskCalls.preview, { content, scope } as never)).lacking;
  expect(await lacking()).toEqual({
    count: 2,
    looked: 4,
    terminals: bare.map(({ sn }) => ({ sn, fields: 'Host' })).toSorted((a, b) => a.sn.localeCompare(b.sn)),
  });
  expect(await lacking({ templateId, action: 'reset' })).toMatchObject({ count: 0 });
  await give(admin, { templateId, deviceId: bare[0]?.id ?? 0, values: { host: 'own' } });
  expect(await lacking()).toMatchObject({ count: 1, terminals: [{ sn: bare[1]?.sn, fields: 'Host' }] });
  await give(admin, { templateId, deptId: app.root.id, values: { host: 'root' } });
  expect(await lacking()).toEqual({ count: 0, looked: 4, terminals: [] });
});

test('who has another result than today’s is behind: after a change of values, of fields and of the place; whoever has it is not sent it again', async () => {
  const templateId = await templateOf();
  const [one = { id: 0, sn: '' }, two = { id: 0, sn: '' }] = await terminals(bank, true);
  await give(manager, { templateId, deptId: bank.id, values: { host: 'bank' }, secrets: await pin(manager) });
  const names = [one.sn, two.sn];
  const content = { templateId, mode: 'own' as const };
  const scope = { releaseScope: '2' as const, sns: names };
  await admin.call(androidTaskCalls.add, { name: 'Own', content, scope, release: true });
  await settle();
  const behind = async (client = manager) => {
    await app.runJobs();
    const { count, counting, terminals: rows } = await client.call(paramResultCalls.behind, { templateId });
    expect([counting, count]).toEqual([false, rows.length]);
    return rows.map(({ sn }) => sn);
  };
  const drift = async (deviceId: number) => (await manager.call(paramResultCalls.preview, { templateId, deviceId })).drift;
  // Sent, and not reported: nobody knows.
  expect([await behind(), await drift(one.id)]).toEqual([[], 'unknown']);
  await run(
    sql`update rollout_result set state = '3', ended_at = now() where sn = any(${names}::text[]) and kind = 'androidParam' and state = '2'`,
  );
  await run(sql`update device d set settings = jsonb_build_object(${`androidParam.${templateId}`}::text, g.wanted) from paramfile_given g
    where g.device_id = d.id and g.template_id = ${templateId}`);
  expect([await behind(), await drift(one.id), await drift(two.id)]).toEqual([[], 'same', 'same']);
  expect(await admin.call(androidTaskCalls.preview, { content, scope })).toMatchObject({
    matched: 0,
    refused: [{ reason: 'same', count: 2 }],
  });
  await give(manager, { templateId, shopId: shops[0]?.id ?? 0, values: { receipt: 'New' } });
  // Not looked at yet, so it isn't taken for up to date.
  expect(await manager.call(paramResultCalls.behind, { templateId })).toMatchObject({ counting: true });
  expect(await admin.call(androidTaskCalls.preview, { content, scope })).toMatchObject({ matched: 1 });
  expect([await behind(), await drift(one.id)]).toEqual([[one.sn], 'differs']);
  expect(await behind(admin)).toEqual([one.sn]);
  expect((await outsider.call(paramResultCalls.behind, { templateId })).terminals).toEqual([]);
  expect(await admin.call(androidTaskCalls.preview, { content, scope })).toMatchObject({ matched: 1 });
  await admin.call(merchantCalls.assign, { of: { ids: [one.id] }, merchantId, shopId: shops[1]?.id ?? 0 });
  expect(await behind()).toEqual([]);
  // Another secret is another result; which value it is nobody can tell by what the terminal says.
  await give(manager, { templateId, deviceId: two.id, secrets: await pin(manager, 'other') });
  expect(await behind()).toEqual([two.sn]);
  const params = JSON.stringify({ host: 'bank', port: 443, receipt: 'Old', pin: null });
  await run(sql`update device set android_params = ${params}::jsonb where id = ${two.id}`);
  const preview = await manager.call(paramResultCalls.preview, { templateId, deviceId: two.id });
  expect(preview.fields.map(({ key, drift: one, reported }) => [key, one, reported])).toEqual([
    ['host', 'same', 'bank'],
    ['port', 'same', 443],
    ['receipt', 'differs', 'Old'],
    ['pin', 'hidden', null],
  ]);
  await admin.call(paramTemplateCalls.update, { id: templateId, name: 'Till', fields: fields.slice(0, 2), remark: '' });
  expect(await behind()).toEqual([one.sn, two.sn]);
});

test('each save of a template’s fields is a version; a release goes by those of its own', async () => {
  const templateId = await templateOf(manager);
  const save = (next: Fields, name = 'Till') => manager.call(paramTemplateCalls.update, { id: templateId, name, fields: next, remark: '' });
  const task = await manager.call(androidTaskCalls.add, {
    name: 'Own',
    content: { templateId, mode: 'own' as const },
    scope: { releaseScope: '0' as const },
  });
  await save(fields, 'Renamed');
  await save([...fields.slice(1), { key: 'host', label: 'Host name', type: 'text' }, { key: 'tls', type: 'boolean' }]);
  const versions = await manager.call(paramResultCalls.versions, { templateId });
  expect(versions.map(({ no, fieldCount }) => [no, fieldCount])).toEqual([
    [3, 5],
    [1, 4],
  ]);
  const difference = await manager.call(paramResultCalls.difference, { templateId, from: 1, to: 3 });
  expect(difference.map(({ key, change, parts }) => [key, change, parts.map(({ part }) => part)])).toEqual([
    ['host', 'changed', ['label', 'required', 'maxLength']],
    ['tls', 'added', []],
  ]);
  expect(await faultOf(manager.send(paramResultCalls.difference, { templateId, from: 1, to: 2 }))).toBe('NOT_FOUND');
  expect(await faultOf(outsider.send(paramResultCalls.versions, { templateId }))).toBe('NOT_FOUND');
  expect(task.content).toMatchObject({ templateRevision: 1 });
});
