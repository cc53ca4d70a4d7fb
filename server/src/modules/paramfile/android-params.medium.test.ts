import { logCalls } from '@mooring/contract/audit-log/calls';
import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { androidTaskCalls, androidTaskDeviceCalls } from '@mooring/contract/paramfile/android-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { generalTaskCalls } from '@mooring/contract/task/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { sealFor } from '../../../test/seal.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { settingsDigest } from '../../engines/rollout/settings/setting-kind.ts';
import { openSettings } from '../../platform/gateway/sealed-settings.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let owner: DeptAt;
let below: DeptAt;
let other: DeptAt;
let admin: Client;
let manager: Client;
let productId: number;
const { settle, sns } = releasing(
  () => app,
  () => admin,
  () => 0,
);
const SECRET = 'Tpk-5F2A-very-secret';

beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  below = await app.dept('Branch', owner);
  other = await app.dept('Other bank');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', owner);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
type Fields = InputOf<typeof paramTemplateCalls.add>['fields'];
const fields: Fields = [
  { key: 'host', label: 'Host', type: 'text', required: true, pattern: '[a-z.]+', maxLength: 20 },
  { key: 'port', label: 'Port', type: 'number', min: 1, max: 65535, default: 443 },
  { key: 'tls', type: 'boolean', default: true },
  { key: 'mode', label: 'Mode', type: 'choice', choices: ['fast', 'safe'] },
  { key: 'pin', label: 'PIN', type: 'secret', required: true, maxLength: 40 },
];
const templateOf = (client = admin, more: object = {}) =>
  client.call(paramTemplateCalls.add, { name: 'Till', fields, ...more } as InputOf<typeof paramTemplateCalls.add>);
const sealedPin = async (value = SECRET) => [{ key: 'pin', value: (await sealFor(admin, 'androidParam', value)) as never }];
const fair = { host: 'pay.example', port: 8443, tls: false };
async function terminals(count: number, at = owner): Promise<string[]> {
  const names = sns(count);
  await makeDevices(app, at, productId, names);
  await run(sql`update device set capabilities = '{androidParam}' where sn = any(${names}::text[])`);
  return names;
}
const to = (names: readonly string[]) => ({ releaseScope: '2' as const, sns: [...names] });
const everywhere = { releaseScope: '0' as const };
const offersTo = (names: readonly string[]) =>
  run(sql<{ sn: string; data: { settings: { section: string; values: Record<string, never> } } }>`
    select sn, data from gateway_outbox where topic = 'offer' and sn = any(${names}::text[]) order by id`);

test('a template is its organisation’s, is read below, and its rules are judged where they stand', async () => {
  const own = await templateOf(manager);
  expect(own).toMatchObject({
    fieldCount: 5,
    deptName: 'Bank',
    productId: null,
    allowedActions: expect.arrayContaining(['update', 'delete']),
  });
  const branch = await app.person('orgManager', below);
  expect((await branch.call(paramTemplateCalls.detail, { id: own.id })).allowedActions).toEqual([]);
  expect((await branch.send(paramTemplateCalls.update, { id: own.id, name: 'x', fields, remark: '' })).code).toBe(404);
  const beside = await app.person('orgManager', other);
  expect((await beside.send(paramTemplateCalls.detail, { id: own.id })).code).toBe(404);
  expect(
    (await beside.send(androidTaskCalls.add, { name: 'x', content: { templateId: own.id, values: fair }, scope: everywhere })).code,
  ).toBe(404);
  expect((await manager.call(paramTemplateCalls.page, { criteria: { text: 'till' } })).content.map((row) => row.id)).toContain(own.id);
  const changed = await manager.call(paramTemplateCalls.update, { id: own.id, name: 'Tills', fields: fields.slice(1), remark: '' });
  expect(changed).toMatchObject({ name: 'Tills', fieldCount: 4, revision: 2 });
});

