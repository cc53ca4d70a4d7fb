import { languageCalls } from '@mooring/contract/language/calls';
import { labelCalls, languageAdminCalls } from '@mooring/contract/language/label-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { t } from '../../platform/texts/translate.ts';
import { readXlsx } from '../../platform/work/read-xlsx.ts';
import { direct } from '../file/upload.factory.ts';
import { followTexts } from './follow-texts.ts';

let app: TestApp;
let admin: Client;
let nobody: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  nobody = clientOf(app.http, '', 0, 'manager', 0);
});
afterAll(() => app.stop());

const languageOf = async (code: string) => {
  const { content } = await admin.call(languageAdminCalls.page, { page: { size: 100 } });
  const found = content.find((one) => one.langCode === code);
  if (!found) throw new Error(code);
  return found;
};
const served = async (langCode: string) => {
  const answer = await nobody.send(languageCalls.findByCriteria, { langCode });
  return answer.code === 200
    ? Object.assign({}, ...(answer.body as unknown as { content: object }[]).map((one) => one.content))
    : answer.body?.fault;
};
const pack = async (texts: unknown, name = 'pack.json') =>
  (await direct(app.http, admin, { type: '8', name, bytes: Buffer.isBuffer(texts) ? texts : Buffer.from(JSON.stringify(texts)) })).body
    ?.id ?? 0;
const bytesOf = async (input: object) => {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/ops/sys/label/export',
    headers: { authorization: admin.token, 'accept-platform': 'manager', 'accept-deptid': '1', 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  });
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
};

test('fifty-seven languages with their own names; English and Chinese are complete and stay', async () => {
  const all = await admin.call(languageAdminCalls.page, { page: { size: 100 } });
  expect(all.total).toBe(57);
  const [en, zh, de, ar] = await Promise.all(['en', 'zh-CN', 'de', 'ar'].map(languageOf));
  expect([en, zh].map((one) => one?.coverage)).toEqual([1, 1]);
  expect([en, zh].flatMap((one) => one?.allowedActions)).toEqual([]);
  expect(de).toMatchObject({ nativeName: 'Deutsch', englishName: 'German', publishStatus: '0', rightToLeft: false, texts: 0 });
  expect(ar).toMatchObject({ nativeName: 'العربية', rightToLeft: true });
  expect((await admin.send(languageAdminCalls.unpublish, { id: en?.id })).body?.fault).toBe('LANGUAGE_NEEDED');
  expect((await admin.send(languageAdminCalls.publish, { id: de?.id })).body?.fault).toBe('LANGUAGE_EMPTY');
});

test('an edited text is served, said by the server, and reset again', async () => {
  await admin.call(labelCalls.edit, { langCode: 'en', key: 'fault.FORBIDDEN', text: 'No entry.' });
  expect((await served('en'))['fault.FORBIDDEN']).toBe('No entry.');
  await app.context.unscoped(followTexts);
  expect(t('en', 'fault.FORBIDDEN')).toBe('No entry.');
  expect(t('de', 'fault.FORBIDDEN')).toBe('No entry.');
  const [shown] = (await admin.call(labelCalls.page, { criteria: { langCode: 'en', state: 'edited' } })).content;
  expect(shown).toMatchObject({ key: 'fault.FORBIDDEN', text: 'No entry.', allowedActions: ['edit', 'reset'] });
  const reset = { langCode: 'en' as const, key: 'fault.FORBIDDEN' };
  // Somebody else wrote another text since the list was shown.
  expect((await admin.send(labelCalls.reset, { ...reset, seen: 'What it was before.' })).body?.fault).toBe('OVERTAKEN');
  expect((await served('en'))['fault.FORBIDDEN']).toBe('No entry.');
  await admin.call(labelCalls.reset, { ...reset, seen: 'No entry.' });
  expect((await served('en'))['fault.FORBIDDEN']).toBe('You are not allowed to do this.');
});

