import { HelpArticle, helpArticleCalls } from '@mooring/contract/help/article';
import { helpCalls, MOST_HITS, openHelpCalls } from '@mooring/contract/help/calls';
import { helpCategoryCalls } from '@mooring/contract/help/category';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFile } from '../../../test/firmware.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let editor: Client;
let reader: Client;
let outsider: Client;
let categoryId: number;
beforeAll(async () => {
  app = await testApp();
  editor = await app.person('platformAdmin', app.root, 'manager');
  reader = await app.person('orgMember', await app.dept('Bank'));
  outsider = clientOf(app.http, '', 0, 'manager', 0);
  categoryId = (await editor.call(helpCategoryCalls.add, { name: 'Ours' })).id;
});
afterAll(() => app.stop());

const add = (key: string, input: object = {}) =>
  editor.call(helpArticleCalls.add, { key, categoryId, title: `About ${key}`, body: `All of ${key}.`, ...input });
const publish = (id: number) => editor.call(helpArticleCalls.publish, { id });
const change = async (id: number, input: object) => {
  const row = await editor.call(helpArticleCalls.detail, { id });
  const { key: _fixed, ...rest } = Object.fromEntries(Object.keys(HelpArticle.change.shape).map((name) => [name, row[name as 'id']]));
  return editor.call(helpArticleCalls.update, { ...rest, ...input } as never);
};
const readsOpen = async (key: string) => (await outsider.send(openHelpCalls.read, { key })).code;
const listed = async () => (await outsider.call(openHelpCalls.list, {})).map(({ key }) => key);

test('whoever can’t sign in reads how to, how to register and what to do without a password; nothing else of the manual', async () => {
  expect(await listed()).toEqual(['sign-in', 'forgotten-password', 'registering', 'security']);
  expect(await outsider.call(openHelpCalls.read, { key: 'sign-in' })).toMatchObject({ lang: 'en', title: '{{page.login}}', files: [] });
  const chinese = await outsider.send(openHelpCalls.read, { key: 'sign-in' }, { headers: { 'accept-language': 'zh-CN' } });
  expect(chinese.body).toMatchObject({ lang: 'zh-CN' });
  const [unknown, closed] = [
    await outsider.send(openHelpCalls.read, { key: 'no-such-article' }),
    await outsider.send(openHelpCalls.read, { key: 'members' }),
  ];
  expect(closed.code).toBe(404);
  expect({ ...closed.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
  expect((await outsider.send(openHelpCalls.read, { key: '../etc' })).code).toBe(400);
  expect((await outsider.send(helpCalls.read, { key: 'sign-in' })).code).toBe(401);
});

test('an article is open from when it is published so, as it was published, and until it is published otherwise or withdrawn', async () => {
  const { id } = await add('lost-phone', { open: true });
  expect(await readsOpen('lost-phone')).toBe(404);
  await publish(id);
  expect(await readsOpen('lost-phone')).toBe(200);
  await change(id, { body: 'Not yet for all.' });
  expect(await outsider.call(openHelpCalls.read, { key: 'lost-phone' })).toMatchObject({ body: 'All of lost-phone.', version: 1 });
  expect(await change(id, { open: false })).toMatchObject({ open: false, state: 'revised' });
  expect(await readsOpen('lost-phone')).toBe(200);
  await publish(id);
  expect([await readsOpen('lost-phone'), (await listed()).includes('lost-phone')]).toEqual([404, false]);
  expect(await reader.call(helpCalls.read, { key: 'lost-phone' })).toMatchObject({ version: 2 });
  await change(id, { open: true });
  await publish(id);
  await editor.call(helpArticleCalls.withdraw, { id });
  expect(await readsOpen('lost-phone')).toBe(404);
});

test('files and pictures of open articles alone are opened without a session', async () => {
  const file = async (kind: string) => {
    const id = await makeFile(app, editor, app.root);
    await app.context.unscoped((db) => db.updateTable('file_file').set({ kind }).where('id', '=', id).execute());
    return id;
  };
  const [plan, picture, other] = [await file('8'), await file('1'), await file('8')];
  await publish((await add('with-files', { open: true, files: [plan], body: `![x](file:${picture})` })).id);
  await publish((await add('for-members', { files: [other] })).id);
  const open = async (key: string, fileId: number) => (await outsider.send(openHelpCalls.file, { key, fileId })).code;
  expect(await Promise.all([open('with-files', plan), open('with-files', picture)])).toEqual([200, 200]);
  expect(await Promise.all([open('with-files', other), open('for-members', other), open('with-files', 999_999)])).toEqual([404, 404, 404]);
});

test('a search that finds more than it shows says so', async () => {
  for (let at = 0; at < MOST_HITS + 2; at++) await publish((await add(`zebra-${at}`)).id);
  const { hits, found } = await reader.call(helpCalls.search, { text: 'zebra' });
  expect([hits.length, found]).toEqual([MOST_HITS, MOST_HITS + 2]);
});

test('what readers find missing is exported, without their names', async () => {
  const { id } = await add('missing');
  await publish(id);
  await reader.call(helpCalls.vote, { key: 'missing', helpful: false, reason: 'Which screw is it?' });
  const input = { criteria: { articleId: id }, format: 'csv', columns: ['at', 'version', 'reason'] };
  const { work } = await editor.call(helpArticleCalls.exportFeedback, input as never);
  await app.runJobs();
  const made = await app.context.unscoped((db) =>
    db.selectFrom('work').select(['state', 'done']).where('id', '=', work).executeTakeFirstOrThrow(),
  );
  expect(made).toMatchObject({ state: 'done', done: 1 });
  expect((await editor.send(helpArticleCalls.exportFeedback, { ...input, columns: ['userName'] })).body).toMatchObject({
    fault: 'EXPORT_COLUMN',
  });
  expect((await reader.send(helpArticleCalls.exportFeedback, input)).code).toBe(403);
});
