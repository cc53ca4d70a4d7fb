import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { SheetRow } from './parse-xlsx.ts';
import { readSheet } from './read-xlsx.ts';
import { openArchive } from './read-zip.ts';
import { headerOf } from './sheet-lines.ts';
import { xlsx } from './xlsx.ts';

const strict = { strict: true, rows: 1000, columns: 50 };
const read = async (bytes: Buffer, as: 'xlsx' | 'csv' = 'xlsx', limits: object = strict) => {
  const found: SheetRow[] = [];
  for await (const row of readSheet(bytes, as, limits)) found.push(row);
  return found;
};
const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/><numFmt numFmtId="165" formatCode="0.00&quot;days&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
function book(rows: string, after = ''): Promise<Buffer> {
  const zip = new ZipFile();
  const parts = {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="x1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="x1" Target="worksheets/one.xml"/></Relationships>',
    'xl/worksheets/one.xml': `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`,
    'xl/styles.xml': STYLES,
  };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream as unknown as NodeJS.ReadableStream);
}

test.each([
  ['a number of 20 digits', '<c><v>1.2345678901234568E+19</v></c>', 'digits'],
  ['the same written out', '<c><v>12345678901234567000</v></c>', 'digits'],
  ['a day', '<c s="1"><v>46000</v></c>', 'date'],
  ['a month of the file’s own format', '<c s="2"><v>46000</v></c>', 'date'],
  ['a formula that was never counted', '<c><f>A1+1</f></c>', 'formula'],
  ['an error', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', 'formula'],
])('%s isn’t what was meant', async (_, cell, why) => {
  expect((await read(await book(`<row r="1">${cell}</row>`)))[0]?.odd).toEqual({ 0: why });
});

test.each([
  ['a number of 15 digits', '<c><v>861234567890123</v></c>', '861234567890123'],
  ['20 digits as text', '<c t="inlineStr"><is><t>12345678901234567890</t></is></c>', '12345678901234567890'],
  ['what a formula gave', '<c t="str"><f>A1&amp;"X"</f><v>SN1X</v></c>', 'SN1X'],
  ['a number with a word in its format', '<c s="3"><v>12</v></c>', '12'],
])('%s is taken', async (_, cell, text) => {
  expect(await read(await book(`<row r="1">${cell}</row>`))).toEqual([{ number: 1, cells: [text] }]);
});

test('rows are counted as the program counts them; a million that hold nothing count for nothing', async () => {
  const empty = '<row><c s="1"/></row>'.repeat(1_000_000);
  const found = await read(await book(`<row r="1"><c><v>1</v></c></row>${empty}<row r="1048570"><c><v>2</v></c></row>`));
  expect(found.map(({ number }) => number)).toEqual([1, 1_048_570]);
}, 60_000);

test('merged cells are refused by their place', async () => {
  const bytes = await book('<row><c><v>1</v></c></row>', '<mergeCells><mergeCell ref="A2:B3"/></mergeCells>');
  await expect(read(bytes)).rejects.toMatchObject({ fault: 'SHEET_MERGED', params: { cells: 'A2:B3' } });
});

test('16,384 columns that hold nothing are passed over, one that holds something isn’t', async () => {
  expect(await read(await book('<row><c><v>1</v></c><c r="XFD1" s="1"/></row>'))).toEqual([{ number: 1, cells: ['1'] }]);
  await expect(read(await book('<row><c r="XFD1"><v>1</v></c></row>'))).rejects.toMatchObject({ fault: 'SHEET_TOO_LARGE' });
});

test('of CSV blank lines are passed over and long numbers that were rounded are told', async () => {
  expect(await read(Buffer.from('SN;Name\r\n\r\n1,23457E+19;a\r\n'), 'csv')).toEqual([
    { number: 1, cells: ['SN', 'Name'] },
    { number: 3, cells: ['1,23457E+19', 'a'], odd: { 0: 'digits' } },
  ]);
});

test('header cells stand in any order and any of our languages; our own word about a row is passed over', () => {
  const titles = { sn: 'device.sn', name: 'device.name' } as const;
  expect(headerOf('en', ['名称', ' sn ', 'Result', ''], titles, ['sn'])).toEqual(['name', 'sn', undefined, undefined]);
});

test('files that nobody reads on keep no others waiting', async () => {
  const bytes = await book('<row><c><v>1</v></c></row>'.repeat(600));
  const left = [1, 2].map(() => readSheet(bytes, 'xlsx', { ...strict, idleMs: 20 }));
  for (const one of left) await one.next();
  expect(await read(bytes)).toHaveLength(600);
  await expect(left[0]?.next().then(() => read(bytes))).resolves.toHaveLength(600);
});

test('who takes the rows slowly gives the turn back in the end, and has one of all turns', async () => {
  const bytes = await book('<row><c><v>1</v></c></row>'.repeat(6000));
  const long = { ...strict, rows: 10_000 };
  const slow = readSheet(bytes, 'xlsx', { ...long, person: 1, wholeMs: 1500 });
  await slow.next();
  const second = readSheet(bytes, 'xlsx', { ...long, person: 1 });
  let begun = false;
  const first = second.next().then(() => {
    begun = true;
  });
  // Another person's turn is free, though one person asked for two.
  const other = readSheet(bytes, 'xlsx', { ...long, person: 2 });
  await other.next();
  expect(begun).toBe(false);
  await other.return(undefined);
  await first;
  const rest = async () => {
    for await (const _row of slow);
  };
  await expect(rest()).rejects.toMatchObject({ fault: 'SHEET_TOO_LARGE' });
  await second.return(undefined);
});

test('who puts a workbook away half ends what it is written from', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* rows() {
    try {
      for (;;) yield [randomBytes(500).toString('hex')];
    } finally {
      end();
    }
  }
  const out = xlsx(['A'], rows());
  let read = 0;
  for await (const part of out) {
    read += Buffer.from(part).length;
    if (read > 100_000) break;
  }
  await ended;
});

test('a template’s columns are text, so that no zero in front gets lost', async () => {
  async function* rows() {
    yield ['012345678901234', ''];
  }
  const made = await buffer(xlsx(['IMEI', 'PN'], rows(), { text: true }));
  const zip = await openArchive(made, { files: 20, bytes: 1_000_000 }, (reason) => new Error(reason));
  const part = async (path: string) => String(await zip.files.find((one) => one.path === path)?.read());
  const sheet = await part('xl/worksheets/sheet1.xml');
  zip.close();
  expect(sheet).toContain('<col min="1" max="1" width="20" customWidth="1" style="3"/>');
  expect(sheet).toContain('<c r="A2" t="inlineStr" s="3"><is><t xml:space="preserve">012345678901234</t></is></c><c r="B2" s="3"/>');
});
