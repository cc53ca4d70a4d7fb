import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { appPermissionCalls, appPermissionDeviceCalls } from '@mooring/contract/app-permission/calls';
import { desktopTaskCalls } from '@mooring/contract/desktop/release-calls';
import type { Settings } from '@mooring/contract/device/messages';
import type { TaskCalls, TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
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
const reportedBy = async (sn: string, section: string): Promise<string> => {
  const { rows } = await app.context.unscoped((db) =>
    sql<{ version: string | null }>`select settings ->> ${section}::text as version from device where sn = ${sn}`.execute(db),
  );
  return rows[0]?.version ?? '';
};
/** As the terminal reports it. */
const has = (sn: string, section: string, digest: string | null) =>
  run(
    digest === null
      ? sql`update device set settings = settings - ${section}::text where sn = ${sn}`
      : sql`update device set settings = settings || jsonb_build_object(${section}::text, ${digest}::text) where sn = ${sn}`,
  );
/** What a terminal says that it has now, of what it was offered. */
async function saidOf(offer: string): Promise<{ version?: string }> {
  const { rows } = await app.context.unscoped((db) =>
    sql<{ data: { package?: { version: string }; settings?: Settings } }>`
      select data from gateway_outbox where topic = 'offer' and data ->> 'offer' = ${offer}`.execute(db),
  );
  const { package: of, settings } = rows[0]?.data ?? {};
  const version = of?.version ?? settingsDigest(settings?.values ?? null);
  return version === null ? {} : { version };
}
/** Those who have yet to take it do; by SN, what they say that they have then. */
async function taken(id: number): Promise<ReadonlyMap<string, string | null>> {
  const said = new Map<string, string | null>();
  await settle();
  for (const offer of await offers(id)) {
    const { version } = await saidOf(offer.offer);
    await subscribe('result', offer, { outcome: 'success', ...(version === undefined ? {} : { version }) });
    said.set(offer.sn, version ?? null);
  }
  await settle();
  return said;
}
const draft = async (calls: TaskCalls, content: object, names: readonly string[], more: object = {}): Promise<number> => {
  const scope = { releaseScope: '2', sns: [...names] };
  return (await manager.call(calls.add, { name: 'To go back from', content, scope, ...more } as never)).id;
};
/** Goes out to these, who all take it; those of a section report it. */
async function sent(calls: TaskCalls, content: object, names: readonly string[], section?: string, more: object = {}): Promise<number> {
  const id = await draft(calls, content, names, { release: true, ...more });
  for (const [sn, version] of await taken(id)) if (section !== undefined) await has(sn, section, version);
  return id;
}
const ways = (calls: TaskCalls, id: number, of: object = {}) => manager.call(calls.previous, { id, ...of } as never);
const nowhere = { packageId: null, content: null, cant: null, fault: null };
/** Whom the release that leads back reaches. */
async function reached(calls: TaskCalls, id: number, content: object, had: string | null, of: { ring?: number; sn?: string } = {}) {
  const scope = { releaseScope: '1', updatedBy: { taskId: id, had: [had], ...of } };
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
  const id = await sent(calls, { action: 'config', contentId: two }, [summer, none, spring, unknown, other], section, {
    delivery: { rings },
  });
  await run(sql`update desktop_desktop set state = 'draft' where id = ${gone}`);
  const back = { action: 'config', contentId: one, contentName: 'Summer' };
  const own = { action: 'reset', contentId: null, contentName: '' };
  expect(await ways(calls, id)).toEqual([
    { version: null, had: [null], count: 2, ...nowhere, content: own },
    { version: digest(1), had: [digest(1)], count: 1, ...nowhere, content: back },
    { version: digest(3), had: [digest(3)], count: 1, ...nowhere, cant: 'notPublished' },
    { version: digest(9), had: [digest(9)], count: 1, ...nowhere, cant: 'noRecord' },
  ]);
  expect((await ways(calls, id, { ring: 1 })).map(({ version, count }) => [version, count])).toEqual([
    [digest(1), 1],
    [null, 1],
  ]);
  expect(await reached(calls, id, back, digest(1))).toBe(1);
  expect(await reached(calls, id, own, null)).toBe(2);
  expect(await reached(calls, id, own, null, { ring: 1 })).toBe(1);
  expect(await reached(calls, id, own, null, { sn: none.toLowerCase() })).toBe(1);
  // What has something else by now is left alone.
  await has(none, section, digest(4));
  expect(await reached(calls, id, own, null)).toBe(1);
  expect(await reached(calls, id, own, null, { sn: none })).toBe(0);
  const outsider = await app.person('orgManager', await app.dept('Other bank'));
  expect((await outsider.send(calls.previous, { id })).code).toBe(404);
});

