import { buffer } from 'node:stream/consumers';
import { MOST_SNS } from '@mooring/contract/device/group-calls';
import { SN } from '@mooring/contract/device/limits';
import type { countFileFaults } from '@mooring/contract/inventory/count';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { t } from '../../platform/texts/translate.ts';
import { fused } from '../../platform/work/defuse.ts';
import type { SheetRow } from '../../platform/work/parse-xlsx.ts';

const MB = 1024 * 1024;
const BYTES = 8 * MB;
const COLUMNS = 100;
const VALUE = 64;
/** With the one that names the column. */
const ROWS = MOST_SNS + 1;
export interface CountFile {
  readonly sns: readonly string[];
  readonly wrong: readonly { readonly row: number; readonly value: string; readonly why: (typeof countFileFaults)[number] }[];
}

/** A plain list: whatever stands between blanks, commas and semicolons. Bounded while it is read: a large file of single letters is millions of cells. */
function listed(bytes: Buffer): SheetRow[] {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const rows: SheetRow[] = [];
  let [line, counted] = [1, 0];
  for (const { 0: cell, index } of text.matchAll(/[^\s,;"']+/g)) {
    if (rows.length === ROWS) throw new Fault('SHEET_TOO_LARGE');
    for (let end = text.indexOf('\n', counted); end >= 0 && end < index; end = text.indexOf('\n', counted)) {
      line += 1;
      counted = end + 1;
    }
    rows.push({ number: line, cells: [cell] });
  }
  return rows;
}

async function rowsOf(ctx: Ctx, bytes: Buffer, name: string): Promise<SheetRow[]> {
  if (/\.txt$/i.test(name)) return listed(bytes);
  const { readSheet } = await import('../../platform/work/read-xlsx.ts');
  const limits = { rows: ROWS, columns: COLUMNS, bytes: 64 * MB, strict: true, person: ctx.actor.userId };
  const rows: SheetRow[] = [];
  for await (const row of readSheet(bytes, /\.csv$/i.test(name) ? 'csv' : 'xlsx', limits)) rows.push(row);
  return rows;
}

/** Which column has them, and whether the first row names it. Fault: COUNT_FILE_COLUMN, where several might. */
function columnOf(lang: string, rows: readonly SheetRow[]): { column: number; isNamed: boolean } {
  const names = new Set(
    ['sn', ...['en', 'zh-CN', lang].flatMap((one) => [t(one, 'device.sn'), t(one, 'stock.in.sns')])].map((one) => one.toLowerCase()),
  );
  const named = rows[0]?.cells.findIndex((cell) => names.has(cell.trim().toLowerCase())) ?? -1;
  if (named >= 0) return { column: named, isNamed: true };
  const used = new Set(rows.flatMap(({ cells }) => cells.flatMap((cell, at) => (cell.trim() === '' ? [] : [at]))));
  if (used.size > 1) throw new Fault('COUNT_FILE_COLUMN', { fields: { file: 'fault.COUNT_FILE_COLUMN' } });
  return { column: [...used][0] ?? 0, isNamed: false };
}

/** Serial numbers of an uploaded file as they stand there, also what stands there twice. Faults: NOT_FOUND, COUNT_FILE_EMPTY, and those of reading. */
export async function readCountFile(ctx: Ctx, store: BlobStore, file: number): Promise<CountFile> {
  const row = await ctx.inTx((db) =>
    db.selectFrom('file_file').select(['sha256', 'size', 'name']).where('id', '=', file).executeTakeFirst(),
  );
  if (!row) throw fault('NOT_FOUND');
  if (Number(row.size) > BYTES) throw new Fault('SHEET_TOO_LARGE');
  const rows = await rowsOf(ctx, await buffer(await store.read(row.sha256)), row.name);
  const { column, isNamed } = columnOf(ctx.lang, rows);
  const sns: string[] = [];
  const wrong: CountFile['wrong'][number][] = [];
  for (const { number, cells, odd } of rows.slice(isNamed ? 1 : 0)) {
    const sn = fused(cells[column] ?? '')
      .trim()
      .toUpperCase();
    const why = odd?.[column] ?? (SN.test(sn) ? undefined : 'wrong');
    if (sn === '' && !odd?.[column]) continue;
    if (why) wrong.push({ row: number, value: sn.slice(0, VALUE), why });
    else sns.push(sn);
  }
  if (sns.length + wrong.length === 0) throw new Fault('COUNT_FILE_EMPTY', { fields: { file: 'fault.COUNT_FILE_EMPTY' } });
  if (sns.length > MOST_SNS) throw new Fault('SHEET_TOO_LARGE');
  return { sns, wrong };
}
