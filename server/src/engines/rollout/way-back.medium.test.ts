import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { appPermissionCalls } from '@mooring/contract/app-permission/calls';
import { desktopTaskCalls } from '@mooring/contract/desktop/release-calls';
import type { Settings } from '@mooring/contract/device/messages';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { paramTaskCalls } from '@mooring/contract/paramfile/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeParamSet, makeParamTemplate, makeProduct, makeShown } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { listVersion, saysApps } from '../../modules/app/catalogue.factory.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing } from './release.factory.ts';
import { settingsDigest } from './settings/setting-kind.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
let manager: Client;
let productId = 0;
const { settle, offers, subscribe, sns } = releasing(
  () => app,
  () => admin,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  productId = await makeProduct(app, bank, 'A920');
});
afterAll(() => app.stop());

const run = (query: ReturnType<typeof sql>) => app.context.unscoped((db) => query.execute(db));
async function terminals(count: number, capability: string): Promise<string[]> {
  const names = sns(count);
  await makeDevices(app, bank, productId, names);
  await run(sql`update device set capabilities = ${[capability]}::text[] where sn = any(${names}::text[])`);
  return names;
}
/** As the terminal reports it. */
const has = (sn: string, section: string, digest: string | null) =>
  run(
    digest === null
      ? sql`update device set settings = settings - ${section}::text where sn = ${sn}`
      : sql`update device set settings = settings || jsonb_build_object(${section}::text, ${digest}::text) where sn = ${sn}`,
  );
/** Goes out to these, who all take it. */
async function sent(calls: TaskCalls, content: object, names: readonly string[], version?: string, more: object = {}): Promise<number> {
  const task = await manager.call(calls.add, {
    name: 'To go back from',
    content,
    scope: { releaseScope: '2', sns: [...names] },
    release: true,
    ...more,
  } as never);
  await settle();
  for (const offer of await offers(task.id))
    await subscribe('result', offer, { outcome: 'success', ...(version === undefined ? {} : { version }) });
  await settle();
  return task.id;
}
const ways = (calls: TaskCalls, id: number, of: object = {}) => manager.call(calls.previous, { id, ...of } as never);
/** Whom the release that leads back reaches. */
async function reached(calls: TaskCalls, id: number, content: object, had: string | null, ring: number | null = null) {
  const scope = { releaseScope: '1', updatedBy: { taskId: id, ring, had } };
  return (await manager.call(calls.preview, { content, scope, delivery: { allowDowngrade: true } } as never)).matched;
}

test('what is shown goes back to the version that each terminal had; where none was shown its own comes back', async () => {
  const calls = desktopTaskCalls as unknown as TaskCalls;
  const section = 'customizeDesktop';
  const [one, two, gone] = [
    await makeShown(app, bank, 'desktop_desktop', 'Summer', true),
    await makeShown(app, bank, 'desktop_desktop', 'Winter', true),
    await makeShown(app, bank, 'desktop_desktop', 'Spring', true),
  ];
  const digest = (n: number) => `${n}`.repeat(16);
  for (const [at, id] of [one, two, gone].entries())
    await run(sql`update desktop_desktop set version = ${digest(at + 1)} where id = ${id}`);
  const [summer = '', none = '', spring = '', unknown = '', other = ''] = await terminals(5, section);
  await has(summer, section, digest(1));
  await has(spring, section, digest(3));
  await has(unknown, section, digest(9));
  const rings = [{ sns: [summer, none], openAt: 0 }, { share: 100 }];
  const id = await sent(calls, { action: 'config', contentId: two }, [summer, none, spring, unknown, other], digest(2), {
    delivery: { rings },
  });
  for (const sn of [summer, none, spring, unknown, other]) await has(sn, section, digest(2));
  await run(sql`update desktop_desktop set state = 'draft' where id = ${gone}`);
  const back = { action: 'config', contentId: one, contentName: 'Summer' };
  const own = { action: 'reset', contentId: null, contentName: '' };
  expect(await ways(calls, id)).toEqual([
    { version: null, count: 2, packageId: null, content: own, cant: null },
    { version: digest(1), count: 1, packageId: null, content: back, cant: null },
    { version: digest(3), count: 1, packageId: null, content: null, cant: 'notPublished' },
    { version: digest(9), count: 1, packageId: null, content: null, cant: 'noRecord' },
  ]);
  expect((await ways(calls, id, { ring: 1 })).map(({ version, count }) => [version, count])).toEqual([
    [digest(1), 1],
    [null, 1],
  ]);
  expect(await reached(calls, id, back, digest(1))).toBe(1);
  expect(await reached(calls, id, own, null)).toBe(2);
  expect(await reached(calls, id, own, null, 1)).toBe(1);
  // What has something else by now is left alone.
  await has(none, section, digest(4));
  expect(await reached(calls, id, own, null)).toBe(1);
  const outsider = await app.person('orgManager', await app.dept('Other bank'));
  expect((await outsider.send(calls.previous, { id })).code).toBe(404);
});

