import { buffer } from 'node:stream/consumers';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../context.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { type Title, titleIn } from '../texts/title.ts';
import { fused } from './defuse.ts';
import type { OddCell, SheetRow } from './parse-xlsx.ts';

const MB = 1024 * 1024;
const BYTES = 32 * MB;
const COLUMNS = 100;
const CHUNK = 1000;
export const RESULT = 'kit.sheet.result';

/** A row as it stands in the file. */
export interface Line<C extends string> {
  readonly number: number;
  readonly text: Readonly<Partial<Record<C, string>>>;
  readonly odd: Readonly<Partial<Record<C, OddCell>>>;
}
export interface SheetFile<C extends string> {
  readonly sha256: string;
  readonly name: string;
  /** In the order of the file. */
  readonly columns: readonly C[];
  readonly chunks: AsyncGenerator<readonly Line<C>[]>;
  /** Whoever opened it closes it, read to its end or not: until then it holds a thread. */
  close(): Promise<void>;
}

/** The file as it is kept. Faults: NOT_FOUND, SHEET_TOO_LARGE. */
export async function sheetBlob(ctx: Ctx, file: number): Promise<{ sha256: string; name: string }> {
  const row = await ctx.inTx((db) =>
    db.selectFrom('file_file').select(['sha256', 'size', 'name']).where('id', '=', file).executeTakeFirst(),
  );
  if (!row) throw fault('NOT_FOUND');
  if (Number(row.size) > BYTES) throw new Fault('SHEET_TOO_LARGE');
  return { sha256: row.sha256, name: row.name };
}

const column = (name: 'UNKNOWN' | 'MISSING' | 'TWICE', text: string) =>
  new Fault(`SHEET_COLUMN_${name}`, { params: { column: text.slice(0, 64) } });

/** Which column each header cell is: in the person's language or the product's own; our own word about a row, and what nothing is taken from, is passed over. */
export function headerOf<C extends string>(
  lang: string,
  cells: readonly string[],
  titles: Readonly<Record<C, Title>>,
  needed: readonly C[],
  passed: readonly Title[] = [],
) {
  const known = new Map<string, C | undefined>();
  for (const one of ['zh-CN', 'en', lang]) {
    for (const title of [RESULT, ...passed] as const) known.set(titleIn(one, title).toLowerCase(), undefined);
    for (const [key, title] of Object.entries<Title>(titles)) known.set(titleIn(one, title).toLowerCase(), key as C);
  }
  const found: (C | undefined)[] = cells.map((cell) => {
    const text = cell.trim();
    if (text !== '' && !known.has(text.toLowerCase())) throw column('UNKNOWN', text);
    return known.get(text.toLowerCase());
  });
  const twice = found.find((one, at) => one !== undefined && found.indexOf(one) !== at);
  if (twice !== undefined) throw column('TWICE', titleIn(lang, titles[twice]));
  const missing = needed.find((one) => !found.includes(one));
  if (missing !== undefined) throw column('MISSING', titleIn(lang, titles[missing]));
  return found;
}

/** No column of the database takes half a sign or NUL, and nobody sees the other control characters. */
const UNSEEN = /[[\p{Cc}--[\t\n\r]]\p{Cs}]/gv;

export const lineOf = <C extends string>(row: SheetRow, columns: readonly (C | undefined)[]): Line<C> => {
  const text: Partial<Record<C, string>> = {};
  const odd: Partial<Record<C, OddCell>> = {};
  for (const [at, key] of columns.entries()) {
    if (key === undefined) continue;
    const cell = fused(row.cells[at] ?? '').trim();
    const seen = cell.replace(UNSEEN, '\uFFFD');
    text[key] = seen;
    const why = row.odd?.[at] ?? (seen === cell ? undefined : 'text');
    if (why) odd[key] = why;
  }
  return { number: row.number, text, odd };
};

interface Wanted<C extends string> {
  readonly titles: Readonly<Record<C, Title>>;
  readonly needed: readonly C[];
  readonly passed?: readonly Title[];
  readonly rows: number;
}

/** A file of many rows, read a thousand at a time: its memory doesn't grow with its rows. Faults: NOT_FOUND and those of reading. */
export async function openSheet<C extends string>(
  ctx: Ctx,
  store: BlobStore,
  file: number,
  { titles, needed, passed, rows }: Wanted<C>,
  whose: 'person' | 'job' = 'person',
): Promise<SheetFile<C>> {
  const { sha256, name } = await sheetBlob(ctx, file);
  const bytes = await buffer(await store.read(sha256));
  const limits = { rows: rows + 1, columns: COLUMNS, bytes: 512 * MB, elements: 40_000_000, seconds: 90, strict: true, turn: whose };
  const pace = whose === 'person' ? { ...limits, person: ctx.actor.userId } : limits;
  const { readSheet } = await import('./read-xlsx.ts');
  const reader = readSheet(bytes, name.toLowerCase().endsWith('.csv') ? 'csv' : 'xlsx', pace);
  const first = await reader.next();
  let header: (C | undefined)[];
  try {
    header = headerOf(ctx.lang, first.done ? [] : first.value.cells, titles, needed, passed);
  } catch (error) {
    await reader.return(undefined);
    throw error;
  }
  async function* chunks() {
    let lines: Line<C>[] = [];
    for await (const row of reader) {
      const line = lineOf(row, header);
      if (Object.values<string | undefined>(line.text).every((text) => text === '') && Object.keys(line.odd).length === 0) continue;
      if (lines.push(line) < CHUNK) continue;
      yield lines;
      lines = [];
    }
    if (lines.length > 0) yield lines;
  }
  const close = async () => void (await reader.return(undefined));
  return { sha256, name, columns: header.filter((one) => one !== undefined), chunks: chunks(), close };
}
