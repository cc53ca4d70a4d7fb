import { advertTaskCalls } from '@mooring/contract/desktop/release-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { generalTaskCalls } from '@mooring/contract/task/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { pageGeneralTasks } from '../../engines/rollout/page-tasks.ts';
import { rolloutsOf } from '../../engines/rollout/release.factory.ts';
import { makeCtx } from '../../platform/app-context.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
let manager: Client;
const scope = { releaseScope: '0' as const };

beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', owner);
  await makeDevices(app, owner, await makeProduct(app, app.root), ['GEN00001']);
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
async function template(client: Client): Promise<number> {
  return (await client.call(paramTemplateCalls.add, { name: 'Till', fields: [{ key: 'host', type: 'text' }] })).id;
}
const draft = async (client: Client, name: string) =>
  client.call(androidTaskCalls.add, { name, content: { templateId: await template(client), values: { host: name } }, scope });
async function roleWith(code: string, menus: readonly string[]): Promise<string> {
  await run(sql`insert into access_role (code, name, type, platforms, menus, dept_id, dept_path)
    values (${code}, ${code}, '2', '{centre}', ${menus}::text[], 1, '1.')`);
  return code;
}

test('general releases are listed across kinds, filtered, sorted and found by their kind', async () => {
  const a = await draft(admin, 'Alpha');
  const b = await draft(admin, 'Beta');
  const network = await admin.call(networkConfigCalls.add, { name: 'No general one', content: { setting: 'hotspot' }, scope });
  const page = await admin.call(generalTaskCalls.page, { page: { sort: 'name', order: 'asc' } });
  expect(page.content.map((row) => [row.name, row.kind, row.content?.templateName])).toEqual([
    ['Alpha', 'androidParam', 'Till'],
    ['Beta', 'androidParam', 'Till'],
  ]);
  expect(page.content[0]?.allowedActions).toEqual(expect.arrayContaining(['edit', 'enable', 'delete']));
  const named = await admin.call(generalTaskCalls.page, { criteria: { name: 'bet', kind: 'androidParam', state: 'draft' } });
  expect(named.content.map((row) => row.id)).toEqual([b.id]);
  expect(await admin.call(generalTaskCalls.one, { id: a.id })).toEqual({ id: a.id, kind: 'androidParam', name: 'Alpha' });
  expect((await admin.send(generalTaskCalls.page, { criteria: { kind: 'firmware' } })).code).toBe(400);
  for (const { id } of [a, b]) await admin.call(androidTaskCalls.delete, { id });
  await admin.call(networkConfigCalls.delete, { id: network.id });
});

test('a kind that somebody may not see isn’t in their list, nor found', async () => {
  const task = await draft(admin, 'Params');
  const network = await admin.call(networkConfigCalls.add, { name: 'Network', content: { setting: 'hotspot' }, scope });
  // As if the network settings were a general kind too: this build has one.
  const kinds = rolloutsOf(app).kinds.filter(({ of }) => ['androidParam', 'networkConfig'].includes(of.kind));
  const seenWith = (permissions: readonly string[], acts: readonly 'page'[] | readonly ['page', 'export'] = ['page']) =>
    app.context.unscoped(async (db) => {
      const actor = { userId: 1, userName: 'x', deptId: 1, deptPath: '1.', permissions: new Set(permissions), sessionId: undefined };
      const ctx = makeCtx(
        app.context,
        { actor, scope: { platform: 'centre', deptId: 1, path: '1.' }, lang: 'en', timeZone: 'UTC', requestId: 'r', ip: '' },
        db,
      );
      const page = { size: 20, number: 1, sort: 'name', order: 'asc' as const };
      return (await pageGeneralTasks(kinds, ...acts)(ctx, { criteria: {}, page })).content.map((row) => row.name);
    });
  expect(await seenWith(['tms:androidParam:page', 'networkConfig:task:page'])).toEqual(['Network', 'Params']);
  expect(await seenWith(['tms:androidParam:page'])).toEqual(['Params']);
  expect(await seenWith(['networkConfig:task:page'])).toEqual(['Network']);
  expect(await seenWith(['networkConfig:task:page', 'tms:androidParam:page', 'tms:androidParam:export'], ['page', 'export'])).toEqual([
    'Params',
  ]);
  expect(await seenWith([])).toEqual([]);

  const without = await app.person(await roleWith('noParams', ['generalTask', 'networkConfig']), app.root);
  expect((await without.send(generalTaskCalls.page, {})).code).toBe(403);
  expect((await without.send(generalTaskCalls.one, { id: task.id })).code).toBe(403);
  const reader = await app.person(await roleWith('readsParams', ['generalTask', 'tms:androidParam:page']), app.root);
  expect((await reader.call(generalTaskCalls.page, {})).content.map((row) => [row.name, row.allowedActions])).toEqual([['Params', []]]);
  expect((await reader.send(generalTaskCalls.export, { criteria: {}, columns: ['name'] })).code).toBe(403);
  expect((await reader.send(generalTaskCalls.one, { id: network.id })).code).toBe(404);
  expect((await reader.send(androidTaskCalls.delete, { id: task.id })).code).toBe(403);
});

