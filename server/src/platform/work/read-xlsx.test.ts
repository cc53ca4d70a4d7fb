import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { type Cell, defuse } from './defuse.ts';
import { readXlsx } from './read-xlsx.ts';
import { xlsx } from './xlsx.ts';

async function* rows(...list: Cell[][]) {
  yield* list;
}
const read = async (bytes: Buffer, limits = {}) => {
  const found: string[][] = [];
  for await (const row of readXlsx(bytes, limits)) found.push(row);
  return found;
};
const made = (...list: Cell[][]) => buffer(xlsx(['Name', 'Count'], rows(...list)));
async function zipped(parts: Record<string, string>) {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream as unknown as NodeJS.ReadableStream);
}
const book = (sheet: string, strings?: string) =>
  zipped({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="x1"/><sheet name="B" r:id="x2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="x1" Target="worksheets/one.xml"/></Relationships>',
    'xl/worksheets/one.xml': sheet,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': strings }),
  });

test('what was written is read back, formulas made harmless and restored', async () => {
  expect(defuse('＝1+1')).toBe("'＝1+1");
  expect(await read(await made(['=1+1', 3], ['＝1+1', 4], ['<&> ü 终端', null]))).toEqual([
    ['Name', 'Count'],
    ['=1+1', '3'],
    ['＝1+1', '4'],
    ['<&> ü 终端', ''],
  ]);
});

test('shared and rich strings, gaps between cells, and only the first sheet', async () => {
  const sheet = '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>1</v></c><c r="C1"><v>4.5</v></c></row></sheetData></worksheet>';
  const strings = '<sst><si><t>no</t></si><si><r><t>yes </t></r><r><t>sir</t></r><rPh><t>x</t></rPh></si></sst>';
  expect(await read(await book(sheet, strings))).toEqual([['yes sir', '', '4.5']]);
});

test('entities of its own making are not expanded', async () => {
  const sheet =
    '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&e;</t></is></c></row></sheetData></worksheet>';
  expect((await read(await book(sheet))).flat().join('')).not.toContain('root');
});

test.each([
  ['too many rows', { rows: 2 }],
  ['too many columns', { columns: 1 }],
  ['too many bytes once unpacked', { bytes: 1000 }],
])('%s are refused', async (_, limits) => {
  await expect(read(await made(['a', 1], ['b', 2]), limits)).rejects.toMatchObject({ fault: 'SHEET_TOO_LARGE' });
});

test('a bomb of 20 MB in 20 kB ends at its limit', async () => {
  const sheet = `<worksheet><sheetData><row><c t="inlineStr"><is><t>${'a'.repeat(20 * 1024 * 1024)}</t></is></c></row></sheetData></worksheet>`;
  const bytes = await book(sheet);
  expect(bytes.length).toBeLessThan(40_000);
  await expect(read(bytes, { bytes: 10 * 1024 * 1024 })).rejects.toMatchObject({ fault: 'SHEET_TOO_LARGE' });
});

test.each([
  ['no archive', Buffer.from('Name,Count\na,1\n')],
  ['an archive that is cut off', undefined],
])('%s is broken', async (_, bytes) => {
  await expect(read(bytes ?? (await made(['a', 1])).subarray(0, 900))).rejects.toMatchObject({ fault: 'SHEET_BROKEN' });
});

test.each([
  ['nested', (n: number) => '<a>'.repeat(n)],
  ['nested in a text', (n: number) => `<worksheet><sheetData><row><c t="inlineStr"><is>${'<t>'.repeat(n)}`],
])('400,000 elements %s in 2 kB are refused at once, wherever they stand', async (_, nest) => {
  const many = nest(400_000);
  for (const bytes of [await book(many), await book('<worksheet/>', many)]) {
    expect(bytes.length).toBeLessThan(8_000);
    await expect(read(bytes)).rejects.toMatchObject({ fault: 'SHEET_TOO_LARGE' });
  }
});

test('more elements or time than a sheet may take are refused', async () => {
  const empty = await book(`<worksheet><sheetData>${'<row/>'.repeat(1000)}</sheetData></worksheet>`);
  await expect(read(empty, { elements: 900 })).rejects.toMatchObject({ fault: 'SHEET_TOO_LARGE' });
  await expect(read(empty, { seconds: 0 })).rejects.toMatchObject({ fault: 'SHEET_TOO_LARGE' });
});

test('a reader that leaves early ends the reading, and others get their turn', async () => {
  const long = await book(`<worksheet><sheetData>${'<row><c><v>1</v></c></row>'.repeat(5000)}</sheetData></worksheet>`);
  const leave = async () => {
    for await (const row of readXlsx(long)) return row;
    return undefined;
  };
  expect(await Promise.all(Array.from({ length: 6 }, leave))).toEqual(Array.from({ length: 6 }, () => ['1']));
  expect(await read(long)).toHaveLength(5000);
});

test('an archive without a sheet is broken', async () => {
  await expect(read(await zipped({ 'a.txt': 'a' }))).rejects.toMatchObject({ fault: 'SHEET_BROKEN' });
});

test('a moment is a date of the sheet, as clocks of the zone show it, and a column can be filtered', async () => {
  const moments = [new Date('2026-01-15T12:00:00Z'), new Date('2026-07-15T12:00:00Z')];
  const of = async (timeZone: string) => {
    const read: string[][] = [];
    const made = await buffer(xlsx(['At'], rows(...moments.map((one): Cell[] => [one])), { name: 'Terminals: [all]', timeZone }));
    for await (const cells of readXlsx(made)) read.push(cells);
    return read.slice(1).map(([serial]) => new Date(Math.round((Number(serial) - 25_569) * 86_400_000)).toISOString().slice(0, 16));
  };
  expect(await of('UTC')).toEqual(['2026-01-15T12:00', '2026-07-15T12:00']);
  expect(await of('Europe/Berlin')).toEqual(['2026-01-15T13:00', '2026-07-15T14:00']);
  expect(await of('Asia/Kolkata')).toEqual(['2026-01-15T17:30', '2026-07-15T17:30']);
});
