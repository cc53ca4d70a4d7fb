import { logCalls } from '@mooring/contract/audit-log/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { deptCalls } from '@mooring/contract/org/calls';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { paramLevelCalls, paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { TemplateFields } from '@mooring/contract/paramfile/template-fields';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { lockWaits } from '../../../test/lock-waits.ts';
import { sealFor } from '../../../test/seal.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { settingsDigest } from '../../engines/rollout/settings/setting-kind.ts';
import { shareSet } from '../../platform/db/lock-set.ts';
import { openSettings } from '../../platform/gateway/sealed-settings.ts';
import { faultOf, makeMerchant } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { judgedOnce, type LevelRow, levelColumns, wantedSet } from './levels.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let manager: Client;
let productId: number;
let merchantId: number;
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
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root, 'A920');
  merchantId = (await makeMerchant(admin, bank.id)).id;
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
async function terminals(at: DeptAt): Promise<{ id: number; sn: string }[]> {
  const names = sns(2);
  const made = await makeDevices(app, at, productId, names);
  await run(sql`update device set capabilities = '{androidParam}' where sn = any(${names}::text[])`);
  return names.map((sn, no) => ({ sn, id: made[no] ?? 0 }));
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

test('of two organisations that are merged only the one that stays gives values, whether it has any or not', async () => {
  const [has, hasNone] = [await templateOf(), await templateOf()];
  const [source, target] = [await app.dept('Source', bank), await app.dept('Target', bank)];
  const child = await app.dept('Child', source);
  const [ofSource = { id: 0, sn: '' }] = await terminals(source);
  const [ofTarget = { id: 0, sn: '' }] = await terminals(target);
  const [ofChild = { id: 0, sn: '' }] = await terminals(child);
  for (const templateId of [has, hasNone]) {
    await give(admin, { templateId, deptId: bank.id, values: { host: 'bank' } });
    await give(admin, { templateId, deptId: source.id, values: { host: 'source' }, locked: ['host'] });
  }
  await give(admin, { templateId: has, deptId: target.id, values: { host: 'target' } });
  await give(admin, { templateId: has, deviceId: ofSource.id, values: { receipt: 'own' } });
  await admin.call(deptCalls.merge, { id: source.id, into: target.id });
  await app.runJobs();
  for (const { id } of [ofSource, ofTarget, ofChild]) {
    expect(await resultOf(admin, has, id)).toMatchObject({ host: ['target', 'Target', null] });
    expect(await resultOf(admin, hasNone, id)).toMatchObject({ host: ['bank', 'Bank', null] });
  }
  expect(await resultOf(admin, has, ofSource.id)).toMatchObject({ receipt: ['own', ofSource.sn, null] });
});

test('a release of an older version is behind what the terminal would get by today’s fields', async () => {
  const templateId = await templateOf();
  const [one = { id: 0, sn: '' }] = await terminals(bank);
  await give(manager, { templateId, deptId: bank.id, values: { host: 'bank' } });
  await admin.call(androidTaskCalls.add, {
    name: 'Own',
    content: { templateId, mode: 'own' as const },
    scope: { releaseScope: '2', sns: [one.sn] },
    release: true,
  });
  await admin.call(paramTemplateCalls.update, { id: templateId, name: 'Till', fields: fields.slice(0, 1), remark: '' });
  await app.runJobs();
  await settle();
  await app.runJobs();
  const [offer] = await offersTo([one.sn]);
  expect(openSettings(app.context.masterKey, offer?.data ?? {}).settings).toEqual({
    section: `androidParam.${templateId}`,
    values: { values: { host: 'bank', port: 443 } },
  });
  const [given] = await run(sql<{ wanted: string }>`select wanted from paramfile_given where template_id = ${templateId}`);
  expect(given?.wanted).toBe(settingsDigest({ values: { host: 'bank' } }));
});

test('below a lock a value that fits no longer is kept or dropped, and never keeps the rest from being saved; nothing typed passes', async () => {
  const templateId = await templateOf();
  await give(manager, {
    templateId,
    merchantId,
    values: { host: 'a-long-host-name', port: 8, receipt: 'r' },
    secrets: await pin(manager, 'longer-than-three'),
    locked: ['port'],
  });
  const next: Fields = [
    { key: 'host', label: 'Host', type: 'text', maxLength: 3 },
    { key: 'port', label: 'Port', type: 'text' },
    { key: 'receipt', label: 'Receipt', type: 'secret' },
    { key: 'pin', label: 'PIN', type: 'secret', maxLength: 3 },
    { key: 'note', label: 'Note', type: 'text' },
  ];
  await admin.call(paramTemplateCalls.update, { id: templateId, name: 'Till', fields: next, remark: '' });
  await give(admin, { templateId, deptId: bank.id, locked: ['host', 'port', 'receipt', 'pin'] });
  const form = await manager.call(paramLevelCalls.read, { templateId, merchantId });
  const asFilled = { templateId, merchantId, values: { ...form.values, note: 'new' }, locked: form.locked, secretKeys: form.secretKeys };
  const saved = await give(manager, asFilled);
  expect(saved).toMatchObject({ values: { host: 'a-long-host-name', note: 'new' }, secretKeys: ['pin'], locked: ['port'] });
  // What a form leaves out stands as well.
  expect(await give(manager, { templateId, merchantId, values: {} })).toMatchObject({
    values: { host: 'a-long-host-name' },
    secretKeys: ['pin'],
    locked: ['port'],
  });
  for (const wrong of [
    { values: { host: 'b' } },
    { secrets: await pin(manager, 'longer-than-three') },
    { secrets: await pin(manager, 'abc') },
    { locked: ['host'] },
  ])
    expect(await faultOf(manager.send(paramLevelCalls.give, { templateId, merchantId, ...wrong }))).toBe('PARAM_LOCKED');
  const { sealed } =
    (await run(sql<{ sealed: Buffer }>`select sealed from paramfile_level where template_id = ${templateId} and level = 'merchant'`))[0] ??
    {};
  expect(app.context.masterKey.open('param-level', sealed as Buffer).toString()).toContain('longer-than-three');
  // The other way round: a secret whose field is read in the open now.
  const open = next.map((field) => (field.key === 'pin' ? { key: 'pin', label: 'PIN', type: 'text' as const } : field));
  await admin.call(paramTemplateCalls.update, { id: templateId, name: 'Till', fields: open, remark: '' });
  expect(await give(manager, { templateId, merchantId, secretKeys: ['pin'] })).toMatchObject({ secretKeys: [], unfit: ['host'] });
});

test('a template is kept while values of any place stand', async () => {
  const templateId = await templateOf();
  const level = await give(manager, { templateId, deptId: bank.id, values: { host: 'bank' }, secrets: await pin(manager) });
  const refused = await admin.send(paramTemplateCalls.delete, { id: templateId });
  expect([refused.body?.fault, refused.message]).toEqual([
    'PARAM_TEMPLATE_IN_USE',
    'A release uses this template, or values are given for it at some place, so it is kept. Clear the values first.',
  ]);
  expect(level.revision).toBe(1);
  const [row] = (await manager.call(paramLevelCalls.page, { criteria: { templateId } })).content;
  await manager.call(paramLevelCalls.delete, { id: row?.id ?? 0 });
  expect(await faultOf(manager.send(paramLevelCalls.delete, { id: row?.id ?? 0 }))).toBe('NOT_FOUND');
  // What was cleared is on record, of a secret that there was one.
  const log = await admin.call(logCalls.page, { page: { size: 20 } });
  const entries = await Promise.all(log.content.map(({ id }) => admin.call(logCalls.detail, { id })));
  const entry = entries.find((one) => one.target === 'Till: Bank' && JSON.stringify(one).includes(paramLevelCalls.delete.path));
  expect(JSON.stringify(entry)).toContain('"host":"bank"');
  expect(JSON.stringify(entry)).toContain('"secretKeys":["pin"]');
  expect(JSON.stringify(entries)).not.toContain(SECRET);
  await admin.call(paramTemplateCalls.delete, { id: templateId });
});

test('values that are given while they are cleared are never lost without a word', async () => {
  const templateId = await templateOf();
  for (let round = 0; round < 5; round++) {
    await give(manager, { templateId, deptId: bank.id, values: { host: 'a' } });
    const [row] = (await manager.call(paramLevelCalls.page, { criteria: { templateId } })).content;
    const [given] = await Promise.all([
      manager.send(paramLevelCalls.give, { templateId, deptId: bank.id, values: { host: 'b' } }),
      manager.send(paramLevelCalls.delete, { id: row?.id ?? 0 }),
    ]);
    const stands = await run(sql<{ values: object }>`select values from paramfile_level where template_id = ${templateId}`);
    // Whichever came first: given anew after it was cleared, or cleared after it was given.
    expect(given.code).toBe(200);
    expect([[], [{ values: { host: 'b' } }]]).toContainEqual(stands);
  }
});

test('a terminal that goes into other hands leaves behind what was given for it alone', async () => {
  const templateId = await templateOf();
  const [device = { id: 0, sn: '' }] = await terminals(bank);
  await give(admin, { templateId, deviceId: device.id, values: { port: 7 } });
  await manager.call(deviceCalls.move, { of: { ids: [device.id] }, deptId: branch.id });
  await app.runJobs();
  expect(await resultOf(admin, templateId, device.id)).toMatchObject({ port: [443, 'default', null] });
});

test('terminals that are gone, or of another product by now, are not behind', async () => {
  const another = await makeProduct(app, app.root, 'Q90');
  const templateId = (await admin.call(paramTemplateCalls.add, { name: 'Till', productId, fields })).id;
  const [one = { id: 0, sn: '' }, two = { id: 0, sn: '' }] = await terminals(bank);
  for (const { id } of [one, two]) {
    await run(sql`update device set settings = jsonb_build_object(${`androidParam.${templateId}`}::text, 'old') where id = ${id}`);
    await run(
      sql`insert into paramfile_given (template_id, device_id, dept_path, wanted) values (${templateId}, ${id}, ${bank.path}, 'new')`,
    );
  }
  const behind = async () => {
    const { count, terminals: rows } = await manager.call(paramResultCalls.behind, { templateId });
    return [count, rows.map(({ sn }) => sn)];
  };
  expect(await behind()).toEqual([2, [one.sn, two.sn]]);
  await run(sql`update device set product_id = ${another} where id = ${one.id}`);
  expect(await behind()).toEqual([1, [two.sn]]);
  await run(sql`update device set deleted_at = now() where id = ${two.id}`);
  expect(await behind()).toEqual([0, []]);
});

test('what is too long to be sent says so where it is shown, and every organisation between is offered', async () => {
  const long: Fields = Array.from({ length: 40 }, (_, at) => ({ key: `k${at}`, type: 'text' as const }));
  const templateId = (await admin.call(paramTemplateCalls.add, { name: 'Long', fields: long })).id;
  const [device = { id: 0, sn: '' }] = await terminals(branch);
  const values = (from: number) => Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${from + at}`, 'é'.repeat(450)]));
  const preview = () => manager.call(paramResultCalls.preview, { templateId, deviceId: device.id });
  await give(manager, { templateId, deptId: bank.id, values: { k0: 'x' } });
  expect(await preview()).toMatchObject({ isTooLong: false, missing: [] });
  await give(manager, { templateId, deptId: branch.id, values: { k0: 'x' } });
  await run(
    sql`update paramfile_level set values = ${JSON.stringify({ ...values(0), ...values(20) })}::jsonb where template_id = ${templateId}`,
  );
  const found = await preview();
  expect([found.isTooLong, found.places.map(({ name }) => name)]).toEqual([true, ['Bank', 'Branch', device.sn]]);
  const all = await admin.call(paramResultCalls.preview, { templateId, deviceId: device.id });
  expect(all.places.slice(-3).map(({ name }) => name)).toEqual(['Bank', 'Branch', device.sn]);
});

test('keys that every object has are keys like others', async () => {
  const odd: Fields = [
    { key: 'constructor', type: 'text' },
    { key: 'valueOf', type: 'secret' },
  ];
  const templateId = (await admin.call(paramTemplateCalls.add, { name: 'Odd', fields: odd })).id;
  const [device = { id: 0, sn: '' }] = await terminals(bank);
  await run(sql`update device set settings = jsonb_build_object(${`androidParam.${templateId}`}::text, 'x') where id = ${device.id}`);
  const read = await manager.call(paramResultCalls.preview, { templateId, deviceId: device.id });
  expect(read.fields.map(({ value, reported, drift }) => [value, reported, drift])).toEqual([
    [null, null, 'same'],
    [null, null, 'same'],
  ]);
  expect(await give(manager, { templateId, deptId: bank.id, values: {} })).toMatchObject({ values: {}, secretKeys: [] });
});

test('what is to be looked at again is found by its own index, and one statement that moves many asks once', async () => {
  const templateId = await templateOf();
  const rows = [...(await terminals(bank)), ...(await terminals(bank))];
  for (const { id } of rows)
    await run(
      sql`insert into paramfile_given (template_id, device_id, dept_path, wanted) values (${templateId}, ${id}, ${bank.path}, 'old')`,
    );
  const stale = () => run(sql<{ id: number }>`select device_id as id from paramfile_given where template_id = ${templateId} and stale`);
  const ids = rows.map(({ id }) => id);
  await run(sql`update device set dept_id = ${branch.id}, dept_path = ${branch.path} where id = any(${ids}::bigint[])`);
  expect([(await stale()).length, await run(sql`select from paramfile_stale where template_id = ${templateId}`)]).toEqual([4, []]);
  await app.runJobs();
  expect(await stale()).toEqual([]);
  const wanted = await run(sql<{ wanted: string | null; path: string }>`
    select distinct wanted, dept_path as path from paramfile_given where template_id = ${templateId}`);
  expect(wanted).toEqual([{ wanted: null, path: branch.path }]);
  // All that isn't moved is let alone.
  await run(sql`update device set name = 'x' where id = any(${ids}::bigint[])`);
  expect(await stale()).toEqual([]);
  await give(admin, { templateId, deptId: bank.id, values: { host: 'bank' } });
  await app.runJobs();
  const after = await run(sql<{ wanted: string | null }>`select distinct wanted from paramfile_given where template_id = ${templateId}`);
  expect(after).toEqual([{ wanted: settingsDigest({ values: { host: 'bank', port: 443 } }) }]);
});

test('who looks at terminals waits for those who are sending, and finds what they noted', async () => {
  const templateId = await templateOf();
  const [device = { id: 0, sn: '' }] = await terminals(bank);
  await app.runJobs();
  let looking: Promise<unknown> | undefined;
  await app.context.unscoped(async (db) => {
    await shareSet(db, wantedSet(templateId));
    await give(manager, { templateId, deptId: bank.id, values: { host: 'bank' } });
    looking = app.runJobs();
    await expect.poll(() => app.context.unscoped(lockWaits)).toBe(1);
    await sql`insert into paramfile_given (template_id, device_id, dept_path, wanted) values (${templateId}, ${device.id}, ${bank.path}, 'old')`.execute(
      db,
    );
  });
  await looking;
  const [given] = await run(sql<{ wanted: string }>`select wanted from paramfile_given where template_id = ${templateId}`);
  expect(given?.wanted).toBe(settingsDigest({ values: { host: 'bank', port: 443 } }));
});

test('a place is unsealed and judged once, however many terminals are below it', async () => {
  const templateId = await templateOf();
  await give(manager, { templateId, deptId: bank.id, values: { host: 'bank' }, secrets: await pin(manager) });
  const [row] = await run(sql<LevelRow>`select ${levelColumns} from paramfile_level l where l.template_id = ${templateId}`);
  let opened = 0;
  const { masterKey } = app.context;
  const open: typeof masterKey.open = (purpose, bytes) => {
    opened++;
    return masterKey.open(purpose, bytes);
  };
  const read = judgedOnce({ masterKey: { open } as typeof masterKey }, TemplateFields.parse(fields));
  const all = Array.from({ length: 5 }, () => read(row as LevelRow));
  expect([opened, new Set(all).size, all[0]?.values]).toEqual([1, 1, { host: 'bank', pin: SECRET }]);
});
