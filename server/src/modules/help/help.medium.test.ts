import { HelpArticle, helpArticleCalls } from '@mooring/contract/help/article';
import { helpCalls } from '@mooring/contract/help/calls';
import { helpCategoryCalls } from '@mooring/contract/help/category';
import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeFile } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { bringManual } from './bring-manual.ts';
import { type Manual, type ManualArticle, readManual } from './manual.ts';

let app: TestApp;
let bank: DeptAt;
let editor: Client;
let reader: Client;
let other: Client;
let categoryId: number;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  editor = await app.person('platformAdmin', app.root, 'manager');
  reader = await app.person('orgMember', bank);
  other = await app.person('orgManager', bank, 'manager');
  categoryId = (await editor.call(helpCategoryCalls.add, { name: 'Ours', nameZh: '我们的' })).id;
});
afterAll(() => app.stop());
beforeEach(() => app.context.unscoped(async (db) => void (await db.deleteFrom('help_article').where('manual', '=', false).execute())));

const text = {
  title: 'Paper jam',
  body: 'Open the **lid**. See [products](/help/products).',
  titleZh: '卡纸',
  bodyZh: '请打开**打印机盖**。',
};
const add = (input: object = {}) => editor.call(helpArticleCalls.add, { key: 'paper-jam', categoryId, ...text, ...input });
const publish = async (input: object = {}) => {
  const { id } = await add(input);
  return editor.call(helpArticleCalls.publish, { id });
};
const change = async (id: number, input: object) => {
  const row = await editor.call(helpArticleCalls.detail, { id });
  const written = Object.fromEntries(Object.keys(HelpArticle.change.shape).map((name) => [name, row[name as 'id']]));
  const { key: _fixed, ...rest } = written;
  return editor.call(helpArticleCalls.update, { ...rest, ...input } as never);
};

const feedbackOn = async (id: number) => (await editor.call(helpArticleCalls.feedback, { criteria: { articleId: id } })).content;

/** As a reader of that language asks. */
const asIn = async <C extends Call>(lang: string, call: C, input: InputOf<C>): Promise<OutputOf<C>> =>
  (await reader.send(call, input, { headers: { 'accept-language': lang } })).body as never;