const apps = softAppTaskCalls as unknown as TaskCalls;
const actionsOf = async (id: number, by = manager) =>
  (await by.call(apps.previous, { id })).map(({ version, count, content, cant }) => [version, count, content?.action ?? null, cant]);

test('apps go back to the version before, or go where there was none; of another certificate there is no way', async () => {
  const packageName = 'com.back.app';
  const at = { products: [productId], packageName, at: bank };
  const old = await listVersion(app, manager, { ...at, code: 5 });
  const versionId = await listVersion(app, manager, { ...at, code: 7 });
  // Of another organisation by the same name and code: newer here, and nobody's before.
  const others = await listVersion(app, admin, { ...at, at: app.root, code: 5 });
  await run(sql`update app_version set certificate_sha256 = ${'cd'.repeat(32)} where id = ${others}`);
  const [fresh = '', older = '', strange = '', unknown = ''] = await terminals(4, 'softApp');
  await saysApps(app, fresh, []);
  await saysApps(app, older, [{ id: packageName, code: 5 }]);
  await saysApps(app, unknown, [{ id: packageName, code: 3 }]);
  await saysApps(app, strange, [{ id: packageName, code: 5 }]);
  await run(sql`update device_app a set certificate = 'x' from device d where d.id = a.device_id and d.sn = ${strange}`);
  const id = await sent(apps, { action: 'install', versionId }, [fresh, older, strange, unknown]);
  for (const sn of [fresh, older, unknown]) await saysApps(app, sn, [{ id: packageName, code: 7 }]);
  expect(await actionsOf(id)).toEqual([
    ['(5)', 1, null, 'otherCertificate'],
    ['3', 1, null, 'noRecord'],
    ['5', 1, 'install', null],
    [null, 1, 'uninstall', null],
  ]);
  const [, , back, removal] = await ways(apps, id);
  expect(back?.content).toMatchObject({ versionId: old, versionCode: 5, packageName });
  expect(await reached(apps, id, back?.content ?? {}, '5')).toBe(1);
  expect(await reached(apps, id, removal?.content ?? {}, null)).toBe(1);
  await run(sql`update app_version set review_state = '4' where id = ${old}`);
  expect((await ways(apps, id)).find(({ version }) => version === '5')).toMatchObject({ content: null, cant: 'notPublished' });
  await run(sql`update app_version set review_state = '2', deleted_at = now() where id = ${old}`);
  expect((await ways(apps, id)).find(({ version }) => version === '5')).toMatchObject({ content: null, cant: 'noRecord' });
});

