import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { shownCalls } from '@mooring/contract/desktop/shown-calls';
import { fileCalls, type UploadedFile } from '@mooring/contract/file/calls';
import { documentIn } from '@mooring/terminal/show-content';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import { direct } from '../file/upload.factory.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let owner: DeptAt;
let manager: Client;
let outsider: Client;
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  manager = await app.person('orgManager', owner);
  outsider = await app.person('orgManager', await app.dept('Other bank'));
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
let shade = 0;
async function uploaded(client = manager): Promise<UploadedFile> {
  shade += 1;
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: { r: shade, g: 2, b: 3 } } })
    .png()
    .toBuffer();
  return (await direct(app.http, client, { type: '1', name: 'shop.png', bytes })).body as unknown as UploadedFile;
}
const at = (x: number) => ({ id: `t${x}`, x, y: 0, w: 1, h: 1 });
const pay = { ...at(0), kind: 'app' as const, package: 'com.mooring.pay' };
const picture = (fileId: number) => ({ ...at(1), kind: 'picture' as const, fileId });
const sheet = (width: number, height: number, tiles: object[]) => ({ columns: 4, rows: 4, width, height, pages: [{ tiles }] });
const add = (layout: object) => manager.call(desktopCalls.add, { name: 'Till', layout } as never);
const kept = async (id: number) =>
  (await run(sql<{ file_id: number }>`select file_id from desktop_file where desktop_id = ${id} order by file_id`)).map(
    (row) => row.file_id,
  );
async function archiveOf(id: number) {
  const [row] = await run(sql<{ archive_sha256: string }>`select archive_sha256 from desktop_desktop where id = ${id}`);
  return documentIn(await buffer(await diskStore(join(app.dataDir, 'blobs')).read(row?.archive_sha256 ?? '')));
}

test('pictures of all screens are kept with a desktop, once each, and go to terminals with the screens that they are for', async () => {
  const [wall, first, second, own] = [await uploaded(), await uploaded(), await uploaded(), await uploaded()];
  const { id, layout } = await add({
    ...sheet(720, 1280, [pay, picture(first.id)]),
    wallpaperId: wall.id,
    sizes: [sheet(1280, 800, [pay, picture(second.id)]), { ...sheet(320, 240, [pay, picture(first.id)]), wallpaperId: own.id }],
  });
  const all = [wall, first, second, own];
  expect(await kept(id)).toEqual(all.map((one) => one.id).toSorted((a, b) => a - b));
  for (const file of all) expect((await manager.send(fileCalls.delete, { id: file.id })).body?.fault).toBe('FILE_IN_USE');
  expect(layout.sizes).toHaveLength(2);
  await manager.call(desktopCalls.publish, { id });
  const document = await archiveOf(id);
  const path = ({ sha256 }: UploadedFile) => `files/${sha256}.png`;
  expect(document?.values).toMatchObject({
    width: 720,
    wallpaper: path(wall),
    pages: [{ tiles: [{ id: 't0' }, { path: path(first) }] }],
    // Without a wallpaper of its own that of the main one: a terminal looks nowhere else.
    sizes: [
      { width: 1280, height: 800, columns: 4, wallpaper: path(wall), pages: [{ tiles: [{ id: 't0' }, { path: path(second) }] }], dock: [] },
      { width: 320, wallpaper: path(own), pages: [{ tiles: [{ id: 't0' }, { path: path(first) }] }] },
    ],
  });
  expect(JSON.stringify(document?.values)).not.toMatch(/fileId|wallpaperId/);
  expect(document?.files.map((one) => one.sha256).toSorted()).toEqual(all.map((one) => one.sha256).toSorted());
  // A copy and the next version keep them as well.
  const copy = await manager.call(desktopCalls.copy, { id, name: 'Other till' });
  const next = await manager.call(desktopCalls.nextVersion, { id });
  for (const one of [copy, next]) {
    expect(one.layout).toEqual(layout);
    expect(await kept(one.id)).toEqual(await kept(id));
  }
  // Those of a screen that is taken out are let go of.
  await manager.call(desktopCalls.update, { id: next.id, name: 'Till', layout: sheet(720, 1280, [pay, picture(first.id)]) } as never);
  expect(await kept(next.id)).toEqual([first.id]);
});