test.each([
  [
    'the same key twice',
    [
      { key: 'a', type: 'text' },
      { key: 'a', type: 'number' },
    ],
    'fields.1.key',
    'invalid.keyTwice',
  ],
  ['a key that is none', [{ key: '1a', type: 'text' }], 'fields.0.key', 'invalid.paramKey'],
  ['a pattern that is none', [{ key: 'a', type: 'text', pattern: '(a' }], 'fields.0.pattern', 'invalid.pattern'],
  ['a pattern that looks back', [{ key: 'a', type: 'text', pattern: '(a)\\1' }], 'fields.0.pattern', 'invalid.pattern'],
  ['no choice', [{ key: 'a', type: 'choice' }], 'fields.0.choices', 'invalid.required'],
  ['a choice twice', [{ key: 'a', type: 'choice', choices: ['x', 'x'] }], 'fields.0.choices', 'invalid.choiceTwice'],
  ['a secret in the open', [{ key: 'a', type: 'secret', default: 'x' }], 'fields.0.default', 'invalid.secretDefault'],
  ['a default out of range', [{ key: 'a', type: 'number', max: 3, default: 4 }], 'fields.0.default', 'invalid.default'],
  ['a range upside down', [{ key: 'a', type: 'number', min: 4, max: 3 }], 'fields.0.max', 'invalid.maxBelowMin'],
  ['no field', [], 'fields', 'invalid.too_small'],
  ['too many fields', Array.from({ length: 101 }, (_, at) => ({ key: `k${at}`, type: 'text' })), 'fields', 'invalid.too_big'],
])('a template with %s is refused', async (_name, wrong, at, key) => {
  const answer = await admin.send(paramTemplateCalls.add, { name: 'Wrong', fields: wrong });
  expect([answer.code, answer.body?.fields?.[at]?.key]).toEqual([400, key]);
});

test.each([
  [
    'a key that the template hasn’t',
    { ...fair, colour: 'red' },
    'PARAM_UNKNOWN',
    'The template has no parameter “colour”. Choose the template again.',
  ],
  ['a missing value', { port: 1 }, 'PARAM_REQUIRED', '“Host” is required.'],
  ['a text for a number', { ...fair, port: '443' }, 'PARAM_NO_NUMBER', '“Port” must be a number.'],
  ['a number for a text', { ...fair, host: 5 }, 'PARAM_NO_TEXT', '“Host” must be a text.'],
  ['a text for a switch', { ...fair, tls: 'on' }, 'PARAM_NO_SWITCH', '“tls” must be yes or no.'],
  ['what is out of range', { ...fair, port: 70_000 }, 'PARAM_TOO_LARGE', '“Port” must be at most 65,535.'],
  ['what is below it', { ...fair, port: 0 }, 'PARAM_TOO_SMALL', '“Port” must be at least 1.'],
  ['another choice', { ...fair, mode: 'slow' }, 'PARAM_NO_CHOICE', 'Choose one of the options for “Mode”.'],
  ['what is too long', { ...fair, host: 'a'.repeat(21) }, 'PARAM_TOO_LONG', '“Host” can have at most 20 characters.'],
  ['another format', { ...fair, host: 'PAY' }, 'PARAM_FORMAT', '“Host” doesn’t have the format that its template asks for.'],
  ['a secret in the open', { ...fair, pin: 'x' }, 'PARAM_UNKNOWN', 'The template has no parameter “PIN”. Choose the template again.'],
])('%s is refused by its field’s name', async (_name, values, fault, message) => {
  const template = await templateOf();
  const secrets = await sealedPin();
  const answer = await admin.send(androidTaskCalls.add, {
    name: 'x',
    content: { templateId: template.id, values, secrets },
    scope: everywhere,
  });
  expect([answer.body?.fault, answer.message]).toEqual([fault, message]);
  expect(await run(sql`select 1 from rollout_task where param_template_id = ${template.id}`)).toEqual([]);
  expect(await run(sql`select 1 from paramfile_secret where template_id = ${template.id}`)).toEqual([]);
});

