import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { advertTaskCalls, advertTaskDeviceCalls, customizationTaskCalls, desktopTaskCalls } from '@mooring/contract/desktop/release-calls';
import { shownCalls } from '@mooring/contract/desktop/shown-calls';
import { fileCalls, type UploadedFile } from '@mooring/contract/file/calls';
import { documentIn } from '@mooring/terminal/show-content';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDevices, makeFile, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import { UPLOAD_QUOTA } from '../file/api.ts';
import { direct } from '../file/upload.factory.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let owner: DeptAt;
let below: DeptAt;
let other: DeptAt;
let admin: Client;
let manager: Client;
let lower: Client;
let outsider: Client;
let productId: number;
const { settle, sns } = releasing(
  () => app,
  () => admin,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  below = await app.dept('Branch', owner);
  other = await app.dept('Other bank');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', owner);
  lower = await app.person('orgManager', below);
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
const png = (red = 1) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: red, g: 2, b: 3 } } })
    .png()
    .toBuffer();
const mp4 = Buffer.concat([Buffer.from('0000001c66747970', 'hex'), Buffer.from('isom\0\0\0\0isomavc1mp42'), Buffer.alloc(200, 7)]);
const put = (client: Client, name: string, bytes: Buffer, type = '1') => direct(app.http, client, { type, name, bytes });
let shade = 0;
async function uploaded(client: Client, name = 'shop.png', bytes?: Buffer, type = '1'): Promise<UploadedFile> {
  shade += 1;
  const answer = await put(client, name, bytes ?? (await png(shade)), type);
  expect(answer.code).toBe(200);
  return answer.body as unknown as UploadedFile;
}
async function advert(client = manager, more: object = {}) {
  const file = await uploaded(client);
  return client.call(advertCalls.add, { name: 'Summer', place: 'idle', items: [{ fileId: file.id, seconds: 5 }], ...more });
}
const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
async function terminals(count: number, at = owner): Promise<string[]> {
  const names = sns(count);
  await makeDevices(app, at, productId, names);
  await run(
    sql`update device set capabilities = '{storeAdvertSpace,systemCustomization,customizeDesktop}' where sn = any(${names}::text[])`,
  );
  return names;
}
const to = (names: readonly string[]) => ({ releaseScope: '2' as const, sns: [...names] });
const offers = (names: readonly string[]) =>
  run(sql<{ sn: string; data: Record<string, never> }>`
    select sn, data from gateway_outbox where topic = 'offer' and sn = any(${names}::text[]) order by id`);

