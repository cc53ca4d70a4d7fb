import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readSheet } from '@mooring/server/platform/work/read-xlsx';
import { xlsx } from '@mooring/server/platform/work/xlsx';

/** A sheet of so many rows and eight columns read or written by one of both, in a process of its own: how long it takes, and the most memory. */
const [, , whose = '', work = '', file = '', count = '0', anchor = ''] = process.argv;
const rows = Number(count);
const header = ['SN', 'Name', 'Product', 'Organisation', 'Tags', 'IMEI', 'MAC', 'Remark'];
const row = (n: number): string[] => [
  `SN${String(n).padStart(8, '0')}`,
  `Counter ${n}`,
  'A920',
  `Organisation ${n % 1000}`,
  'counter, pilot',
  String(861_234_567_000_000 + n),
  '00:1A:2B:3C:4D:5E',
  n % 3 === 0 ? '' : `Row ${n} & more`,
];

interface Streams {
  WorkbookReader: new (from: NodeJS.ReadableStream, options: object) => AsyncIterable<AsyncIterable<{ values: readonly unknown[] }>>;
  WorkbookWriter: new (
    options: object,
  ) => {
    addWorksheet(name: string): { addRow(cells: readonly string[]): { commit(): void }; commit(): void };
    commit(): Promise<void>;
  };
}
const exceljs = () => (createRequire(join(anchor, 'package.json'))('exceljs') as { stream: { xlsx: Streams } }).stream.xlsx;

const acts: Readonly<Record<string, () => Promise<number>>> = {
  'ours read': async () => {
    let seen = 0;
    const limits = { rows: rows + 1, columns: 100, bytes: 512 * 1024 ** 2, elements: 40_000_000, seconds: 90, strict: true };
    for await (const { cells } of readSheet(readFileSync(file), 'xlsx', limits)) seen += cells.length > 0 ? 1 : 0;
    return seen;
  },
  'ours write': async () => {
    async function* body() {
      for (let n = 0; n < rows; n += 1) yield row(n);
    }
    await pipeline(xlsx(header, body(), { text: true }), createWriteStream(file));
    return rows + 1;
  },
  // Its streams: its whole workbooks take several times as much.
  'theirs read': async () => {
    let seen = 0;
    const options = { worksheets: 'emit', sharedStrings: 'cache', styles: 'cache', hyperlinks: 'ignore', entries: 'ignore' };
    for await (const sheet of new (exceljs().WorkbookReader)(createReadStream(file), options))
      for await (const { values } of sheet) seen += values.length > 0 ? 1 : 0;
    return seen;
  },
  'theirs write': async () => {
    const book = new (exceljs().WorkbookWriter)({ filename: file, useStyles: false, useSharedStrings: false });
    const sheet = book.addWorksheet('Sheet1');
    sheet.addRow(header).commit();
    for (let n = 0; n < rows; n += 1) sheet.addRow(row(n)).commit();
    sheet.commit();
    await book.commit();
    return rows + 1;
  },
};
const act = acts[`${whose} ${work}`];
if (!act) throw new Error(`no such work: ${whose} ${work}`);
const began = performance.now();
const seen = await act();
if (seen !== rows + 1) throw new Error(`${seen} rows instead of ${rows + 1}`);
process.stdout.write(JSON.stringify({ took: performance.now() - began, memory: process.resourceUsage().maxRSS * 1024 }));