test('a fault is said in the person’s language, and a secret that isn’t sealed is none', async () => {
  const template = await templateOf();
  const content = { templateId: template.id, values: fair };
  const chinese = await admin.send(
    androidTaskCalls.add,
    { name: 'x', content, scope: everywhere },
    { headers: { 'accept-language': 'zh-CN' } },
  );
  expect(chinese.message).toBe('请填写“PIN”。');
  const open = await admin.send(androidTaskCalls.add, {
    name: 'x',
    content: { ...content, secrets: [{ key: 'pin', value: SECRET }] },
    scope: everywhere,
  });
  expect(open.body?.fields).toHaveProperty(['content.secrets.0.value']);
});

test('formats that take too long to check are refused where a template is saved; one that was saved before is named, and nothing is sent by it', async () => {
  const slow = Array.from({ length: 40 }, (_, at) => ({ key: `k${at}`, type: 'text' as const, pattern: '(a|b|ab)*(a|b|ab)*(a|b|ab)*' }));
  const answer = await admin.send(paramTemplateCalls.add, { name: 'Slow', fields: slow });
  expect([answer.code, Object.values(answer.body?.fields ?? {}).map((one) => (one as { key?: string }).key)]).toEqual([
    400,
    ['invalid.patternCostly'],
  ]);
  const template = await templateOf(admin, { name: 'Old tills', fields: [{ key: 'a', type: 'text' }] });
  expect((await admin.send(paramTemplateCalls.update, { id: template.id, name: 'Slow', fields: slow, remark: '' })).code).toBe(400);
  await run(sql`update paramfile_template set fields = ${JSON.stringify(slow)}::jsonb where id = ${template.id}`);
  const [sn = ''] = await terminals(1);
  const content = { templateId: template.id, values: { k0: 'a' } };
  expect((await admin.send(androidTaskCalls.preview, { content, scope: to([sn]) })).body).toMatchObject({ fault: 'PARAM_TEMPLATE_OLD' });
  const refused = await admin.send(androidTaskCalls.add, { name: 'x', content, scope: to([sn]) });
  expect([refused.body?.fault, refused.message]).toEqual([
    'PARAM_TEMPLATE_OLD',
    'The template “Old tills” was saved under earlier rules: its formats take too long to check. Edit the template, then release it.',
  ]);
  expect(await run(sql`select 1 from rollout_task where param_template_id = ${template.id}`)).toEqual([]);
  // It is read as it was, so that it can be changed.
  expect((await admin.call(paramTemplateCalls.detail, { id: template.id })).fields).toHaveLength(40);
  await admin.call(paramTemplateCalls.update, { id: template.id, name: 'Tills', fields: [{ key: 'k0', type: 'text' }], remark: '' });
  await admin.call(androidTaskCalls.add, { name: 'x', content, scope: to([sn]) });
});

test('a template for one product goes to its terminals alone', async () => {
  const another = await makeProduct(app, app.root, 'Q80');
  const template = await templateOf(admin, { productId, fields: [{ key: 'a', type: 'text' }] });
  const content = { templateId: template.id, values: { a: 'x' } };
  const [sn = ''] = await terminals(1);
  expect(await admin.call(androidTaskCalls.preview, { content, scope: to([sn]) })).toMatchObject({ matched: 1 });
  const wrong = await admin.send(androidTaskCalls.add, { name: 'x', content, productId: another, scope: everywhere });
  expect(wrong.body?.fault).toBe('PARAM_PRODUCT');
  const task = await admin.call(androidTaskCalls.add, { name: 'x', content, scope: to([sn]) });
  expect(task).toMatchObject({ productId, productName: 'Product A920' });
  // What releases hold stays as it was sent, and its template stays with it.
  await admin.call(paramTemplateCalls.update, { id: template.id, name: 'Renamed', fields: [{ key: 'b', type: 'number' }], remark: '' });
  expect((await admin.call(androidTaskCalls.detail, { id: task.id })).content).toMatchObject({
    templateName: 'Till',
    templateRevision: 1,
    values: { a: 'x' },
  });
  expect((await admin.send(paramTemplateCalls.delete, { id: template.id })).body?.fault).toBe('PARAM_TEMPLATE_IN_USE');
  await admin.call(androidTaskCalls.delete, { id: task.id });
  await admin.call(paramTemplateCalls.delete, { id: template.id });
});