test('an article is read once it is published, as it was published, until it is withdrawn', async () => {
  const { id } = await add({ routes: ['/notice'] });
  expect((await reader.send(helpCalls.read, { key: 'paper-jam' })).code).toBe(404);
  expect(await editor.call(helpArticleCalls.publish, { id })).toMatchObject({ state: 'published', version: 1 });
  expect(await reader.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({ title: 'Paper jam', lang: 'en', version: 1, vote: null });
  expect(await change(id, { title: 'Paper is stuck' })).toMatchObject({ state: 'revised', version: 1 });
  expect(await reader.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({ title: 'Paper jam' });
  await editor.call(helpArticleCalls.publish, { id });
  expect(await reader.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({ title: 'Paper is stuck', version: 2 });
  expect((await editor.call(helpArticleCalls.versions, { criteria: { articleId: id } })).content.map(({ number }) => number)).toEqual([
    2, 1,
  ]);
  expect(await editor.call(helpArticleCalls.restore, { id, number: 1 })).toMatchObject({ state: 'revised', title: 'Paper jam' });
  expect((await editor.send(helpArticleCalls.restore, { id, number: 9 })).code).toBe(404);
  expect((await editor.send(helpArticleCalls.delete, { id })).body).toMatchObject({ fault: 'HELP_PUBLISHED' });
  await editor.call(helpArticleCalls.withdraw, { id });
  expect((await reader.send(helpCalls.read, { key: 'paper-jam' })).code).toBe(404);
  expect((await reader.call(helpCalls.context, { route: '/notice' })).map(({ key }) => key)).toEqual(['notices']);
  await editor.call(helpArticleCalls.delete, { id });
  expect((await editor.send(helpArticleCalls.detail, { id })).code).toBe(404);
});

test('what somebody changed since it was read is neither published nor overwritten by mistake', async () => {
  const { id, revision } = await publish();
  const changed = await change(id, { title: 'Long work of another' });
  for (const act of [
    editor.send(helpArticleCalls.publish, { id, revision }),
    editor.send(helpArticleCalls.restore, { id, revision, number: 1 }),
    editor.send(helpArticleCalls.takeNewer, { id, revision }),
  ])
    expect((await act).code).toBe(409);
  expect((await editor.call(helpArticleCalls.detail, { id })).title).toBe('Long work of another');
  const now = changed as { revision: number };
  expect(await editor.call(helpArticleCalls.publish, { id, revision: now.revision })).toMatchObject({ version: 2 });
});

test('two who publish at once make one version', async () => {
  const { id } = await add();
  const codes = await Promise.all([1, 2, 3].map(async () => (await editor.send(helpArticleCalls.publish, { id })).code));
  expect(codes.sort()).toEqual([200, 409, 409]);
  expect((await editor.call(helpArticleCalls.versions, { criteria: { articleId: id } })).total).toBe(1);
});

test('the screen has its article, the closest one, and a screen below it too', async () => {
  const keysFor = async (route: string) => (await reader.call(helpCalls.context, { route })).map(({ key }) => key);
  expect(await keysFor('/device/fota/taskmod/new')).toEqual(['firmware-releases', 'drift']);
  await publish({ routes: ['/device/fota/taskmod'] });
  expect(await keysFor('/device/fota/taskmod/new')).toEqual(['paper-jam']);
  expect(await keysFor('/device/fota')).toEqual(['firmware-releases', 'drift']);
  expect(await keysFor('/nowhere/at/all')).toEqual([]);
});

test('a search finds words and labels in the reader’s language, each of several words, and signs as they are', async () => {
  await publish({ body: 'Costs 100% of _nerves_. Choose {{notice.add}}.' });
  const found = async (words: string, lang = 'en') => {
    return (await asIn(lang, helpCalls.search, { text: words })).hits.map(({ key }) => key);
  };
  expect(await found('NERVES costs')).toEqual(['paper-jam']);
  expect(await found('100%')).toContain('paper-jam');
  expect(await found('1_0')).toEqual([]);
  expect(await found('paper unicorn')).toEqual([]);
  expect(await found('New notice')).toContain('paper-jam');
  expect(await found('打印机盖', 'zh-CN')).toEqual(['paper-jam']);
  expect(await found('打印机盖')).toEqual([]);
  expect((await asIn('zh-CN', helpCalls.search, { text: '打印机盖' })).hits[0]).toMatchObject({
    title: '卡纸',
    category: '我们的',
    excerpt: '请打开打印机盖。',
  });
  expect((await reader.send(helpCalls.search, { text: 'x'.repeat(65) })).code).toBe(400);
  expect((await reader.send(helpCalls.search, { text: ' ' })).code).toBe(400);
});

test('other languages read English, and so does Chinese where there is no Chinese text', async () => {
  await publish({ bodyZh: '', titleZh: '' });
  const read = (lang: string) => asIn(lang, helpCalls.read, { key: 'paper-jam' });
  expect(await read('ar')).toMatchObject({ lang: 'en', title: 'Paper jam' });
  expect(await read('zh-CN')).toMatchObject({ lang: 'en', title: 'Paper jam' });
});

test('who reads another language has the translation, its title and its category’s name; it is searched, and it says when English went on', async () => {
  const category = await editor.call(helpCategoryCalls.add, { name: 'Repair', names: [{ lang: 'pt', name: 'Reparos' }] });
  const translations = [{ lang: 'pt', title: 'Papel preso', body: 'Abra a **tampa**. Escolha {{notice.add}}.' }];
  const { id } = await publish({ categoryId: category.id, routes: ['/jam'], translations });
  const read = (lang: string) => asIn(lang, helpCalls.read, { key: 'paper-jam' });
  expect(await read('pt-BR')).toMatchObject({ lang: 'pt', title: 'Papel preso', category: 'Reparos' });
  expect(await read('fr')).toMatchObject({ lang: 'en', category: 'Repair' });
  expect(await read('zh-CN')).toMatchObject({ lang: 'zh-CN', category: 'Repair' });
  expect(await asIn('pt', helpCalls.context, { route: '/jam' })).toEqual([{ key: 'paper-jam', title: 'Papel preso' }]);
  const tree = await asIn('pt', helpCalls.tree, {});
  expect(tree.find((one) => one.id === category.id)).toMatchObject({ name: 'Reparos', articles: [{ title: 'Papel preso' }] });
  const found = async (lang: string, words: string) => (await asIn(lang, helpCalls.search, { text: words })).hits.map(({ key }) => key);
  expect(await found('pt', 'tampa')).toEqual(['paper-jam']);
  expect(await found('en', 'tampa')).toEqual([]);
  // What isn't translated is found by its English.
  expect(await found('pt', 'New notice')).toContain('paper-jam');

  const changed = await change(id, { body: 'Open the lid slowly.' });
  expect(changed).toMatchObject({ outdatedIn: ['pt'] });
  await editor.call(helpArticleCalls.publish, { id });
  const mended = [{ lang: 'pt', title: 'Papel preso', body: 'Abra a tampa devagar.' }];
  expect(await change(id, { translations: mended })).toMatchObject({ outdatedIn: [], state: 'revised' });
  await editor.call(helpArticleCalls.publish, { id });
  expect(await found('pt', 'devagar')).toEqual(['paper-jam']);
  expect(await editor.call(helpArticleCalls.restore, { id, number: 1 })).toMatchObject({ translations, outdatedIn: [] });
  expect((await editor.call(helpArticleCalls.versions, { criteria: { articleId: id } })).content.at(-1)).toMatchObject({ translations });
  await change(id, { translations: [] });
  await editor.call(helpArticleCalls.publish, { id });
  expect(await read('pt')).toMatchObject({ lang: 'en' });
  expect(await found('pt', 'devagar')).toEqual([]);
});

test('a translation of the manual doesn’t keep the manual’s text from its upgrade, and is outdated by it', async () => {
  const row = await app.context.unscoped((db) =>
    db.selectFrom('help_article').select(['id', 'key']).where('key', '=', 'notices').executeTakeFirstOrThrow(),
  );
  await change(row.id, { translations: [{ lang: 'pt', title: 'Avisos', body: 'Texto.' }] });
  await editor.call(helpArticleCalls.publish, { id: row.id });
  const manual = readManual();
  const newer = manual.articles.map((one) => (one.key === 'notices' ? { ...one, body: 'Newer text.', digest: 'newer' } : one));
  await app.context.unscoped((db) => bringManual(db, { ...manual, articles: newer }));
  expect(await asIn('en', helpCalls.read, { key: 'notices' })).toMatchObject({ body: 'Newer text.' });
  expect(await asIn('pt', helpCalls.read, { key: 'notices' })).toMatchObject({ body: 'Texto.' });
  expect(await editor.call(helpArticleCalls.detail, { id: row.id })).toMatchObject({ outdatedIn: ['pt'], newer: false });
  await change(row.id, { translations: [] });
  await editor.call(helpArticleCalls.publish, { id: row.id });
  await app.context.unscoped((db) => bringManual(db, manual));
});

test('one vote a person, changed and taken back; at once by many, all are counted', async () => {
  const { id } = await publish();
  const vote = (who: Client, helpful: boolean | null) => who.call(helpCalls.vote, { key: 'paper-jam', helpful });
  await Promise.all([vote(reader, true), vote(reader, true), vote(other, true), vote(editor, false)]);
  expect(await editor.call(helpArticleCalls.detail, { id })).toMatchObject({ helpful: 2, unhelpful: 1 });
  await vote(reader, false);
  expect(await editor.call(helpArticleCalls.detail, { id })).toMatchObject({ helpful: 1, unhelpful: 2 });
  expect(await reader.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({ vote: false });
  await vote(reader, null);
  expect(await editor.call(helpArticleCalls.detail, { id })).toMatchObject({ helpful: 1, unhelpful: 1 });
  expect((await reader.send(helpCalls.vote, { key: 'no-such-article', helpful: true })).code).toBe(404);
});

test('whoever wasn’t helped says what is missing; editors read it without their names, nobody else does', async () => {
  const { id } = await publish();
  const vote = (who: Client, input: { helpful: boolean | null; reason?: string; version?: number }) =>
    who.call(helpCalls.vote, { key: 'paper-jam', ...input });
  const said = async () => (await feedbackOn(id)).map(({ reason, version }) => [reason, version]);
  await vote(reader, { helpful: false, reason: '  Which screw is it?  ' });
  await vote(other, { helpful: false });
  expect(await said()).toEqual([['Which screw is it?', 1]]);
  expect(await reader.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({ vote: false, reason: 'Which screw is it?' });
  expect(await other.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({ vote: false, reason: '' });
  expect(Object.keys((await feedbackOn(id))[0] ?? {}).toSorted()).toEqual(['at', 'id', 'reason', 'version']);
  expect((await reader.send(helpArticleCalls.feedback, { criteria: { articleId: id } })).code).toBe(403);
  expect((await reader.send(helpCalls.vote, { key: 'paper-jam', helpful: false, reason: 'x'.repeat(501) })).code).toBe(400);
  // Pressed once more elsewhere, it takes nothing away; it stays with the version that was read.
  await vote(reader, { helpful: false });
  expect(await said()).toEqual([['Which screw is it?', 1]]);
  await change(id, { title: 'Paper is stuck' });
  await editor.call(helpArticleCalls.publish, { id });
  await vote(other, { helpful: false, reason: 'No picture', version: 1 });
  await vote(editor, { helpful: false, reason: 'Too long', version: 99 });
  expect((await said()).toSorted()).toEqual([
    ['No picture', 1],
    ['Too long', 2],
    ['Which screw is it?', 1],
  ]);
  for (const who of [other, editor]) await vote(who, { helpful: null });
  // Whoever was helped after all misses nothing any more.
  await vote(reader, { helpful: true, reason: 'left over' });
  expect(await said()).toEqual([]);
});

test.each([
  ['a script as a link', { body: '[x](javascript:alert(1))' }, 'body'],
  ['a script in Chinese', { bodyZh: '[x](JaVaScRiPt:alert(1))' }, 'bodyZh'],
  ['a data address as a picture', { body: '![x](data:image/svg+xml;base64,PHN2Zz4=)' }, 'body'],
  ['a picture of another site', { body: '![x](https://evil.example/p.svg)' }, 'body'],
  ['a word that isn’t there', { body: '{{no.such.text}}' }, 'body'],
  ['a script in a translation', { translations: [{ lang: 'pt', title: 'x', body: '[x](javascript:alert(1))' }] }, 'translations'],
  ['a translation without a text', { translations: [{ lang: 'pt', title: 'x', body: ' ' }] }, 'translations'],
  ['a language twice', { translations: [1, 2].map(() => ({ lang: 'pt', title: 'x', body: 'x' })) }, 'translations'],
  ['Chinese beside Chinese', { translations: [{ lang: 'zh-CN', title: 'x', body: 'x' }] }, 'translations'],
  ['a word that needs a value', { title: '{{notice.until}}' }, 'title'],
  ['a route that is none', { routes: ['javascript:alert(1)'] }, 'routes'],
  ['a key that is no address', { key: '../etc' }, 'key'],
  ['a body without an end', { body: 'x'.repeat(40_001) }, 'body'],
])('an article with %s is refused at its field', async (_name, input, field) => {
  const { body } = await editor.send(helpArticleCalls.add, { key: 'attack', categoryId, ...text, ...input });
  expect(Object.keys((body as { fields: object }).fields).map((one) => one.split('.')[0])).toContain(field);
});

test('markup that somebody writes is found and read as the text that it is', async () => {
  await publish({ body: 'Say <script>alert(1)</script> and <svg onload=alert(1)>.' });
  expect(await reader.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({
    body: 'Say <script>alert(1)</script> and <svg onload=alert(1)>.',
  });
  expect((await reader.call(helpCalls.search, { text: 'onload' })).hits[0]?.excerpt).toContain('<svg onload=alert(1)>');
});

test('an address is one article’s; articles of the manual stay, and nobody else edits', async () => {
  await add();
  expect((await editor.send(helpArticleCalls.add, { key: 'paper-jam', categoryId, ...text })).body).toMatchObject({
    fault: 'HELP_KEY_TAKEN',
  });
  const [manual] = (await editor.call(helpArticleCalls.page, { criteria: { manual: true } })).content;
  expect((await editor.send(helpArticleCalls.delete, { id: manual?.id })).body).toMatchObject({ fault: 'HELP_OF_MANUAL' });
  for (const who of [reader, other]) {
    expect((await who.send(helpArticleCalls.page, {})).code).toBe(403);
    expect((await who.send(helpArticleCalls.publish, { id: manual?.id })).code).toBe(403);
  }
});

test('files and pictures are opened by readers of the version that has them, and by nobody through another article', async () => {
  const file = async (kind: string) => {
    const id = await makeFile(app, editor, app.root);
    await app.context.unscoped((db) => db.updateTable('file_file').set({ kind, name: 'plan.pdf' }).where('id', '=', id).execute());
    return id;
  };
  const [plan, picture, foreign] = [await file('8'), await file('1'), await makeFile(app, other, bank)];
  expect((await editor.send(helpArticleCalls.add, { key: 'paper-jam', categoryId, ...text, files: [foreign] })).code).toBe(404);
  expect((await editor.send(helpArticleCalls.add, { key: 'paper-jam', categoryId, ...text, files: [picture] })).body).toMatchObject({
    fault: 'FILE_KIND_REFUSED',
  });
  const { id } = await publish({ files: [plan], body: `Look: ![the lid](file:${picture})` });
  expect(await reader.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({ files: [{ id: plan, name: 'plan.pdf' }] });
  const open = async (fileId: number, key = 'paper-jam') => (await reader.send(helpCalls.file, { key, fileId })).code;
  expect(await Promise.all([open(plan), open(picture), open(foreign), open(plan, 'products')])).toEqual([200, 200, 404, 404]);
  await change(id, { files: [], body: 'No picture.' });
  expect(await open(picture)).toBe(200);
  await editor.call(helpArticleCalls.publish, { id });
  expect(await Promise.all([open(plan), open(picture)])).toEqual([404, 404]);
  await editor.call(helpArticleCalls.restore, { id, number: 1 });
  await editor.call(helpArticleCalls.publish, { id });
  expect(await Promise.all([open(plan), open(picture)])).toEqual([200, 200]);
});

test('categories form a tree without circles, and stay while something is in them', async () => {
  const below = await editor.call(helpCategoryCalls.add, { name: 'Below', parentId: categoryId });
  const { id, name, nameZh, position, revision } = await editor.call(helpCategoryCalls.detail, { id: categoryId });
  const sent = await editor.send(helpCategoryCalls.update, { id, name, nameZh, position, revision, parentId: below.id });
  expect(sent.body?.fields).toHaveProperty('parentId');
  expect((await editor.send(helpCategoryCalls.delete, { id })).body).toMatchObject({ fault: 'HELP_CATEGORY_IN_USE' });
  await editor.call(helpCategoryCalls.delete, { id: below.id });
});

describe('an upgrade with a manual of its own', () => {
  const manual = readManual();
  const [first] = manual.articles;
  const changed = (body: string, key = first?.key ?? '') => ({
    ...manual,
    articles: manual.articles.map((one) => (one.key === key ? { ...one, body, digest: body } : one)),
  });
  const bring = (of: Manual) => app.context.unscoped((db) => bringManual(db, of));
  const rowOf = async (key: string) =>
    (await editor.call(helpArticleCalls.page, { page: { size: 100 } })).content.find((one) => one.key === key) ?? { id: 0 };
  afterAll(() => bring(manual));

  test('brings an article that nobody edited as its next version, and the same one once', async () => {
    const key = first?.key ?? '';
    const before = await reader.call(helpCalls.read, { key });
    await bring(changed('Now with an umbrella.'));
    await bring(changed('Now with an umbrella.'));
    expect(await reader.call(helpCalls.read, { key })).toMatchObject({ body: 'Now with an umbrella.', version: before.version + 1 });
    expect((await reader.call(helpCalls.search, { text: 'umbrella' })).hits.map((hit) => hit.key)).toEqual([key]);
  });

  test('keeps an edited one, says that a newer text is there, and gives it to whoever takes it', async () => {
    const key = 'groups';
    const { id } = await rowOf(key);
    await change(id, { body: 'Our own words.' });
    await editor.call(helpArticleCalls.publish, { id });
    for (const call of [helpArticleCalls.takeNewer, helpArticleCalls.newerText])
      expect((await editor.send(call, { id })).body).toMatchObject({ fault: 'HELP_NOTHING_NEWER' });
    await bring(changed('Newer words.', key));
    expect(await reader.call(helpCalls.read, { key })).toMatchObject({ body: 'Our own words.' });
    const row = await editor.call(helpArticleCalls.detail, { id });
    expect(row).toMatchObject({ newer: true, state: 'published' });
    expect(row.allowedActions).toContain('takeNewer');
    expect(await editor.call(helpArticleCalls.newerText, { id })).toMatchObject({
      now: { body: 'Our own words.' },
      newer: { body: 'Newer words.' },
    });
    expect((await reader.send(helpArticleCalls.newerText, { id })).code).toBe(403);
    expect(await editor.call(helpArticleCalls.takeNewer, { id })).toMatchObject({ newer: false, state: 'revised', body: 'Newer words.' });
    await editor.call(helpArticleCalls.publish, { id });
    expect(await reader.call(helpCalls.read, { key })).toMatchObject({ body: 'Newer words.' });
    await bring(changed('Newest words.', key));
    expect(await reader.call(helpCalls.read, { key })).toMatchObject({ body: 'Newest words.' });
  });

  test('leaves a withdrawn one withdrawn, and one of a person’s own under its address theirs', async () => {
    const { id } = await rowOf('blackout');
    await editor.call(helpArticleCalls.withdraw, { id });
    await bring(changed('Newer words.', 'blackout'));
    expect((await reader.send(helpCalls.read, { key: 'blackout' })).code).toBe(404);
    await publish();
    await bring({ ...manual, articles: [...manual.articles, { ...manual.articles[0], key: 'paper-jam', digest: 'x' } as ManualArticle] });
    expect(await reader.call(helpCalls.read, { key: 'paper-jam' })).toMatchObject({ title: 'Paper jam' });
  });
});