describe('what goes up', () => {
  test.each([
    ['a drawing that may hold a script', 'shop.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), '1', 'FILE_KIND_REFUSED'],
    ['a page', 'shop.html', Buffer.from('<html></html>'), '1', 'FILE_KIND_REFUSED'],
    ['a page called a picture', 'shop.png', Buffer.from('<html><script>1</script></html>'), '1', 'FILE_NOT_GENUINE'],
    ['a page called a video', 'shop.mp4', Buffer.from('<html><script>1</script></html>'), '10', 'FILE_NOT_GENUINE'],
    ['a video called a picture', 'shop.png', mp4, '1', 'FILE_NOT_GENUINE'],
    ['another kind of video', 'shop.avi', mp4, '10', 'FILE_KIND_REFUSED'],
  ])('%s is refused', async (_name, name, bytes, type, fault) => {
    expect((await put(manager, name, bytes, type)).body?.fault).toBe(fault);
  });

  test('a video is taken from who may make adverts, and from nobody else', async () => {
    expect((await put(manager, 'shop.mp4', mp4, '10')).code).toBe(200);
    const reader = await app.person('auditor', owner);
    expect((await put(reader, 'shop.mp4', mp4, '10')).code).toBe(403);
  });
});

describe('a playlist', () => {
  test('notes what its files are, and its archive says what it is of and holds their bytes', async () => {
    const picture = await uploaded(manager);
    const video = await uploaded(manager, 'shop.mp4', mp4, '10');
    const made = await manager.call(advertCalls.add, {
      name: 'Spring',
      place: 'main',
      items: [
        { fileId: video.id, name: 'x.exe', media: 'picture' },
        { fileId: picture.id, seconds: 3, weight: 5 },
      ],
    });
    expect(made.items).toEqual([
      { fileId: video.id, seconds: 10, name: 'shop.mp4', media: 'video' },
      { fileId: picture.id, seconds: 3, weight: 5, name: 'shop.png', media: 'picture' },
    ]);
    const published = await manager.call(advertCalls.publish, { id: made.id });
    expect(published).toMatchObject({ state: 'published', version: expect.stringMatching(/^[0-9a-f]{16}$/) });
    const [row] = await run(sql<{ archive_sha256: string }>`select archive_sha256 from desktop_advert where id = ${made.id}`);
    const archive = await buffer(await diskStore(join(app.dataDir, 'blobs')).read(row?.archive_sha256 ?? ''));
    expect(createHash('sha256').update(archive).digest('hex')).toBe(row?.archive_sha256);
    const document = documentIn(archive);
    expect(document).toMatchObject({ kind: 'storeAdvertSpace', name: 'Spring', values: { place: 'main' } });
    // A weight of 1 is left out: the playlist has the bytes that it had before there were weights.
    expect(document?.values.items).toEqual([
      { path: `files/${video.sha256}.mp4`, media: 'video', seconds: 10 },
      { path: expect.stringContaining(picture.sha256), media: 'picture', seconds: 3, weight: 5 },
    ]);
    expect(document?.files.map((one) => one.sha256).toSorted()).toEqual([picture.sha256, video.sha256].toSorted());
    expect(archive.includes(mp4)).toBe(true);
    expect(archive.length).toBe(published.size);
  });

  test('says no weight where it is 1: a server and a console from before, which take none, may run beside this one', async () => {
    const { id, items } = await advert();
    await run(sql`update desktop_advert set items = jsonb_build_array((items -> 0) - 'weight') where id = ${id}`);
    const { weight: _weight, ...old } = items[0] ?? { fileId: 0 };
    expect((await manager.call(advertCalls.detail, { id })).items).toEqual([old]);
    const change = (weight: object) => ({ id, name: 'Older', place: 'idle' as const, items: [{ ...old, ...weight }] });
    for (const weight of [{}, { weight: 1 }]) expect((await manager.call(advertCalls.update, change(weight))).items).toEqual([old]);
  });

  test('is fixed once it is published, and is copied to be changed', async () => {
    const { id, items } = await advert();
    await manager.call(advertCalls.publish, { id });
    const change = { id, name: 'Other', place: 'idle' as const, items };
    expect(await faultOf(manager.send(advertCalls.update, change))).toBe('CONTENT_FIXED');
    expect(await faultOf(manager.send(advertCalls.publish, { id }))).toBe('OVERTAKEN');
    const copy = await manager.call(advertCalls.copy, { id, name: 'Autumn' });
    expect(copy).toMatchObject({ state: 'draft', version: '', name: 'Autumn', items });
    await manager.call(advertCalls.update, { ...change, id: copy.id });
    await manager.call(advertCalls.withdraw, { id });
    expect(await faultOf(manager.send(advertCalls.update, change))).toBe('CONTENT_FIXED');
    expect(await manager.call(advertCalls.publish, { id })).toMatchObject({ state: 'published' });
  });

  test.each([
    ['nothing', () => ({ items: [] }), 'items'],
    ['21 pictures', (fileId: number) => ({ items: Array.from({ length: 21 }, () => ({ fileId })) }), 'items'],
    ['a second', (fileId: number) => ({ items: [{ fileId, seconds: 1 }] }), 'items.0.seconds'],
    ['a weight of 0', (fileId: number) => ({ items: [{ fileId, weight: 0 }] }), 'items.0.weight'],
    ['a weight of 101', (fileId: number) => ({ items: [{ fileId, weight: 101 }] }), 'items.0.weight'],
    ['a place that is none', () => ({ place: 'receipt' }), 'place'],
    ['an end before its beginning', () => ({ fromDay: '2026-05-02', toDay: '2026-05-01' }), 'toDay'],
    ['a last day that is over', () => ({ fromDay: '2020-05-01', toDay: '2020-05-02' }), 'toDay'],
    ['hours on no day', () => ({ hours: { days: [], from: '08:00', to: '20:00' } }), 'hours.days'],
  ])('with %s is refused where it stands, and nothing is left', async (_name, wrong, at) => {
    const { id: fileId } = await uploaded(manager);
    const [before] = await run(sql<{ n: number }>`select count(*)::int as n from desktop_advert`);
    const input = { name: 'x', place: 'idle', items: [{ fileId }], ...wrong(fileId) };
    const answer = await manager.send(advertCalls.add, input as never);
    expect(answer.code).toBe(400);
    expect(Object.keys((answer.body as { fields: object }).fields)).toContain(at);
    expect(await run(sql<{ n: number }>`select count(*)::int as n from desktop_advert`)).toEqual([before]);
  });

  test('takes one’s own files alone, of the kinds that it shows, up to what a terminal can fetch', async () => {
    const foreign = await uploaded(outsider);
    const add = (fileId: number, client = manager) => client.send(advertCalls.add, { name: 'x', place: 'idle', items: [{ fileId }] });
    expect(await faultOf(add(foreign.id))).toBe('NOT_FOUND');
    expect(await faultOf(add(999_999))).toBe('NOT_FOUND');
    const firmware = await makeFile(app, manager, owner);
    expect(await faultOf(add(firmware))).toBe('FILE_KIND_REFUSED');
    await run(sql`update file_file set kind = '10', size = ${201 * 1024 * 1024} where id = ${firmware}`);
    expect(await faultOf(add(firmware))).toBe('CONTENT_LARGE');
  });

  test('is read from below with its pictures, and by nobody else; its pictures stay as long as it does', async () => {
    const { id, items } = await advert();
    const fileId = items[0]?.fileId ?? 0;
    expect((await lower.call(advertCalls.detail, { id })).allowedActions).not.toContain('update');
    expect((await lower.send(fileCalls.getSecurityToken, { id: fileId })).code).toBe(200);
    expect((await outsider.send(fileCalls.getSecurityToken, { id: fileId })).code).toBe(404);
    expect((await outsider.send(advertCalls.detail, { id })).code).toBe(404);
    expect((await outsider.send(advertCalls.copy, { id, name: 'Mine' })).code).toBe(404);
    for (const call of [advertCalls.publish, advertCalls.delete]) expect((await lower.send(call, { id })).code).toBe(404);
    // A copy below shows the same pictures, which its new owner may keep in it.
    const copy = await lower.call(advertCalls.copy, { id, name: 'Ours' });
    await lower.call(advertCalls.update, { id: copy.id, name: 'Ours too', place: 'boot', items: copy.items });
    expect(await faultOf(manager.send(fileCalls.delete, { id: fileId }))).toBe('FILE_IN_USE');
  });
});

test('what is deleted takes its archive along, but for one that another row has too', async () => {
  const [one, same] = [await advert(), await advert()];
  const twin = await manager.call(advertCalls.copy, { id: one.id, name: one.name });
  const [first, second] = [
    await manager.call(advertCalls.publish, { id: one.id }),
    await manager.call(advertCalls.publish, { id: twin.id }),
  ];
  expect(second.version).toBe(first.version);
  expect((await manager.call(advertCalls.publish, { id: same.id })).version).not.toBe(first.version);
  const [row] = await run(sql<{ archive_sha256: string }>`select archive_sha256 from desktop_advert where id = ${one.id}`);
  const stored = () => diskStore(join(app.dataDir, 'blobs')).size(row?.archive_sha256 ?? '');
  const remove = async (id: number) => {
    await manager.call(advertCalls.delete, { id });
    await app.runJobs();
  };
  await remove(one.id);
  expect(await stored()).toBe(first.size);
  await remove(twin.id);
  expect(await stored()).toBeUndefined();
});

test('two who publish at once pack it once, and a change in between is not lost', async () => {
  const { id, items } = await advert();
  const codes = (await Promise.all([1, 2].map(() => manager.send(advertCalls.publish, { id })))).map(({ code }) => code);
  expect(codes.toSorted()[0]).toBe(200);
  const moves = await run(sql`select from state_change where life = 'advert' and row_id = ${id} and event = 'publish'`);
  expect(moves).toHaveLength(1);
  expect(await manager.call(advertCalls.detail, { id })).toMatchObject({ state: 'published', items });
});

test('an archive counts to the quota of who publishes, and is refused where it is used up', async () => {
  const { id } = await advert();
  const [used] = await run(sql<{ id: number; size: number }>`
    insert into file_built (user_id, size, dept_path, built_at) values (${manager.userId}, ${UPLOAD_QUOTA.person.bytes}, '1.', ${app.clock.now}) returning id`);
  expect((await manager.send(advertCalls.publish, { id })).body?.fault).toBe('UPLOADS_MANY');
  expect(await manager.call(advertCalls.detail, { id })).toMatchObject({ state: 'draft' });
  await run(sql`delete from file_built where id = ${used?.id ?? 0}`);
  const before = await run(sql`select id from file_built where user_id = ${manager.userId}`);
  await manager.call(advertCalls.publish, { id });
  expect(await run(sql`select id from file_built where user_id = ${manager.userId}`)).toHaveLength(before.length + 1);
  // What is fixed already takes no more room.
  await manager.call(advertCalls.withdraw, { id });
  await manager.call(advertCalls.publish, { id });
  expect(await run(sql`select id from file_built where user_id = ${manager.userId}`)).toHaveLength(before.length + 1);
});

test('what was packed for a publication that is refused goes again', async () => {
  const { id } = await advert();
  const store = diskStore(join(app.dataDir, 'blobs'));
  const stored = async () =>
    (await readdir(join(app.dataDir, 'blobs'), { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name)).length;
  const before = await stored();
  const { owner: pool } = app.context.pools;
  const changing = await pool.connect();
  try {
    // Somebody's change that is committed while this one is packed.
    await changing.query('begin');
    await changing.query("update desktop_advert set name = 'Autumn' where id = $1", [id]);
    const publishing = manager.send(advertCalls.publish, { id });
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBeGreaterThan(0);
    expect(await stored()).toBe(before + 1);
    await changing.query('commit');
    expect((await publishing).body?.fault).toBe('OVERTAKEN');
  } finally {
    changing.release();
  }
  await app.runJobs();
  expect(await stored()).toBe(before);
  const { version } = await manager.call(advertCalls.publish, { id });
  const [row] = await run(sql<{ archive_sha256: string }>`select archive_sha256 from desktop_advert where id = ${id}`);
  expect(await store.size(row?.archive_sha256 ?? '')).toBeGreaterThan(0);
  expect(row?.archive_sha256.startsWith(version ?? '-')).toBe(true);
});

describe('a release', () => {
  test('sends what is published, signed for its kind and place; who has it already is left out', async () => {
    const names = await terminals(3);
    const [has = '', fresh = '', old = ''] = names;
    await run(sql`update device set capabilities = '{firmware}' where sn = ${old}`);
    const { id } = await advert();
    const content = { contentId: id };
    const scope = to(names);
    expect(await faultOf(manager.send(advertTaskCalls.add, { name: 'x', content, scope, release: true }))).toBe('CONTENT_NOT_PUBLISHED');
    const { version, size } = await manager.call(advertCalls.publish, { id });
    await run(sql`update device set settings = ${JSON.stringify({ 'storeAdvertSpace.idle': version })}::jsonb where sn = ${has}`);
    const task = await manager.call(advertTaskCalls.add, { name: 'Show it', content, scope, release: true });
    expect(task.content).toMatchObject({ contentName: 'Summer', place: 'idle', action: 'config' });
    await settle();
    expect((await offers(names)).map(({ sn, data }) => [sn, data.kind, data.package])).toEqual([
      [
        fresh,
        'storeAdvertSpace',
        expect.objectContaining({
          content: 'storeAdvertSpace',
          name: 'idle',
          product: 'A920',
          size,
          sha256: expect.stringContaining(version),
        }),
      ],
    ]);
    const results = await manager.call(advertTaskDeviceCalls.page, { criteria: { taskId: task.id }, page: { sort: 'sn' } });
    expect(results.content.map(({ sn }) => sn)).not.toContain(old);
    expect(await faultOf(manager.send(advertCalls.delete, { id }))).toBe('CONTENT_IN_USE');
  });

  test('of what was withdrawn doesn’t begin, and a reset reaches who shows something', async () => {
    const names = await terminals(2);
    const { id } = await advert();
    await manager.call(advertCalls.publish, { id });
    await manager.call(advertCalls.withdraw, { id });
    expect(
      await faultOf(manager.send(advertTaskCalls.add, { name: 'x', content: { contentId: id }, scope: to(names), release: true })),
    ).toBe('CONTENT_NOT_PUBLISHED');
    await run(sql`update device set settings = '{"storeAdvertSpace.boot": "0123456789abcdef"}' where sn = ${names[0] ?? ''}`);
    await manager.call(advertTaskCalls.add, {
      name: 'Off',
      content: { action: 'reset', place: 'boot' },
      scope: to(names),
      release: true,
    });
    await settle();
    expect((await offers(names)).map(({ sn, data }) => [sn, data.settings])).toEqual([
      [names[0], { section: 'storeAdvertSpace.boot', values: null }],
    ]);
  });

  test('names nobody else’s content', async () => {
    const { id } = await advert();
    await manager.call(advertCalls.publish, { id });
    const scope = { releaseScope: '0' as const };
    expect((await outsider.send(advertTaskCalls.add, { name: 'x', content: { contentId: id }, scope })).code).toBe(404);
    expect((await manager.send(advertTaskCalls.add, { name: 'x', content: {}, scope } as never)).code).toBe(400);
  });

  test('of a customization and of a desktop go out under their own kinds, and a terminal’s page says what it shows', async () => {
    const [sn = ''] = await terminals(1);
    const empty = await manager.call(customizationCalls.add, { name: 'Nothing' });
    expect(await faultOf(manager.send(customizationCalls.publish, { id: empty.id }))).toBe('CONTENT_EMPTY');
    const look = await manager.call(customizationCalls.add, {
      name: 'Dark',
      statusBar: 'hidden',
      wallpaperId: (await uploaded(manager)).id,
    });
    const set = await manager.call(customizationCalls.publish, { id: look.id });
    const tile = { id: 'a', x: 0, y: 0, w: 1, h: 1 };
    const layout = { ...sheet, pages: [{ tiles: [{ ...tile, kind: 'app' as const, package: 'com.mooring.pay' }] }] };
    const home = await manager.call(desktopCalls.add, { name: 'Till', layout });
    const laid = await manager.call(desktopCalls.publish, { id: home.id });
    const release = { scope: to([sn]), release: true };
    await manager.call(customizationTaskCalls.add, { name: 'Look', content: { contentId: look.id }, ...release });
    await manager.call(desktopTaskCalls.add, { name: 'Home', content: { contentId: home.id }, ...release });
    await settle();
    expect((await offers([sn])).map(({ data }) => data.kind).toSorted()).toEqual(['customizeDesktop', 'systemCustomization']);
    const settings = { customizeDesktop: laid.version, systemCustomization: set.version };
    await run(sql`update device set settings = ${JSON.stringify(settings)}::jsonb where sn = ${sn}`);
    const [device] = await run(sql<{ id: number }>`select id from device where sn = ${sn}`);
    const shown = await manager.call(shownCalls.shown, { deviceId: device?.id ?? 0 });
    expect(shown.map(({ section, name }) => [section, name])).toEqual([
      ['systemCustomization', 'Dark'],
      ['customizeDesktop', 'Till'],
    ]);
    expect((await outsider.send(shownCalls.shown, { deviceId: device?.id ?? 0 })).code).toBe(404);
    // Another version that is the same: the first one, then whichever may be released, and above all the one that was sent.
    const named = async () => (await manager.call(shownCalls.shown, { deviceId: device?.id ?? 0 })).map(({ name }) => name)[1];
    const next = await manager.call(desktopCalls.nextVersion, { id: home.id });
    expect(await manager.call(desktopCalls.publish, { id: next.id })).toMatchObject({ number: 2, version: laid.version });
    expect(await named()).toBe('Till');
    await manager.call(desktopCalls.withdraw, { id: home.id });
    expect(await named()).toBe('Till · 2');
    await run(
      sql`update rollout_result set state = '3', ended_at = now() where device_id = ${device?.id ?? 0} and kind = 'customizeDesktop'`,
    );
    expect(await named()).toBe('Till');
  });
});

const app1 = { id: 'a', kind: 'app', x: 0, y: 0, w: 1, h: 1, package: 'com.a.one' };
const sheet = { columns: 4, rows: 5, width: 720, height: 1280 };
test.each([
  ['two tiles in one place', { pages: [{ tiles: [app1, { ...app1, id: 'b', package: 'com.a.two' }] }] }],
  ['a tile outside', { pages: [{ tiles: [{ ...app1, x: 4 }] }] }],
  ['an app twice', { pages: [{ tiles: [app1] }, { tiles: [{ ...app1, id: 'b' }] }] }],
  ['an app on a page and in the dock', { pages: [{ tiles: [app1] }], dock: [{ package: 'com.a.one' }] }],
  ['eleven pages', { pages: Array.from({ length: 11 }, () => ({ tiles: [] })) }],
  ['a link in the clear', { pages: [{ tiles: [{ ...app1, kind: 'link', package: undefined, url: 'http://example.com' }] }] }],
  ['a script for a link', { pages: [{ tiles: [{ ...app1, kind: 'link', package: undefined, url: 'javascript:alert(1)' }] }] }],
  ['a kind of tile that is none', { pages: [{ tiles: [{ ...app1, kind: 'iframe' }] }] }],
])('a desktop with %s is refused', async (_name, layout) => {
  const answer = await manager.send(desktopCalls.add, { name: 'x', layout: { ...sheet, ...layout } } as never);
  expect(answer.code).toBe(400);
  expect(Object.keys((answer.body as { fields: object }).fields)[0]).toMatch(/^layout/);
});