test('values reach the terminal with their secrets, which stand in no table, answer, export or log', async () => {
  const [sn = ''] = await terminals(1);
  const template = await templateOf();
  const content = { templateId: template.id, values: { ...fair, mode: '' }, secrets: await sealedPin() };
  const task = await admin.call(androidTaskCalls.add, { name: 'Tills', content, scope: to([sn]), release: true });
  const shown = { templateId: template.id, templateName: 'Till', templateRevision: 1, action: 'config', values: fair, secretKeys: ['pin'] };
  expect(task.content).toEqual({ ...shown, kept: expect.any(Number) });
  await settle();
  const [offer] = await offersTo([sn]);
  const opened = openSettings(app.context.masterKey, offer?.data ?? {}) as unknown as {
    settings: { section: string; values: { salt: string } };
  };
  expect(opened.settings).toEqual({
    section: `androidParam.${template.id}`,
    values: { values: fair, secrets: { pin: SECRET }, salt: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
  const digest = settingsDigest(opened.settings.values);
  const [device] = await run(sql<{ id: number }>`
    update device set settings = jsonb_build_object(${`androidParam.${template.id}`}::text, ${digest}::text) where sn = ${sn} returning id`);
  await run(sql`update rollout_result set state = '3', version = ${digest} where task_id = ${task.id}`);
  const results = await admin.call(androidTaskDeviceCalls.page, { criteria: { taskId: task.id } });
  expect(results.content.map((row) => [row.sn, row.differs])).toEqual([[sn, false]]);
  // A change of it keeps the secret where none is given, and a copy of it too.
  const draft = await admin.call(androidTaskCalls.add, {
    name: 'Copy',
    content: task.content as InputOf<typeof androidTaskCalls.add>['content'],
    scope: to([sn]),
  });
  const kept = (draft.content as { kept: number }).kept;
  await admin.call(androidTaskCalls.edit, {
    id: draft.id,
    name: 'Copy',
    content: { ...(draft.content as InputOf<typeof androidTaskCalls.add>['content']), values: { host: 'b.c' } },
    scope: to([sn]),
  });
  // Of the one before nothing is left.
  expect(await run(sql`select 1 from paramfile_secret where id = ${kept}`)).toEqual([]);
  await admin.call(androidTaskCalls.enable, { id: draft.id });
  await admin.call(androidTaskCalls.cancel, { id: draft.id });
  const ways = { criteria: {}, format: 'csv' as const };
  await admin.call(generalTaskCalls.export, { ...ways, columns: ['name', 'kind', 'state'] });
  await admin.call(androidTaskCalls.export, { ...ways, columns: ['name', 'package'] });
  await admin.call(androidTaskDeviceCalls.export, { criteria: { taskId: task.id }, format: 'csv', columns: ['sn', 'version'] });
  await app.runJobs();
  const log = await admin.call(logCalls.page, { page: { size: 100 } });
  const entries = await Promise.all(log.content.map(({ id }) => admin.call(logCalls.detail, { id })));
  const answers = [
    await admin.call(androidTaskCalls.detail, { id: draft.id }),
    await admin.call(generalTaskCalls.page, {}),
    await admin.call(deviceReleaseCalls.list, { deviceId: device?.id ?? 0 }),
    await admin.call(paramTemplateCalls.detail, { id: template.id }),
    entries,
  ];
  expect(JSON.stringify(answers)).not.toContain(SECRET);
  const tables = await run(
    sql<{
      name: string;
    }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const rows = await run(sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)} x where x::text like ${`%${SECRET}%`}`);
    expect([name, rows[0]?.n]).toEqual([name, 0]);
  }
  await admin.call(androidTaskCalls.delete, { id: draft.id });
});

test('another organisation’s secret is nobody’s to send, nor one of another template', async () => {
  const template = await templateOf();
  const theirs = await admin.call(androidTaskCalls.add, {
    name: 'Theirs',
    content: { templateId: template.id, values: fair, secrets: await sealedPin() },
    scope: everywhere,
  });
  const { kept } = theirs.content as { kept: number };
  const input = { name: 'Mine', content: { templateId: template.id, values: fair, kept, secretKeys: ['pin'] }, scope: everywhere };
  expect((await manager.send(androidTaskCalls.add, input)).body?.fault).toBe('PARAM_SECRET_GONE');
  const second = await templateOf();
  const moved = { ...input, content: { ...input.content, templateId: second.id } };
  expect((await admin.send(androidTaskCalls.add, moved)).body?.fault).toBe('PARAM_SECRET_GONE');
});

test('a reset gives the parameters of its template back, to whom they are set', async () => {
  const [set = '', bare = ''] = await terminals(2);
  const template = await templateOf();
  await run(
    sql`update device set settings = jsonb_build_object(${`androidParam.${template.id}`}::text, '0123456789abcdef') where sn = ${set}`,
  );
  const content = { templateId: template.id, action: 'reset' as const };
  expect(await admin.call(androidTaskCalls.preview, { content, scope: to([set, bare]) })).toMatchObject({ matched: 1 });
  await admin.call(androidTaskCalls.add, { name: 'Back', content, scope: to([set, bare]), release: true });
  await settle();
  expect((await offersTo([set, bare])).map(({ sn, data }) => [sn, data.settings])).toEqual([
    [set, { section: `androidParam.${template.id}`, values: null }],
  ]);
});

test('a secret belongs to the release’s owner: edited from above it stays theirs; who copies from above types it again', async () => {
  const template = await templateOf();
  const draft = await manager.call(androidTaskCalls.add, {
    name: 'Of the bank',
    content: { templateId: template.id, values: fair, secrets: await sealedPin() },
    scope: everywhere,
  });
  const given = draft.content as { kept: number; secretKeys: string[] };
  const same = { templateId: template.id, values: { ...fair, port: 9000 }, kept: given.kept, secretKeys: given.secretKeys };
  const edited = await admin.call(androidTaskCalls.edit, { id: draft.id, name: 'Of the bank', content: same, scope: everywhere });
  const { kept, secretKeys } = edited.content as { kept: number; secretKeys: string[] };
  expect(secretKeys).toEqual(['pin']);
  const again = { templateId: template.id, values: fair, kept, secretKeys };
  expect((await manager.send(androidTaskCalls.edit, { id: draft.id, name: 'Again', content: again, scope: everywhere })).code).toBe(200);

  const above = await admin.call(androidTaskCalls.add, {
    name: 'From above',
    content: { templateId: template.id, values: fair, secrets: await sealedPin() },
    scope: everywhere,
  });
  const theirs = above.content as { kept: number; secretKeys: string[] };
  const copy = { name: 'Copy', content: { templateId: template.id, values: fair, ...theirs }, scope: everywhere };
  const refused = await manager.send(androidTaskCalls.add, copy as never);
  expect([refused.body?.fault, refused.message]).toEqual([
    'PARAM_SECRET_GONE',
    'The secret “PIN” of the copied release isn’t yours to use. Type it again.',
  ]);
});

test('what all values weigh together is bounded, in bytes', async () => {
  const many = Array.from({ length: 40 }, (_, at) => ({ key: `k${at}`, type: 'text' as const }));
  const template = await templateOf(admin, { fields: many });
  const values = Object.fromEntries(many.map(({ key }) => [key, '端'.repeat(200)]));
  const answer = await admin.send(androidTaskCalls.add, { name: 'Long', content: { templateId: template.id, values }, scope: everywhere });
  expect([answer.body?.fault, answer.message]).toEqual(['PARAM_MANY', 'The values are longer than 16 KB together.']);
});