test('what a terminal had is what it has when it is sent to; of whom that isn’t known nothing is taken away', async () => {
  const packageName = 'com.first.contact';
  const at = { products: [productId], packageName, at: bank };
  await listVersion(app, manager, { ...at, code: 5 });
  const versionId = await listVersion(app, manager, { ...at, code: 7 });
  const [never = '', later = ''] = await terminals(2, 'softApp');
  await run(sql`update device set status = '1', activated_at = null where sn = ${never}`);
  const startAt = new Date(app.clock.now.getTime() + 60_000).toISOString();
  const id = await draft(apps, { action: 'install', versionId }, [never, later], { release: true, delivery: { startAt } });
  await settle();
  // Chosen without it; each has it by the time that it is sent to.
  for (const sn of [never, later]) await saysApps(app, sn, [{ id: packageName, code: 5 }]);
  await run(sql`update device set status = '3', activated_at = now() where sn = ${never}`);
  app.clock.now = new Date(app.clock.now.getTime() + 120_000);
  await run(sql`update rollout_result set next_at = ${app.clock.now} where task_id = ${id}`);
  expect([...(await taken(id)).values()]).toEqual(['7', '7']);
  expect(await actionsOf(id)).toEqual([['5', 2, 'install', null]]);
  await run(sql`update rollout_result set from_version = null, from_known = null where task_id = ${id} and sn = ${never}`);
  await run(sql`update rollout_result set from_version = null where task_id = ${id} and sn = ${later}`);
  for (const sn of [never, later]) await saysApps(app, sn, [{ id: packageName, code: 7 }]);
  const found = await ways(apps, id);
  expect(found.map(({ version, had, cant }) => [version, had, cant])).toEqual([
    [null, ['?'], 'noRecord'],
    [null, [null], null],
  ]);
  expect(await reached(apps, id, found[1]?.content ?? {}, null)).toBe(1);
});

test('of a terminal that may have had an app without naming it, that app isn’t taken away', async () => {
  const packageName = 'com.not.named';
  const versionId = await listVersion(app, manager, { products: [productId], packageName, at: bank, code: 7 });
  const [all = '', some = '', silent = '', seen = ''] = await terminals(4, 'softApp');
  const [other, named] = [
    { id: 'com.other', code: 1 },
    { id: packageName, code: 5 },
  ];
  await saysApps(app, all, [other]);
  // More than there was room for; and as one that doesn't know how many there are.
  await saysApps(app, some, [other], ['softApp'], 301);
  await saysApps(app, silent, [other], ['softApp'], null);
  await saysApps(app, seen, [named], ['softApp'], null);
  const id = await sent(apps, { action: 'install', versionId }, [all, some, silent, seen]);
  for (const sn of [all, some, silent, seen]) await saysApps(app, sn, [{ id: packageName, code: 7 }]);
  const found = await ways(apps, id);
  expect(found.map(({ version, had, count, content, cant }) => [version, had, count, content?.action ?? null, cant])).toEqual([
    [null, ['?'], 2, null, 'noRecord'],
    ['5', ['5'], 1, null, 'noRecord'],
    [null, [null], 1, 'uninstall', null],
  ]);
  expect(await reached(apps, id, found[2]?.content ?? {}, null)).toBe(1);
});

test('a removal goes back to the version that a release had brought; where none is on record nobody knows which it was', async () => {
  const packageName = 'com.removed.app';
  const versionId = await listVersion(app, manager, { products: [productId], packageName, at: bank, code: 5 });
  const [brought = '', own = '', updated = ''] = await terminals(3, 'softApp');
  await sent(apps, { action: 'install', versionId }, [brought, updated]);
  for (const sn of [brought, updated]) await saysApps(app, sn, [{ id: packageName, code: 5 }]);
  await saysApps(app, own, [{ id: packageName, code: 4 }]);
  const id = await sent(apps, { action: 'uninstall', packageName, appName: 'Removed' }, [brought, own, updated]);
  for (const sn of [brought, own]) await saysApps(app, sn, []);
  // Somebody installed another one meanwhile: it is left alone.
  await saysApps(app, updated, [{ id: packageName, code: 6 }]);
  expect(await actionsOf(id)).toEqual([
    ['5', 2, 'install', null],
    ['4', 1, null, 'noRecord'],
  ]);
  const [back] = await ways(apps, id);
  expect(back?.content).toMatchObject({ versionId, versionCode: 5 });
  expect(await reached(apps, id, back?.content ?? {}, '5')).toBe(1);
});

test('a try that follows an unheard one doesn’t take for what was there before what that one brought', async () => {
  const calls = appPermissionCalls as unknown as TaskCalls;
  const [sn = ''] = await terminals(1, 'appPermission');
  const section = 'appPermission.print';
  await has(sn, section, 'before'.padEnd(16, '0'));
  const content = { list: 'print', action: 'config', apps: ['com.again'] };
  const id = await draft(calls, content, [sn], { release: true, delivery: { retryWaitSeconds: 1 } });
  await settle();
  const [offer] = await offers(id);
  if (!offer) throw new Error('nothing was sent');
  const { version } = await saidOf(offer.offer);
  await subscribe('result', offer, { outcome: 'failure', reason: 'unknown' });
  await has(sn, section, version ?? null);
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  await taken(id);
  expect((await ways(calls, id)).map((way) => way.version)).toEqual(['before'.padEnd(16, '0')]);
});

