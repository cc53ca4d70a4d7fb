import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { dictCalls, dictFindCalls, dictSheetCalls } from '@mooring/contract/settings/dict-calls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { readXlsx } from '../../platform/work/read-xlsx.ts';
import { ended, uploaded } from '../device/sheet/sheet.factory.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let admin: Client;
let bank: DeptAt;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  bank = await app.dept('Bank');
});
const asOwner = (text: string) => app.context.pools.owner.query(text);
afterEach(() => asOwner('drop trigger if exists break_it on settings_dict_entry'));
afterAll(() => app.stop());

const HEADER = 'Picklist code,Value,Label (English),Label (简体中文),Order,Enabled';
const csv = (...lines: string[]) => uploaded(app, admin, app.root, `${lines.join('\n')}\n`, 'entries.csv');
const check = (file: number) => admin.call(dictSheetCalls.check, { file });
const take = async (file: number, more: object = {}) => {
  const { work } = await admin.call(dictSheetCalls.import, { file, mode: 'all', ...more });
  return ended(app, admin, work);
};
const cells = (wrong: readonly { row: number; column: string; fault: string; words?: { key: string } | undefined }[]) =>
  wrong.map(({ row, column, fault, words }) => `${row} ${column} ${words?.key ?? fault}`);

let made = 0;
/** A picklist with some entries of its own: value and English label. */
async function dictOf(entries: Readonly<Record<string, string>>) {
  made += 1;
  const dict = await admin.call(dictCalls.add, { code: `colours${made}`, name: 'Colours' });
  const ids: Record<string, number> = {};
  for (const [value, en] of Object.entries(entries))
    ids[value] = (await admin.call(dictCalls.entryAdd, { dictId: dict.id, value, labels: { en, de: `${en} auf Deutsch` } })).id;
  return { id: dict.id, code: dict.code, ids };
}
const edit = (id: number | undefined, en: string, more: object) =>
  admin.call(dictCalls.entryUpdate, {
    id: id as number,
    revision: 1,
    value: en.toLowerCase(),
    labels: { en, de: `${en} auf Deutsch` },
    ...more,
  });
const entriesOf = async (id: number) => {
  const { content } = await admin.call(dictCalls.entries, { criteria: { dictId: id }, page: { size: 100 } });
  return content.map(({ value, labels, sort, enabled }) => [value, labels, sort, enabled] as const);
};

/** The file of a job. */
async function fileOf(work: number) {
  const row = await app.context.unscoped((db) =>
    db
      .selectFrom('work as w')
      .innerJoin('file_file as f', 'f.id', 'w.file_id')
      .select(['f.id', 'f.sha256'])
      .where('w.id', '=', work)
      .executeTakeFirstOrThrow(),
  );
  const parts: Buffer[] = [];
  for await (const part of await openStore(app.context.config).read(row.sha256)) parts.push(part as Buffer);
  return { id: row.id, bytes: Buffer.concat(parts) };
}
async function exported(dictId: number, format: 'xlsx' | 'csv') {
  const { work } = await admin.call(dictCalls.entryExport, {
    criteria: { dictId },
    format,
    columns: ['value', 'label', 'updatedAt', 'system'],
  });
  expect((await ended(app, admin, work)).state).toBe('done');
  return fileOf(work);
}

test.each(['xlsx', 'csv'] as const)('what an export writes as %s comes back and changes nothing', async (format) => {
  const { id, ids } = await dictOf({ red: 'Red', '007': '=1+1', '1e5': "'quoted", '2026-01-02': ' -5', 'with, "signs"': 'a,b\nc' });
  await edit(ids.red, 'Red', { enabled: false, sort: 7 });
  const before = await entriesOf(id);
  const file = await exported(id, format);
  const found = await check(file.id);
  expect(found).toMatchObject({ rows: 5, good: 5, wrong: [], changing: 0, adding: 0, changes: [] });
  expect(await take(file.id)).toMatchObject({ state: 'done', done: 5, failed: 0 });
  expect(await entriesOf(id)).toEqual(before);
});

test('built-in entries go out and come back; changed they are refused, and a list of them takes no others', async () => {
  const { content } = await admin.call(dictCalls.page, { criteria: { text: 'productCategory' }, page: {} });
  const file = await exported(content[0]?.id as number, 'xlsx');
  const found = await check(file.id);
  expect(found).toMatchObject({ wrong: [], changing: 0 });
  expect(found.rows).toBeGreaterThan(5);
  const odd = await check(await csv(HEADER, 'productCategory,mobileReader,Other,别的,,', 'productCategory,smoke,Smoke,,,'));
  expect(cells(odd.wrong)).toEqual(['2 Label (English) DICT_LOCKED', '2 Label (简体中文) DICT_LOCKED', '3 dictSheet.dict DICT_LOCKED']);
});