test('apps go back to the version before, or go where there was none; of another certificate there is no way', async () => {
  const calls = softAppTaskCalls as unknown as TaskCalls;
  const packageName = 'com.back.app';
  const at = { products: [productId], packageName, at: bank };
  const old = await listVersion(app, manager, { ...at, code: 5 });
  const versionId = await listVersion(app, manager, { ...at, code: 7 });
  const [fresh = '', older = '', strange = '', unknown = ''] = await terminals(4, 'softApp');
  await saysApps(app, older, [{ id: packageName, code: 5 }]);
  await saysApps(app, unknown, [{ id: packageName, code: 3 }]);
  await saysApps(app, strange, [{ id: packageName, code: 5 }]);
  await run(sql`update device_app a set certificate = 'x' from device d where d.id = a.device_id and d.sn = ${strange}`);
  const id = await sent(calls, { action: 'install', versionId }, [fresh, older, strange, unknown]);
  for (const sn of [fresh, older, unknown]) await saysApps(app, sn, [{ id: packageName, code: 7 }]);
  const found = await ways(calls, id);
  expect(found.map(({ version, content, cant }) => [version, content?.action ?? null, cant])).toEqual([
    ['(5)', null, 'otherCertificate'],
    ['3', null, 'noRecord'],
    ['5', 'install', null],
    [null, 'uninstall', null],
  ]);
  const [, , back, removal] = found;
  expect(back?.content).toMatchObject({ versionId: old, versionCode: 5, packageName });
  expect(await reached(calls, id, back?.content ?? {}, '5')).toBe(1);
  expect(await reached(calls, id, removal?.content ?? {}, null)).toBe(1);
  await run(sql`update app_version set review_state = '4' where id = ${old}`);
  expect((await ways(calls, id)).find(({ version }) => version === '5')).toMatchObject({ content: null, cant: 'notPublished' });
});

test.each([
  [
    'app permissions',
    appPermissionCalls as unknown as TaskCalls,
    { list: 'print', action: 'config', apps: ['com.a'] },
    { list: 'print', action: 'config', apps: ['com.b'] },
    'appPermission.print',
    'appPermission',
  ],
  [
    'network settings',
    networkConfigCalls as unknown as TaskCalls,
    { setting: 'hotspot', action: 'config', hotspot: true },
    { setting: 'hotspot', action: 'config', hotspot: false },
    'networkConfig.hotspot',
    'networkConfig',
  ],
])('%s go back to what an earlier release set, or are put back', async (_name, calls, first, second, section, capability) => {
  const [was = '', none = ''] = await terminals(2, capability);
  const earlier = await sent(calls, first, [was]);
  const digestOf = async (id: number) => {
    const { rows } = await app.context.unscoped((db) =>
      sql<{
        d: string;
      }>`select data->'settings' as d from gateway_outbox where topic = 'offer' and data->'task'->>'id' = ${String(id)}`.execute(db),
    );
    return settingsDigest((rows[0] as unknown as { d: { values: Record<string, unknown> } }).d.values as never) ?? '';
  };
  const before = await digestOf(earlier);
  await has(was, section, before);
  const id = await sent(calls, second, [was, none]);
  const after = await digestOf(id);
  for (const sn of [was, none]) await has(sn, section, after);
  const found = await ways(calls, id);
  expect(found.map(({ version, cant }) => [version, cant])).toEqual([
    [before, null],
    [null, null],
  ]);
  expect(found[0]?.content).toMatchObject(first);
  expect(found[1]?.content).toMatchObject({ action: 'reset' });
  expect(await reached(calls, id, found[0]?.content ?? {}, before)).toBe(1);
  expect(await reached(calls, id, found[1]?.content ?? {}, null)).toBe(1);
});