test.each([
  ['an unknown key', { key: 'no.such.key', text: 'x' }, 'LABEL_UNKNOWN'],
  ['a broken message', { key: 'fault.TOO_MANY', text: 'Wait {seconds, plural, one {' }, 'LABEL_BROKEN'],
  ['a value it never gets', { key: 'fault.TOO_MANY', text: 'Wait {minutes}' }, 'LABEL_ARGUMENT'],
  ['an unknown language', { key: 'fault.FORBIDDEN', text: 'x', langCode: 'xx' }, 'LANGUAGE_UNKNOWN'],
])('%s is refused', async (_name, input, fault) => {
  expect((await admin.send(labelCalls.edit, { langCode: 'de', ...input })).body?.fault).toBe(fault);
});

test('a key that reaches into objects is no key', async () => {
  expect((await admin.send(labelCalls.edit, { langCode: 'de', key: '__proto__', text: 'x' })).code).toBe(400);
  const file = await pack(Buffer.from('{"__proto__": "polluted", "constructor": "x"}'));
  expect(await admin.call(labelCalls.import, { langCode: 'de', file })).toMatchObject({ taken: 0 });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('a pack: preview changes nothing; what is right is taken and the rest named; then it can be offered', async () => {
  const texts = { 'fault.FORBIDDEN': 'Das dürfen Sie nicht.', 'no.such': 'x', 'fault.TOO_MANY': '{nope}', 'fault.NO_SESSION': '' };
  const file = await pack(texts);
  const outcome = { taken: 1, same: 0, unknown: ['no.such'], wrong: [{ key: 'fault.TOO_MANY', fault: 'LABEL_ARGUMENT' }] };
  expect(await admin.call(labelCalls.import, { langCode: 'de', file, preview: true })).toEqual(outcome);
  expect((await languageOf('de')).texts).toBe(0);
  expect(await admin.call(labelCalls.import, { langCode: 'de', file })).toEqual(outcome);
  expect(await admin.call(labelCalls.import, { langCode: 'de', file })).toMatchObject({ taken: 0, same: 1 });
  const de = await languageOf('de');
  expect(de).toMatchObject({ texts: 1, edited: 1, allowedActions: ['publish'] });
  expect(await served('de')).toBe('LANGUAGE_UNKNOWN');
  expect(await admin.call(languageAdminCalls.publish, { id: de.id })).toMatchObject({ publishStatus: '1', allowedActions: ['unpublish'] });
  expect(await served('de')).toEqual({ 'fault.FORBIDDEN': 'Das dürfen Sie nicht.' });
  expect((await nobody.call(languageCalls.supports)).map((one) => one.langCode)).toContain('de');
  await admin.call(languageAdminCalls.unpublish, { id: de.id });
  expect(await served('de')).toBe('LANGUAGE_UNKNOWN');
});

test('a language goes out as a sheet and comes back from it', async () => {
  const sheet = await bytesOf({ langCode: 'zh-CN', format: 'xlsx' });
  const rows: string[][] = [];
  for await (const row of readXlsx(sheet)) rows.push(row);
  expect(rows[0]).toEqual(['key', 'english', 'text']);
  expect(rows.find((row) => row[0] === 'fault.FORBIDDEN')).toEqual([
    'fault.FORBIDDEN',
    'You are not allowed to do this.',
    '您没有此操作权限。',
  ]);
  const outcome = await admin.call(labelCalls.import, { langCode: 'zh-CN', file: await pack(sheet, 'zh.xlsx'), preview: true });
  expect(outcome).toMatchObject({ taken: 0, same: rows.length - 1, unknown: [], wrong: [] });
  const missing = JSON.parse((await bytesOf({ langCode: 'fr', format: 'json', missingOnly: true })).toString()) as object;
  expect(Object.keys(missing)).toHaveLength(rows.length - 1);
});

test.each([
  ['no JSON', Buffer.from('key,text')],
  ['a list', Buffer.from('[1]')],
  ['texts that are none', Buffer.from('{"fault.FORBIDDEN": {"a": 1}}')],
])('a file with %s is no pack', async (_name, bytes) => {
  expect((await admin.send(labelCalls.import, { langCode: 'fr', file: await pack(bytes) })).body?.fault).toBe('PACK_BROKEN');
});