test('entries that are there change, others are added, and both are shown before', async () => {
  const { id, code } = await dictOf({ red: 'Red', blue: 'Blue' });
  const file = await csv(
    'Picklist code,Value,Label (English),Label (Deutsch),Order,Enabled',
    `${code},red,Crimson,Red auf Deutsch,,`,
    `${code.toUpperCase()},blue,Blue,,50,No`,
    `${code},green,Green,Grün,,`,
  );
  const found = await check(file);
  expect(found).toMatchObject({ rows: 3, good: 3, wrongCells: 0, changing: 3, adding: 1 });
  expect(found.changes.map(({ label, column, from, to, isNew }) => [label, column, from, to, isNew])).toEqual([
    [`${code} · red`, 'Label (English)', 'Red', 'Crimson', false],
    [`${code} · blue`, 'Label (Deutsch)', 'Blue auf Deutsch', '', false],
    [`${code} · blue`, 'settings.dict.entry.sort', '100', '50', false],
    [`${code} · blue`, 'settings.dict.entry.enabled', 'Yes', 'No', false],
    [`${code} · green`, 'Label (English)', '', 'Green', true],
    [`${code} · green`, 'Label (Deutsch)', '', 'Grün', true],
  ]);
  expect(await take(file)).toMatchObject({ state: 'done', done: 3, failed: 0 });
  expect(await entriesOf(id)).toEqual([
    ['blue', { en: 'Blue' }, 50, false],
    ['red', { en: 'Crimson', de: 'Red auf Deutsch' }, 100, true],
    ['green', { en: 'Green', de: 'Grün' }, 100, true],
  ]);
  const offered = await admin.call(dictFindCalls.findByCriteria, { criteria: { type: code } });
  expect(offered.map(({ label }) => label)).toEqual(['Green', 'Crimson']);
  // The same file again finds it all there.
  expect(await check(file)).toMatchObject({ changing: 0, adding: 0 });
});

test('every wrong cell is named in words, and nothing is taken, or the good rows alone', async () => {
  const { id, code } = await dictOf({ red: 'Red', Blue: 'Blue' });
  const before = await entriesOf(id);
  const lines = [
    `${code},red,Crimson,绯红,5,Yes`,
    `${code},,No value,,,`,
    `${code},${'v'.repeat(65)},Long,,,`,
    `${code},long,${'l'.repeat(129)},,,`,
    `${code},red,Again,,,`,
    `${code},blue,Other capitals,,,`,
    `${code},bare,,,,`,
    `${code},many,Many,,10000,perhaps`,
    `nowhere,x,X,,,`,
    `${code},Green,Green,,,`,
    `${code},green,Green,,,`,
    `${code},Blue,,,,`,
    `networkKind,smoke,Smoke signals,,,`,
  ];
  const found = await check(await csv(HEADER, ...lines));
  expect(cells(found.wrong)).toEqual([
    '3 settings.dict.entry.value invalid.required',
    '4 settings.dict.entry.value invalid.maxText',
    '5 Label (English) invalid.maxText',
    '6 settings.dict.entry.value SHEET_TWICE',
    '7 settings.dict.entry.value DICT_ENTRY_TAKEN',
    '8 Label (English) invalid.required',
    '9 settings.dict.entry.sort invalid.whole',
    '9 settings.dict.entry.enabled invalid.yesNo',
    '10 dictSheet.dict NOT_FOUND',
    '12 settings.dict.entry.value SHEET_TWICE',
    '13 Label (English) invalid.required',
    '14 dictSheet.dict DICT_LOCKED',
  ]);
  expect(found).toMatchObject({ rows: 13, good: 2, changing: 2, adding: 1 });
  expect(await take(await csv(HEADER, ...lines))).toMatchObject({ state: 'failed', reason: 'SHEET_REFUSED' });
  expect(await entriesOf(id)).toEqual(before);
  expect(await take(await csv(HEADER, ...lines), { mode: 'good', again: true })).toMatchObject({ state: 'done', failed: 11 });
  expect((await entriesOf(id)).map(([value, labels]) => `${value} ${labels.en}`)).toEqual(['red Crimson', 'Blue Blue', 'Green Green']);
});

test('columns that no sheet has, that stand there twice or are missing, and more rows than a file may have, are refused', async () => {
  const faultOf = async (...lines: string[]) => {
    const { code, body } = await admin.send(dictSheetCalls.check, { file: await csv(...lines) });
    return [code, body?.fault];
  };
  expect(await faultOf('Picklist code,Value,Label (Klingon)', 'industry,x,X')).toEqual([400, 'SHEET_COLUMN_UNKNOWN']);
  expect(await faultOf('Picklist code,Value,Value', 'industry,x,X')).toEqual([400, 'SHEET_COLUMN_TWICE']);
  expect(await faultOf('Value,Label (English)', 'x,X')).toEqual([400, 'SHEET_COLUMN_MISSING']);
  const many = Array.from({ length: 10_001 }, (_, at) => `industry,v${at},V${at}`);
  expect(await faultOf('Picklist code,Value,Label (English)', ...many)).toEqual([400, 'SHEET_TOO_LARGE']);
  // In the words of who asks.
  const zh = await admin.call(dictSheetCalls.check, { file: await csv('字典编码,值,标签（English）', 'industry,florist,Florist') });
  expect(zh).toMatchObject({ good: 1, adding: 1 });
});