test('Android parameters go back to the values before, to those of each terminal, or are put back', async () => {
  const calls = androidTaskCalls as unknown as TaskCalls;
  const templateId = await makeParamTemplate(app, bank);
  const section = `androidParam.${templateId}`;
  const [was = '', own = '', none = ''] = await terminals(3, 'androidParam');
  const values = (host: string) => ({ templateId, action: 'config', mode: 'task', values: { host } });
  const digestIn = async (sn: string) => {
    const { rows } = await app.context.unscoped((db) =>
      sql<{ v: { values: Settings['values'] } }>`
        select data->'settings' as v from gateway_outbox where topic = 'offer' and sn = ${sn} order by id desc limit 1`.execute(db),
    );
    return settingsDigest(rows[0]?.v.values ?? null) ?? '';
  };
  await sent(calls, values('a.example'), [was]);
  const before = await digestIn(was);
  await has(was, section, before);
  await sent(calls, { templateId, action: 'config', mode: 'own' }, [own], 'd0');
  await has(own, section, 'd0');
  const id = await sent(calls, values('b.example'), [was, own, none], 'd1');
  for (const sn of [was, own, none]) await has(sn, section, 'd1');
  const found = await ways(calls, id);
  expect(found.map(({ version, cant }) => [version, cant]).toSorted()).toEqual(
    [
      [before, null],
      ['own', null],
      [null, null],
    ].toSorted(),
  );
  const of = (had: string | null) => found.find(({ version }) => version === had)?.content ?? {};
  expect(of(before)).toMatchObject({ action: 'config', values: { host: 'a.example' } });
  expect(of('own')).toMatchObject({ mode: 'own', templateId });
  expect(of(null)).toMatchObject({ action: 'reset', templateId });
  for (const had of [before, 'own', null]) expect(await reached(calls, id, of(had), had), String(had)).toBe(1);
});

test('each terminal goes back to the upload with the file that it had; without one there is no way', async () => {
  const calls = paramTaskCalls as unknown as TaskCalls;
  const [first, second] = [await makeParamSet(app, bank, 'Before'), await makeParamSet(app, bank, 'After')];
  const [was = '', none = '', lost = ''] = await terminals(3, 'paramFile');
  const file = (setId: number, sn: string, sha: string) =>
    run(sql`insert into paramfile_file (set_id, device_id, sn, file_name, size, sha256, dept_path)
      select ${setId}, id, sn, 'f', 1, ${sha.repeat(64)}, dept_path from device where sn = ${sn}`);
  await file(first, was, 'a');
  for (const [at, sn] of [was, none, lost].entries()) await file(second, sn, 'bcd'[at] ?? '');
  await has(was, 'paramFile', 'a'.repeat(16));
  await has(lost, 'paramFile', 'e'.repeat(16));
  const id = await sent(calls, { setId: second }, [was, none, lost]);
  for (const [at, sn] of [was, none, lost].entries()) await has(sn, 'paramFile', ('bcd'[at] ?? '').repeat(16));
  const found = await ways(calls, id);
  expect(found).toEqual([
    { version: String(first), count: 1, packageId: null, content: { setId: first, setName: 'Before' }, cant: null },
    { version: '?', count: 1, packageId: null, content: null, cant: 'noRecord' },
    { version: null, count: 1, packageId: null, content: null, cant: 'noRemoval' },
  ]);
  expect(await reached(calls, id, { setId: first }, String(first))).toBe(1);
});
