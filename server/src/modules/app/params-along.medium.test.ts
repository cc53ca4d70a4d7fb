import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { logCalls } from '@mooring/contract/audit-log/calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { paramLevelCalls, paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { sealFor } from '../../../test/seal.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { openSettings } from '../../platform/gateway/sealed-settings.ts';
import type { DeptAt } from '../org/api.ts';
import { type Installed, listVersion, saysApps } from './catalogue.factory.ts';

let app: TestApp;
let bank: DeptAt;
let other: DeptAt;
let manager: Client;
let outsider: Client;
let productId: number;
const SECRET = 'Tpk-61-along-secret';
const { settle, sns, subscribe, offers } = releasing(
  () => app,
  () => manager,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  other = await app.dept('Other bank');
  manager = await app.person('orgManager', bank);
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const fields: InputOf<typeof paramTemplateCalls.add>['fields'] = [
  { key: 'host', label: 'Host', type: 'text', required: true },
  { key: 'pin', label: 'PIN', type: 'secret' },
];
const template = async (client = manager, more: object = {}) =>
  (await client.call(paramTemplateCalls.add, { name: 'Till', fields, ...more })).id;
/** Values of the bank; its terminals get them. */
async function giveAll(templateId: number, host: string, secret = SECRET): Promise<void> {
  const { revision } = await manager.call(paramLevelCalls.read, { templateId, deptId: bank.id });
  const secrets = [{ key: 'pin', value: (await sealFor(manager, 'androidParam', secret)) as never }];
  await manager.call(paramLevelCalls.give, { templateId, deptId: bank.id, revision, values: { host }, secrets });
}
const version = (packageName: string, code: number, products = [productId]) =>
  listVersion(app, manager, { at: bank, packageName, code, products });
const hello = (sn: string, apps: readonly Installed[], capabilities = ['softApp', 'softAppParams']) =>
  saysApps(app, sn, apps, capabilities);
async function terminals(count: number, product = productId): Promise<string[]> {
  const names = sns(count);
  await makeDevices(app, bank, product, names);
  for (const sn of names) await hello(sn, []);
  return names;
}
/** The terminals have today's result, and say so. */
const haveParams = (templateId: number, names: readonly string[]) =>
  run(sql`update device d set settings = d.settings || jsonb_build_object(${`androidParam.${templateId}`}::text, g.wanted) from paramfile_given g
    where g.device_id = d.id and g.template_id = ${templateId} and d.sn = any(${[...names]}::text[])`);
const to = (names: readonly string[]) => ({ releaseScope: '2' as const, sns: [...names] });
const asked = (names: readonly string[], content: object) => ({ name: 'Till with parameters', scope: to(names), content }) as never;
async function released(names: readonly string[], content: object, delivery: object = {}): Promise<number> {
  const task = await manager.call(softAppTaskCalls.add, {
    ...(asked(names, content) as object),
    delivery: { retries: 0, ...delivery },
    release: true,
  } as never);
  await settle();
  return task.id;
}
const resultsOf = async (taskId: number) =>
  (await manager.call(softAppTaskDeviceCalls.page, { criteria: { taskId }, page: { sort: 'sn' } })).content;
const offersTo = async (sn: string) =>
  (await run(sql<{ data: Record<string, unknown> }>`select data from gateway_outbox where topic = 'offer' and sn = ${sn} order by id`)).map(
    ({ data }) => data,
  );
const opened = async (sn: string) => openSettings(app.context.masterKey, (await offersTo(sn)).at(-1) ?? {});
const preview = (names: readonly string[], content: object) =>
  manager.call(softAppTaskCalls.preview, { scope: to(names), content } as never);

test('package and parameters come in one offer; who has the version but other parameters is a target, who has both is not', async () => {
  const [fresh = '', older = '', same = ''] = await terminals(3);
  const names = [fresh, older, same];
  const [templateId, versionId] = [await template(), await version('com.p.one', 7)];
  await giveAll(templateId, 'a.example');
  await hello(older, [{ id: 'com.p.one', code: 5 }]);
  await hello(same, [{ id: 'com.p.one', code: 7 }]);
  const content = { action: 'install', versionId, templateId };
  // Without them the last one has nothing to get.
  expect(await preview(names, { action: 'install', versionId })).toMatchObject({ matched: 2, refused: [{ reason: 'same', count: 1 }] });
  const before = await preview(names, content);
  expect(before).toMatchObject({ matched: 3, refused: [], lacking: { count: 0, looked: 3 } });
  expect(before.byVersion.map((row) => [row.version, row.gets, row.bytes > 0]).toSorted()).toEqual([
    [null, 'full', true],
    ['5', 'full', true],
    ['7', 'params', false],
  ]);
  const taskId = await released(names, content);
  expect((await manager.call(softAppTaskCalls.detail, { id: taskId })).content).toMatchObject({
    templateId,
    templateName: 'Till',
    templateRevision: 1,
  });
  expect((await resultsOf(taskId)).map(({ sn, state, fromVersion }) => [sn, state, fromVersion])).toEqual([
    [fresh, '2', null],
    [older, '2', '5'],
    [same, '2', '7'],
  ]);
  for (const sn of names)
    expect(await opened(sn)).toMatchObject({
      kind: 'softApp',
      package: { version: '7', app: { packageName: 'com.p.one', versionCode: 7 } },
      releaseKey: expect.anything(),
      url: expect.any(String),
      settings: {
        section: `androidParam.${templateId}`,
        values: { values: { host: 'a.example' }, secrets: { pin: SECRET }, salt: expect.any(String) },
      },
    });
  for (const one of await offers(taskId)) await subscribe('result', one, { outcome: 'success', version: '7' });
  for (const sn of names) await hello(sn, [{ id: 'com.p.one', code: 7 }]);
  await haveParams(templateId, names);
  // Until what was given is looked at nobody counts as up to date.
  await app.runJobs();
  expect((await resultsOf(taskId)).map(({ state, differs }) => [state, differs])).toEqual([
    ['3', false],
    ['3', false],
    ['3', false],
  ]);
  expect(await preview(names, content)).toMatchObject({ matched: 0, refused: [{ reason: 'same', count: 3 }] });
  // What is given later is followed as with parameters that came by themselves.
  await giveAll(templateId, 'b.example');
  await app.runJobs();
  expect(await manager.call(paramResultCalls.behind, { templateId })).toMatchObject({ count: 3, counting: false });
  expect(await preview(names, content)).toMatchObject({ matched: 3, byVersion: [{ version: '7', count: 3, gets: 'params', bytes: 0 }] });
  const filtered = { releaseScope: '1' as const, firmware: ['7'] };
  expect(await manager.call(softAppTaskCalls.preview, { scope: filtered, content } as never)).toMatchObject({ matched: 3 });
});

test('a terminal without a required value gets neither, and the preview names it', async () => {
  const names = await terminals(1);
  const [templateId, versionId] = [await template(), await version('com.p.two', 1)];
  const content = { action: 'install', versionId, templateId };
  expect((await preview(names, content)).lacking).toMatchObject({ count: 1, terminals: [{ sn: names[0], fields: 'Host' }] });
  const taskId = await released(names, content);
  expect(await resultsOf(taskId)).toMatchObject([{ state: '4', reason: 'paramMissing', message: 'Host' }]);
  expect(await offersTo(names[0] ?? '')).toEqual([]);
});

test('a terminal that doesn’t take parameters along is counted beforehand, and sent nothing', async () => {
  const names = await terminals(2);
  const [able = '', unable = ''] = names;
  const [templateId, versionId] = [await template(), await version('com.p.three', 1)];
  await giveAll(templateId, 'a.example');
  await hello(unable, [], ['softApp', 'androidParam']);
  const content = { action: 'install', versionId, templateId };
  expect(await preview(names, content)).toMatchObject({ matched: 1, refused: [{ reason: 'notSupported', count: 1, sns: [unable] }] });
  const taskId = await released(names, content);
  expect((await resultsOf(taskId)).map(({ sn, state }) => [sn, state])).toEqual([[able, '2']]);
  expect(await offersTo(unable)).toEqual([]);
});

test('whoever may not release parameters sends none along with an app, nor looks what they would do, nor lets a draft with them go', async () => {
  const names = await terminals(1);
  const [templateId, versionId] = [await template(), await version('com.p.four', 1)];
  await giveAll(templateId, 'a.example');
  await run(sql`insert into access_role (code, name, type, platforms, menus, dept_id, dept_path)
    values ('appsAlone', 'appsAlone', '2', '{centre}', '{generalTask,tms:softApp,tms:softApp:page,tms:softApp:add,tms:softApp:enable,tms:androidParam:page,app}', 1, '1.')`);
  const clerk = await app.person('appsAlone', bank);
  const content = { action: 'install', versionId, templateId };
  expect(await faultOf(clerk.send(softAppTaskCalls.add, asked(names, content)))).toBe('FORBIDDEN');
  expect(await faultOf(clerk.send(softAppTaskCalls.preview, { scope: to(names), content } as never))).toBe('FORBIDDEN');
  const draft = await manager.call(softAppTaskCalls.add, asked(names, content));
  expect(draft.allowedActions).toEqual(expect.arrayContaining(['edit', 'enable']));
  const seen = await clerk.call(softAppTaskCalls.detail, { id: draft.id });
  expect(seen.allowedActions).not.toContain('edit');
  expect(seen.allowedActions).not.toContain('enable');
  expect(await faultOf(clerk.send(softAppTaskCalls.edit, { id: draft.id, ...(asked(names, content) as object) } as never))).toBe(
    'FORBIDDEN',
  );
  expect(await faultOf(clerk.send(softAppTaskCalls.enable, { id: draft.id }))).toBe('FORBIDDEN');
  // Nor takes what is another's to decide out of it.
  const without = { id: draft.id, ...(asked(names, { action: 'install', versionId }) as object) } as never;
  expect(await faultOf(clerk.send(softAppTaskCalls.edit, without))).toBe('FORBIDDEN');
  expect((await manager.call(softAppTaskCalls.detail, { id: draft.id })).content).toMatchObject({ templateId });
  // The app alone is theirs to send.
  const alone = await clerk.call(softAppTaskCalls.add, asked(names, { action: 'install', versionId }));
  expect(alone.allowedActions).toEqual(expect.arrayContaining(['edit', 'enable']));
});

test('whoever may not release parameters starts, resumes, widens or retries no release of others with them, one by one or many at once', async () => {
  const names = await terminals(2);
  const [templateId, versionId] = [await template(), await version('com.p.rights', 1)];
  await giveAll(templateId, 'a.example');
  const rings = { rings: [{ sns: [names[0]] }, { share: 100 }] };
  await run(sql`insert into access_role (code, name, type, platforms, menus, dept_id, dept_path)
    values ('appsAll', 'appsAll', '2', '{centre}', '{generalTask,tms:softApp,tms:softApp:page,tms:softApp:add,tms:softApp:enable,tms:softApp:pause,tms:softApp:retry,tms:softApp:cancel,tms:androidParam:page,app}', 1, '1.')`);
  const clerk = await app.person('appsAll', bank);
  const content = { action: 'install', versionId, templateId };
  const acts = async (id: number, who = clerk) => (await who.call(softAppTaskCalls.detail, { id })).allowedActions.toSorted();
  const later = await released(names, content, { startAt: new Date(app.context.now().getTime() + 86_400_000).toISOString() });
  expect(await acts(later, manager)).toContain('start');
  expect(await acts(later)).toEqual(['cancel', 'disable']);
  expect(await faultOf(clerk.send(softAppTaskCalls.start, { id: later }))).toBe('FORBIDDEN');
  await clerk.call(softAppTaskCalls.cancel, { id: later });
  const id = await released(names, content, rings);
  expect(await acts(id, manager)).toContain('openRing');
  expect(await acts(id)).toEqual(['cancel', 'pause']);
  expect(await faultOf(clerk.send(softAppTaskCalls.openRing, { id, ring: 2 }))).toBe('FORBIDDEN');
  for (const one of await offers(id)) await subscribe('result', one, { outcome: 'failure', reason: 'hashWrong' });
  await settle();
  const failed = async (who: Client) => (await who.call(softAppTaskDeviceCalls.page, { criteria: { taskId: id, state: '4' } })).content;
  const [one] = await failed(manager);
  expect(one?.allowedActions).toEqual(['retry']);
  expect((await failed(clerk))[0]?.allowedActions).toEqual([]);
  expect(await faultOf(clerk.send(softAppTaskDeviceCalls.retry, { of: { ids: [one?.id ?? 0] }, preview: false }))).toBe('FORBIDDEN');
  await clerk.call(softAppTaskCalls.pause, { id });
  expect(await acts(id, manager)).toContain('recover');
  expect(await acts(id)).toEqual(['cancel']);
  expect(await faultOf(clerk.send(softAppTaskCalls.recover, { id }))).toBe('FORBIDDEN');
  const many = { of: { ids: [id] }, preview: false };
  expect(await clerk.call(softAppTaskCalls.recoverMany, many)).toMatchObject({ done: 0, refused: 1 });
  expect(await manager.call(softAppTaskCalls.recoverMany, many)).toMatchObject({ done: 1 });
});

test('a template of another product, of another organisation or of earlier rules goes along with nothing', async () => {
  const [here = ''] = await terminals(1);
  const second = await makeProduct(app, app.root, 'B10');
  const [there = ''] = await terminals(1, second);
  const versionId = await version('com.p.five', 1, [productId, second]);
  const ofSecond = await template(manager, { productId: second });
  await giveAll(ofSecond, 'a.example');
  const content = { action: 'install', versionId, templateId: ofSecond };
  const wrong = await manager.send(softAppTaskCalls.add, { ...(asked([here], content) as object), productId } as never);
  expect([wrong.body?.fault, Object.keys(wrong.body?.fields ?? {})]).toEqual(['PARAM_PRODUCT', ['content.templateId']]);
  const elsewhere = await version('com.p.six', 1);
  expect(
    await faultOf(manager.send(softAppTaskCalls.preview, { scope: to([here]), content: { ...content, versionId: elsewhere } } as never)),
  ).toBe('PARAM_PRODUCT');
  // Of a version for both products it goes to terminals of the template's alone.
  const taskId = await released([here, there], content);
  expect((await resultsOf(taskId)).map(({ sn }) => sn)).toEqual([there]);
  // Whom the release is for was never narrowed: without the template it goes to both.
  const draft = await manager.call(
    softAppTaskCalls.add,
    asked([here, there], { ...content, versionId: await version('com.p.both', 1, [productId, second]) }),
  );
  expect(draft.productId).toBeNull();
  const alone = { ...(draft.content as object), templateId: null };
  await manager.call(softAppTaskCalls.edit, { id: draft.id, ...(asked([here, there], alone) as object) } as never);
  await manager.call(softAppTaskCalls.enable, { id: draft.id });
  await settle();
  expect((await resultsOf(draft.id)).map(({ sn }) => sn)).toEqual([here, there].toSorted());
  const foreign = await template(outsider);
  expect(await faultOf(manager.send(softAppTaskCalls.add, asked([here], { ...content, templateId: foreign })))).toBe('NOT_FOUND');
  const old = await template();
  await run(sql`update paramfile_template set fields = '[{"key": "a", "type": "text", "pattern": "("}]' where id = ${old}`);
  const refused = await manager.send(softAppTaskCalls.add, asked([here], { ...content, templateId: old }));
  expect([refused.body?.fault, Object.keys(refused.body?.fields ?? {})]).toEqual(['PARAM_TEMPLATE_OLD', ['content.templateId']]);
});

test('a secret that goes along with an app stands in no table, answer or log', async () => {
  const [sn = ''] = await terminals(1);
  const [templateId, versionId] = [await template(), await version('com.p.seven', 1)];
  await giveAll(templateId, 'a.example');
  const taskId = await released([sn], { action: 'install', versionId, templateId });
  expect(JSON.stringify(await opened(sn))).toContain(SECRET);
  expect(JSON.stringify(await offersTo(sn))).not.toContain(SECRET);
  const answers = [await manager.call(softAppTaskCalls.detail, { id: taskId }), await resultsOf(taskId)];
  const log = await manager.call(logCalls.page, { page: { size: 100 } });
  const entries = await Promise.all(log.content.map(({ id }) => manager.call(logCalls.detail, { id })));
  expect(JSON.stringify([...answers, ...entries])).not.toContain(SECRET);
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

test('a template stays as long as a release of an app carries it; what is removed carries none', async () => {
  const [sn = ''] = await terminals(1);
  const [templateId, versionId] = [await template(), await version('com.p.eight', 1)];
  const draft = await manager.call(softAppTaskCalls.add, asked([sn], { action: 'install', versionId, templateId }));
  expect(await faultOf(manager.send(paramTemplateCalls.delete, { id: templateId }))).toBe('PARAM_TEMPLATE_IN_USE');
  const removal = { action: 'uninstall', packageName: 'com.p.eight', templateId, templateName: 'Till' };
  const edited = await manager.call(softAppTaskCalls.edit, { id: draft.id, ...(asked([sn], removal) as object) } as never);
  expect(edited.content).toMatchObject({ action: 'uninstall', templateId: null, templateName: '', templateRevision: null });
  await manager.call(paramTemplateCalls.delete, { id: templateId });
});

test('an update with parameters leaves out who doesn’t have the app, and the fields are those that the release was made with', async () => {
  const [has = '', lacks = ''] = await terminals(2);
  const [templateId, versionId] = [await template(), await version('com.p.nine', 2)];
  await giveAll(templateId, 'a.example');
  await hello(has, [{ id: 'com.p.nine', code: 1 }]);
  const draft = await manager.call(softAppTaskCalls.add, asked([has, lacks], { action: 'update', versionId, templateId }));
  await manager.call(paramTemplateCalls.update, {
    id: templateId,
    name: 'Till',
    fields: [...fields, { key: 'new', type: 'text', required: true }],
    remark: '',
  });
  await manager.call(softAppTaskCalls.enable, { id: draft.id });
  await settle();
  expect((await resultsOf(draft.id)).map(({ sn, state }) => [sn, state])).toEqual([[has, '2']]);
  expect(await opened(has)).toMatchObject({ settings: { values: { values: { host: 'a.example' } } } });
});

test('a release with older fields brings the app alone to who has today’s parameters already', async () => {
  const [current = '', behind = ''] = await terminals(2);
  const [templateId, versionId, other] = [await template(), await version('com.p.old', 1), await version('com.p.newer', 1)];
  await giveAll(templateId, 'a.example');
  const draft = await manager.call(softAppTaskCalls.add, asked([current, behind], { action: 'install', versionId, templateId }));
  await manager.call(paramTemplateCalls.update, {
    id: templateId,
    name: 'Till',
    fields: [...fields, { key: 'port', type: 'text', default: '443' }],
    remark: '',
  });
  const first = await released([current], { action: 'install', versionId: other, templateId });
  for (const one of await offers(first)) await subscribe('result', one, { outcome: 'success', version: '1' });
  await haveParams(templateId, [current]);
  await app.runJobs();
  await manager.call(softAppTaskCalls.enable, { id: draft.id });
  await settle();
  expect((await resultsOf(draft.id)).map(({ state }) => state)).toEqual(['2', '2']);
  const sent = (await offersTo(current)).at(-1);
  expect(sent).toMatchObject({ package: { app: { packageName: 'com.p.old' } } });
  expect(Object.keys(sent ?? {}).filter((key) => /settings|sealed/i.test(key))).toEqual([]);
  expect(await opened(behind)).toMatchObject({ settings: { values: { values: { host: 'a.example' } } } });
});

test('the templates that may go along are those for products of the version, found by their words; for others there is no version', async () => {
  const [second, third] = [await makeProduct(app, app.root, 'C10'), await makeProduct(app, app.root, 'D10')];
  const id = await version('com.p.ten', 1, [productId, second]);
  const named = async (name: string, product: number | null) => template(manager, { name, productId: product });
  for (const [name, product] of [
    ['Ten of all', null],
    ['Ten of A920', productId],
    ['Ten of C10', second],
    ['Ten of D10', third],
  ] as const)
    await named(name, product);
  const found = async (more: object = {}) =>
    (await manager.call(appVersionCalls.templates, { id, text: 'ten', ...more })).map(({ name }) => name);
  expect(await found()).toEqual(['Ten of C10', 'Ten of A920', 'Ten of all']);
  expect(await found({ productId: second })).toEqual(['Ten of C10', 'Ten of all']);
  expect(await found({ text: 'ten a920' })).toEqual(['Ten of A920']);
  expect(await faultOf(outsider.send(appVersionCalls.templates, { id, text: 'ten' }))).toBe('NOT_FOUND');
});