test.each([
  ['a picture that is somebody else’s', (id: number) => ({ sizes: [sheet(320, 240, [picture(id)])] })],
  ['a wallpaper that is somebody else’s', (id: number) => ({ sizes: [{ ...sheet(320, 240, [pay]), wallpaperId: id }] })],
])('a screen with %s is refused', async (_name, more) => {
  const foreign = await uploaded(outsider);
  const layout = { ...sheet(720, 1280, [pay]), ...more(foreign.id) };
  expect((await manager.send(desktopCalls.add, { name: 'x', layout } as never)).body?.fault).toBe('NOT_FOUND');
});

test('the pictures of all screens together are what a terminal can fetch, each counted once', async () => {
  const [one, two] = [await uploaded(), await uploaded()];
  await run(sql`update file_file set size = ${120 * 1024 * 1024} where id = any(${[one.id, two.id]}::bigint[])`);
  const sent = (other: number) =>
    manager.send(desktopCalls.add, {
      name: 'x',
      layout: { ...sheet(720, 1280, [picture(one.id)]), sizes: [sheet(320, 240, [picture(other)])] },
    } as never);
  expect((await sent(two.id)).body?.fault).toBe('CONTENT_LARGE');
  expect((await sent(one.id)).code).toBe(200);
});

test.each([
  ['of the main one’s size', [sheet(720, 1280, [pay])], 'layout.sizes.0.width'],
  ['with a tile outside', [sheet(1280, 800, [pay]), sheet(320, 240, [{ ...pay, x: 4 }])], 'layout.sizes.1.pages.0'],
  ['with an app twice', [sheet(320, 240, [pay, { ...pay, ...at(1) }])], 'layout.sizes.0.pages.0'],
  ['that has screens itself', [{ ...sheet(320, 240, [pay]), sizes: [] }], 'layout.sizes.0'],
  ['too many', [1, 2, 3, 4, 5].map((one) => sheet(120 + one, 120, [pay])), 'layout.sizes'],
])('a screen %s is refused where it stands', async (_name, sizes, place) => {
  const answer = await manager.send(desktopCalls.add, { name: 'x', layout: { ...sheet(720, 1280, [pay]), sizes } } as never);
  expect(answer.code).toBe(400);
  expect(Object.keys((answer.body as { fields: object }).fields)).toEqual([place]);
});

test('nothing is published that leaves some terminals with an empty screen', async () => {
  const { id } = await add({ ...sheet(720, 1280, [pay]), sizes: [sheet(320, 240, [])] });
  expect(await manager.send(desktopCalls.publish, { id })).toMatchObject({
    body: { fault: 'CONTENT_SCREEN_EMPTY' },
    message: expect.stringContaining('320 × 240'),
  });
  const empty = await add({ ...sheet(720, 1280, []), sizes: [sheet(320, 240, [])] });
  expect((await manager.send(desktopCalls.publish, { id: empty.id })).body?.fault).toBe('CONTENT_EMPTY');
});

test('a desktop for one screen has the bytes that it had before there were several', async () => {
  const { id, layout } = await add(sheet(720, 1280, [pay]));
  expect(Object.keys(layout)).not.toContain('sizes');
  const [row] = await run(sql<{ has: boolean }>`select layout ? 'sizes' as has from desktop_desktop where id = ${id}`);
  expect(row?.has).toBe(false);
  // Made by the release before this one.
  expect((await manager.call(desktopCalls.publish, { id })).version).toBe('f4466f6c01f3f37b');
});

test('the page of a terminal says which screen is shown on it, by what it says of its own', async () => {
  const product = await makeProduct(app, app.root, 'A920');
  await makeDevices(app, owner, product, ['SCREEN01']);
  const [device] = await run(sql<{ id: number }>`select id from device where sn = 'SCREEN01'`);
  const deviceId = device?.id ?? 0;
  const { id } = await add({ ...sheet(720, 1280, [pay]), sizes: [sheet(1280, 800, [pay])] });
  const show = async (version: string) =>
    run(sql`update device set settings = ${JSON.stringify({ customizeDesktop: version })}::jsonb where id = ${deviceId}`);
  const shown = async () => (await manager.call(shownCalls.shown, { deviceId })).map(({ screen }) => screen);
  await show((await manager.call(desktopCalls.publish, { id })).version);
  expect(await shown()).toEqual([{ width: 720, height: 1280 }]);
  await run(sql`update device set screen = '{"width": 1920, "height": 1080}' where id = ${deviceId}`);
  expect(await shown()).toEqual([{ width: 1280, height: 800 }]);
  // Of a desktop for one screen there is nothing to say.
  const lone = await add(sheet(720, 1280, [{ ...pay, label: 'Pay' }]));
  await show((await manager.call(desktopCalls.publish, { id: lone.id })).version);
  expect(await shown()).toEqual([null]);
});