test('releases of another organisation are not there', async () => {
  const other = await app.person('orgManager', await app.dept('Other bank'));
  const own = await draft(manager, 'Own');
  expect((await other.send(generalTaskCalls.one, { id: own.id })).code).toBe(404);
  expect((await other.call(generalTaskCalls.page, { criteria: { name: 'Own' } })).content).toEqual([]);
  const branch = await app.person('orgManager', await app.dept('Branch', owner));
  expect((await branch.call(generalTaskCalls.page, { criteria: { name: 'Own' } })).content).toMatchObject([
    { id: own.id, allowedActions: [] },
  ]);
});

test('many general releases are acted on at once, each by the rights of its own kind; one of a kind that isn’t seen isn’t there', async () => {
  const params = await draft(admin, 'Many params');
  const advert = await admin.call(advertTaskCalls.add, { name: 'Many adverts', content: { action: 'reset', place: 'idle' }, scope });
  const network = await admin.call(networkConfigCalls.add, { name: 'Many networks', content: { setting: 'hotspot' }, scope });
  const ids = [params.id, advert.id, network.id];
  expect(await admin.call(generalTaskCalls.deleteMany, { of: { ids }, preview: true })).toMatchObject({ total: 2, done: 0, refused: 0 });
  expect(await admin.call(generalTaskCalls.pauseMany, { of: { ids } })).toMatchObject({
    total: 2,
    done: 0,
    failed: [{ fault: 'OVERTAKEN' }, { fault: 'OVERTAKEN' }],
  });
  const other = await app.person('orgManager', await app.dept('Another bank'));
  // What comes from above is seen below, and isn’t theirs to change.
  expect(await other.call(generalTaskCalls.deleteMany, { of: { ids } })).toMatchObject({
    done: 0,
    failed: [{ fault: 'OVERTAKEN' }, { fault: 'OVERTAKEN' }],
  });

  const rights = ['generalTask', 'tms:androidParam:page', 'tms:androidParam:delete'];
  const half = await app.person(await roleWith('deletesParams', rights), app.root);
  expect((await half.send(generalTaskCalls.cancelMany, { of: { ids } })).code).toBe(403);
  expect(await half.call(generalTaskCalls.deleteMany, { of: { ids: [advert.id] } })).toMatchObject({ total: 0, done: 0 });
  const both = await app.person(await roleWith('seesAdverts', [...rights, 'tms:storeAdvertSpace:page']), app.root);
  expect(await both.call(generalTaskCalls.deleteMany, { of: { criteria: { name: 'Many' } } })).toMatchObject({
    total: 2,
    done: 1,
    failed: [{ id: advert.id, label: 'Many adverts', fault: 'OVERTAKEN' }],
  });
  expect(await admin.call(generalTaskCalls.deleteMany, { of: { criteria: { name: 'Many', kind: 'androidParam' } } })).toMatchObject({
    total: 0,
  });
  expect(await admin.call(generalTaskCalls.deleteMany, { of: { criteria: { name: 'Many' } } })).toMatchObject({ total: 1, done: 1 });
  await admin.call(networkConfigCalls.delete, { id: network.id });
});

test('what a terminal says of its parameters stands on its page, a secret only as set', async () => {
  const [device] = await run(
    sql<{ id: number }>`update device set android_params = '{"host": "a", "pin": null}' where sn = 'GEN00001' returning id`,
  );
  expect((await admin.call(deviceCalls.detail, { id: device?.id ?? 0 })).androidParams).toEqual({ host: 'a', pin: null });
});
