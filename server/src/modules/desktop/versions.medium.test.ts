import { roleCalls } from '@mooring/contract/access/role-calls';
import { advertCalls } from '@mooring/contract/desktop/advert';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { desktopTaskCalls } from '@mooring/contract/desktop/release-calls';
import { fileCalls, type UploadedFile } from '@mooring/contract/file/calls';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { direct } from '../file/upload.factory.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let owner: DeptAt;
let manager: Client;
let lower: Client;
let outsider: Client;
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  const below = await app.dept('Branch', owner);
  manager = await app.person('orgManager', owner);
  lower = await app.person('orgManager', below);
  outsider = await app.person('orgManager', await app.dept('Other bank'));
});
afterAll(() => app.stop());

const tile = (name: string, x = 0) => ({ id: name, kind: 'app' as const, x, y: 0, w: 1, h: 1, package: `com.a.${name}` });
const layout = (...names: string[]) => ({
  columns: 4,
  rows: 5,
  width: 720,
  height: 1280,
  pages: [{ tiles: names.map((name, x) => tile(name, x)) }],
});
const made = (client = manager) => client.call(desktopCalls.add, { name: 'Till', layout: layout('one') });
const published = async (client = manager) => {
  const { id } = await made(client);
  return client.call(desktopCalls.publish, { id });
};
const line = async (id: number, client = manager) =>
  (await client.call(desktopCalls.versions, { id })).map(({ number, state }) => [number, state]);

test('a version follows another: it begins as a draft of the same, is counted when it is published, and the earlier one stays as it was', async () => {
  const first = await published();
  expect(first).toMatchObject({
    number: 1,
    publishedBy: expect.stringMatching(/./),
    allowedActions: expect.arrayContaining(['nextVersion']),
  });
  const draft = await manager.call(desktopCalls.nextVersion, { id: first.id });
  expect(draft).toMatchObject({
    name: 'Till',
    state: 'draft',
    number: null,
    version: '',
    publishedAt: null,
    publishedBy: '',
    layout: first.layout,
  });
  expect(draft.allowedActions).not.toContain('nextVersion');
  expect(await line(first.id)).toEqual([
    [null, 'draft'],
    [1, 'published'],
  ]);
  await manager.call(desktopCalls.update, { id: draft.id, name: 'Till', layout: layout('one', 'two') });
  expect(await manager.call(desktopCalls.publish, { id: draft.id })).toMatchObject({ number: 2 });
  expect(await manager.call(desktopCalls.detail, { id: first.id })).toMatchObject({ number: 1, state: 'published', layout: first.layout });
  const versions = await manager.call(desktopCalls.versions, { id: first.id });
  expect(versions.map(({ id, number, publishedBy }) => [id, number, publishedBy])).toEqual([
    [draft.id, 2, first.publishedBy],
    [first.id, 1, first.publishedBy],
  ]);
});

test('there is one draft of the next version at a time, also where two ask at once; one that is deleted leaves no gap', async () => {
  const { id } = await published();
  const answers = await Promise.all([1, 2].map(() => manager.send(desktopCalls.nextVersion, { id })));
  expect(answers.map(({ code, body }) => [code, body?.fault]).toSorted()).toEqual([
    [200, undefined],
    [400, 'CONTENT_DRAFT_OPEN'],
  ]);
  const [draft] = await manager.call(desktopCalls.versions, { id });
  await manager.call(desktopCalls.delete, { id: draft?.id ?? 0 });
  const again = await manager.call(desktopCalls.nextVersion, { id });
  expect((await manager.call(desktopCalls.publish, { id: again.id })).number).toBe(2);
});

test('an earlier version is used again as the next one, with its own content; one that was withdrawn keeps its number', async () => {
  const first = await published();
  const second = await manager.call(desktopCalls.nextVersion, { id: first.id });
  await manager.call(desktopCalls.update, { id: second.id, name: 'Till', layout: layout('two') });
  await manager.call(desktopCalls.publish, { id: second.id });
  await manager.call(desktopCalls.withdraw, { id: first.id });
  const third = await manager.call(desktopCalls.nextVersion, { id: first.id });
  expect(third.layout).toEqual(first.layout);
  // The same content under the same name is the same archive.
  expect(await manager.call(desktopCalls.publish, { id: third.id })).toMatchObject({ number: 3, version: first.version });
  expect((await manager.call(desktopCalls.publish, { id: first.id })).number).toBe(1);
  expect(await line(second.id)).toEqual([
    [3, 'published'],
    [2, 'published'],
    [1, 'published'],
  ]);
});