test('a roll-back is offered to the owner of the release alone', async () => {
  const calls = appPermissionCalls as unknown as TaskCalls;
  const content = { list: 'print', action: 'config', apps: ['com.offered'] };
  const [sn = ''] = await terminals(1, 'appPermission');
  const scope = { releaseScope: '2', sns: [sn] };
  const { id } = await admin.call(calls.add, { name: 'Of head office', content, scope, release: true } as never);
  await taken(id);
  const offered = async (by: Client) => (await by.call(calls.detail, { id })).allowedActions.includes('revert');
  expect([await offered(admin), await offered(manager)]).toEqual([true, false]);
  const devices = appPermissionDeviceCalls as unknown as TaskDeviceCalls;
  const ofDevice = async (by: Client) => (await by.call(devices.page, { criteria: { taskId: id } })).content[0]?.allowedActions;
  expect(await ofDevice(admin)).toContain('revert');
  expect(await ofDevice(manager)).not.toContain('revert');
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
  // Written before, and sent after: what went out first was there first.
  const id = await draft(calls, second, [was, none]);
  await sent(calls, first, [was], section);
  const before = await reportedBy(was, section);
  await manager.call(calls.submit, { id });
  await manager.call(calls.enable, { id });
  for (const [sn, version] of await taken(id)) await has(sn, section, version);
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
  await sent(calls, values('a.example'), [was], section);
  const before = await reportedBy(was, section);
  await sent(calls, { templateId, action: 'config', mode: 'own' }, [own], section);
  const id = await sent(calls, values('b.example'), [was, own, none], section);
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
  const id = await sent(calls, { setId: second }, [was, none, lost], 'paramFile');
  const found = await ways(calls, id);
  expect(found).toEqual([
    { version: String(first), had: [String(first)], count: 1, ...nowhere, content: { setId: first, setName: 'Before' } },
    { version: null, had: ['?'], count: 1, ...nowhere, cant: 'noRecord' },
    { version: null, had: [null], count: 1, ...nowhere, cant: 'noRemoval' },
  ]);
  expect(await reached(calls, id, { setId: first }, String(first))).toBe(1);
  // Uploaded once more while the way back waits: that is still the same file.
  const again = await makeParamSet(app, bank, 'Again');
  await file(again, was, 'a');
  expect(await reached(calls, id, { setId: first }, String(first))).toBe(1);
  expect((await ways(calls, id))[0]).toMatchObject({ version: String(again), count: 1 });
  // As a server of the version before wrote it, who didn't know what was there.
  await run(sql`update rollout_result set from_version = null, from_known = null where task_id = ${id}`);
  expect(await ways(calls, id)).toEqual([{ version: null, had: ['?'], count: 3, ...nowhere, cant: 'noRecord' }]);
});

test('what a terminal says that it was sent leads nobody else back to it', async () => {
  const section = 'networkConfig.wifiWhitelist';
  const content = (ssid: string) => ({ setting: 'wifiWhitelist', ssids: [ssid] });
  const common = settingsDigest({ ssids: ['common'] }) ?? '';
  const [liar = '', honest = ''] = await terminals(2, 'networkConfig');
  await has(honest, section, common);
  const lie = await draft(networkConfigCalls as unknown as TaskCalls, content('evil'), [liar], { release: true });
  await settle();
  for (const offer of await offers(lie)) await subscribe('result', offer, { outcome: 'success', version: common });
  await has(liar, section, common);
  const id = await sent(networkConfigCalls as unknown as TaskCalls, content('new'), [liar, honest], section);
  expect(await ways(networkConfigCalls as unknown as TaskCalls, id)).toMatchObject([{ version: common, count: 2, cant: 'noRecord' }]);
});