test('a row that somebody changed since the export is refused, until its revision is cleared', async () => {
  const { id, code, ids } = await dictOf({ red: 'Red', blue: 'Blue' });
  const sheet = (revision: string) =>
    csv('Picklist code,Value,Label (English),Revision', `${code},red,Crimson,${revision}`, `${code},blue,Blue,1`);
  const [old, bare] = [await sheet('1'), await sheet('')];
  await edit(ids.red, 'Red', { sort: 3 });
  // What says the same as before is fine, whatever its revision.
  await edit(ids.blue, 'Blue', { sort: 4 });
  expect(cells((await check(old)).wrong)).toEqual(['2 dictSheet.revision DICT_ENTRY_OVERTAKEN']);
  expect(await take(old)).toMatchObject({ state: 'failed' });
  expect(await take(bare)).toMatchObject({ state: 'done' });
  expect(await entriesOf(id)).toEqual([
    ['red', { en: 'Crimson', de: 'Red auf Deutsch' }, 3, true],
    ['blue', { en: 'Blue', de: 'Blue auf Deutsch' }, 4, true],
  ]);
});

test('two files at once: the second finds what the first has changed and added', async () => {
  const { id, code } = await dictOf({ red: 'Red' });
  const sheet = (en: string) => csv('Picklist code,Value,Label (English),Revision', `${code},red,${en},1`, `${code},new,${en},`);
  const works = [];
  for (const en of ['First', 'Second']) works.push((await admin.call(dictSheetCalls.import, { file: await sheet(en), mode: 'all' })).work);
  await app.runJobs();
  const states = [];
  for (const work of works) states.push((await admin.call(backgroundJobCalls.detail, { id: work })).state);
  expect(states.toSorted()).toEqual(['done', 'failed']);
  const labels = (await entriesOf(id)).map(([, { en }]) => en);
  expect(new Set(labels).size).toBe(1);
});

test('an end in the middle leaves nothing half done, and the job goes on', async () => {
  const { id, code } = await dictOf({ red: 'Red' });
  const file = await csv(
    'Picklist code,Value,Label (English)',
    `${code},red,Crimson`,
    ...Array.from({ length: 1100 }, (_, at) => `${code},v${at},V${at}`),
  );
  await asOwner(`create or replace function break_it() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = 'P0001'; end $$;
    create trigger break_it before insert on settings_dict_entry for each row when (new.value = 'v1050') execute function break_it()`);
  const { work } = await admin.call(dictSheetCalls.import, { file, mode: 'all' });
  expect((await ended(app, admin, work)).state).toBe('running');
  expect((await entriesOf(id)).map(([, { en }]) => en)).toEqual(['Red']);
  await asOwner('drop trigger break_it on settings_dict_entry');
  await asOwner('update graphile_worker._private_jobs set run_at = now()');
  expect(await ended(app, admin, work)).toMatchObject({ state: 'done', done: 1101, failed: 0 });
  const { total } = await admin.call(dictCalls.entries, { criteria: { dictId: id }, page: {} });
  expect(total).toBe(1101);
});

test('who may not edit picklists neither checks nor imports, and rights that were lost meanwhile import nothing', async () => {
  const file = await csv(HEADER, 'industry,florist,Florist,,,');
  const member = await app.person('orgMember', bank, 'manager');
  for (const call of [dictSheetCalls.check, dictSheetCalls.template]) expect((await member.send(call, { file } as never)).code).toBe(403);
  expect((await member.send(dictSheetCalls.import, { file, mode: 'all' })).code).toBe(403);
  const lost = await app.person('platformAdmin', app.root, 'manager');
  const { work } = await lost.call(dictSheetCalls.import, {
    file: await uploaded(app, lost, app.root, `${HEADER}\nindustry,lost,Lost,,,\n`, 'a.csv'),
    mode: 'all',
  });
  await asOwner(`delete from access_user_role where user_id = ${lost.userId}`);
  await app.runJobs();
  const offered = await admin.call(dictFindCalls.findByCriteria, { criteria: { type: 'industry' } });
  expect(offered.map(({ value }) => value)).not.toContain('lost');
  expect(work).toBeGreaterThan(0);
});

test('the template is what an import takes', async () => {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/ops/sysSetting/dict/sheet/template',
    headers: {
      authorization: admin.token,
      'accept-platform': 'manager',
      'accept-deptid': String(app.root.id),
      'accept-language': 'en',
      'content-type': 'application/json',
    },
    payload: '{}',
  });
  const rows: string[][] = [];
  for await (const row of readXlsx(answer.rawPayload)) rows.push(row);
  expect(rows[0]?.slice(0, 3)).toEqual(['Picklist code', 'Value', 'Label (English)']);
  const found = await check(await uploaded(app, admin, app.root, answer.rawPayload, 'template.xlsx'));
  expect(found).toMatchObject({ rows: 1, good: 1, adding: 1 });
});