test('a draft has no next version, and a copy begins a line of its own', async () => {
  const draft = await made();
  expect((await manager.send(desktopCalls.nextVersion, { id: draft.id })).body?.fault).toBe('CONTENT_NOT_PUBLISHED');
  const { id } = await manager.call(desktopCalls.publish, { id: draft.id });
  const copy = await manager.call(desktopCalls.copy, { id, name: 'Other till' });
  expect(await line(copy.id)).toEqual([[null, 'draft']]);
  expect((await manager.call(desktopCalls.publish, { id: copy.id })).number).toBe(1);
  expect(await line(id)).toEqual([[1, 'published']]);
});

test('is told from below and to nobody else; what follows is made by whoever owns the line, and by those above for its owner', async () => {
  const { id } = await published();
  expect(await line(id, lower)).toEqual([[1, 'published']]);
  expect((await lower.send(desktopCalls.nextVersion, { id })).code).toBe(404);
  for (const call of [desktopCalls.versions, desktopCalls.nextVersion]) expect((await outsider.send(call, { id })).code).toBe(404);
  const theirs = await published(lower);
  const draft = await manager.call(desktopCalls.nextVersion, { id: theirs.id });
  expect(draft.deptId).toBe(theirs.deptId);
  expect((await lower.call(desktopCalls.publish, { id: draft.id })).number).toBe(2);
});

test('each version says which releases use it, the newest five and how many; not to whoever may see no releases', async () => {
  const { id } = await published();
  const second = await manager.call(desktopCalls.nextVersion, { id });
  await manager.call(desktopCalls.publish, { id: second.id });
  const names = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6'];
  for (const name of names) await manager.call(desktopTaskCalls.add, { name, content: { contentId: id }, scope: { releaseScope: '0' } });
  const [newest, oldest] = await manager.call(desktopCalls.versions, { id });
  expect(newest).toMatchObject({ number: 2, releaseCount: 0, releases: [] });
  expect(oldest).toMatchObject({ number: 1, releaseCount: 6 });
  expect(oldest?.releases.map(({ name }) => name)).toEqual(['R6', 'R5', 'R4', 'R3', 'R2']);
  const admin = await app.person('platformAdmin', app.root);
  const role = await admin.call(roleCalls.add, { name: 'Looks at desktops', menus: ['desktop'], platforms: ['centre'] });
  const reader = await app.person('auditor', owner);
  await app.context.unscoped(async (db) => {
    await db.deleteFrom('access_user_role').where('user_id', '=', reader.userId).execute();
    await db.insertInto('access_user_role').values({ user_id: reader.userId, role_id: role.id }).execute();
  });
  expect((await reader.call(desktopCalls.versions, { id })).map(({ releaseCount, releases }) => [releaseCount, releases])).toEqual([
    [null, []],
    [null, []],
  ]);
});

test('pictures go along, and stay as long as one version shows them', async () => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 9, g: 2, b: 3 } } })
    .png()
    .toBuffer();
  const file = (await direct(app.http, manager, { type: '1', name: 'shop.png', bytes })).body as unknown as UploadedFile;
  const { id } = await manager.call(advertCalls.add, { name: 'Summer', place: 'idle', items: [{ fileId: file.id, weight: 3 }] });
  await manager.call(advertCalls.publish, { id });
  const next = await manager.call(advertCalls.nextVersion, { id });
  expect(next.items).toMatchObject([{ fileId: file.id, weight: 3 }]);
  await manager.call(advertCalls.delete, { id });
  expect((await manager.send(fileCalls.delete, { id: file.id })).body?.fault).toBe('FILE_IN_USE');
  await manager.call(advertCalls.publish, { id: next.id });
  expect((await manager.call(advertCalls.versions, { id: next.id })).map(({ publishedAt }) => publishedAt !== null)).toEqual([true]);
});

test('what a server from before writes stands in a line of its own, and is numbered as it publishes', async () => {
  const { id } = await made();
  const [row] = await app.context.unscoped(async (db) => {
    await sql`update desktop_desktop set state = 'published', version = 'aaaaaaaaaaaaaaaa' where id = ${id}`.execute(db);
    return (await sql<{ line_id: number; number: number }>`select line_id, number from desktop_desktop where id = ${id}`.execute(db)).rows;
  });
  expect(row).toEqual({ line_id: id, number: 1 });
  // It copies every column that it doesn't know.
  const copied = await app.context.unscoped(async (db) => {
    const columns = sql.raw('product_id, layout, remark, line_id, number, published_by');
    return (
      await sql<{ id: number; line_id: number; number: number | null; published_by: string }>`
        insert into desktop_desktop (name, dept_id, dept_path, ${columns}) select 'Copy', dept_id, dept_path, ${columns} from desktop_desktop where id = ${id}
        returning id, line_id, number, published_by`.execute(db)
    ).rows[0];
  });
  expect(copied).toEqual({ id: copied?.id, line_id: copied?.id, number: null, published_by: '' });
});
