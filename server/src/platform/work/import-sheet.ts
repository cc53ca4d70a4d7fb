import { buffer } from 'node:stream/consumers';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { ImportOutcome } from '@mooring/contract/kit/import';
import { issueWords, partAt } from '@mooring/contract/kit/issue-words';
import { checkSheet } from '@mooring/contract/shared/excel';
import type { TextKey } from '@mooring/contract/texts';
import { z } from 'zod';
import type { Ctx } from '../context.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { job, type Wire } from '../module.ts';
import { t } from '../texts/translate.ts';
import { fused } from './defuse.ts';
import { readCsv } from './read-csv.ts';
import { addBackgroundJob, endBackgroundJob, isWanted, startBackgroundJob } from './work.ts';
import { xlsx } from './xlsx.ts';

const BYTES = 4 * 1024 * 1024;
export const MOST_ROWS = 1000;
const MOST = { rows: MOST_ROWS + 1, columns: 50 } as const;
const SHOWN = 200;

/** A row as it stands in the sheet, its cells by column. */
export interface SheetLine<C extends string> {
  readonly number: number;
  readonly text: Readonly<Record<C, string>>;
}
export interface Wrong {
  readonly row: number;
  readonly column: string;
  readonly fault: string;
  /** What a form would say of it. */
  readonly words?: { readonly key: string; readonly params: Readonly<Record<string, string | number>> };
}

/** What a row's cells say; or those that the schema refuses, each once, with what a form would say of them. */
export function readCells<S extends z.ZodType>(
  schema: S,
  cells: Readonly<Record<string, unknown>>,
  row: number,
): { values: z.output<S> | undefined; bad: Wrong[] } {
  const read = schema.safeParse(cells);
  const found = new Map<string, Wrong>();
  for (const issue of read.error?.issues ?? []) {
    const column = String(issue.path[0]);
    if (found.has(column)) continue;
    const said = issueWords(issue, cells[column], partAt(schema, issue.path));
    const words = typeof said === 'string' ? { key: said, params: {} } : said;
    found.set(column, { row, column, fault: 'BAD_INPUT', words });
  }
  return { values: read.data, bad: [...found.values()] };
}

/** What is taken from a spreadsheet: all of its rows, or none; or those alone that are right, where the call asks for them. */
export interface SheetImport<C extends string, Row> {
  /** Name of its job. */
  readonly job: string;
  readonly title: TextKey;
  /** In the log: "import: 12 people". */
  readonly things: string;
  readonly columns: Readonly<Record<C, TextKey>>;
  readonly example: (ctx: Ctx) => Promise<readonly string[]>;
  readonly fileName: string;
  /** Whether it may be done still when the job comes to it. */
  readonly may: (ctx: Ctx) => boolean;
  /** Each row, or what is wrong with it: nothing is written here. */
  readonly check: (ctx: Ctx, lines: readonly SheetLine<C>[]) => Promise<{ readonly rows: Row[]; readonly wrong: Wrong[] }>;
  /** What takes long is done before the transaction that the answer writes in; undefined where it was cancelled meanwhile. */
  readonly prepare: (
    ctx: Ctx,
    rows: readonly Row[],
    goesOn: (done: number) => Promise<boolean>,
  ) => Promise<((inner: Ctx) => Promise<void>) | undefined>;
}

interface Start {
  readonly file: number;
  readonly preview: boolean;
  readonly skipWrong?: boolean;
}

async function readFile(ctx: Ctx, store: BlobStore, file: number): Promise<string[][]> {
  const row = await ctx.inTx((db) =>
    db.selectFrom('file_file').select(['sha256', 'size', 'name']).where('id', '=', file).executeTakeFirst(),
  );
  if (!row) throw fault('NOT_FOUND');
  if (Number(row.size) > BYTES) throw fault('TOO_LARGE');
  const bytes = await buffer(await store.read(row.sha256));
  if (row.name.toLowerCase().endsWith('.csv')) return readCsv(bytes, MOST);
  const sheet: string[][] = [];
  const { readXlsx } = await import('./read-xlsx.ts');
  for await (const cells of readXlsx(bytes, { ...MOST, bytes: 32 * 1024 * 1024 })) sheet.push(cells);
  return sheet;
}

export function sheetImport<C extends string, Row>(of: SheetImport<C, Row>, store: BlobStore) {
  const columns = Object.entries<TextKey>(of.columns);
  const headerIn = (lang: string) => columns.map(([, title]) => t(lang, title));

  /** Faults: SHEET_BROKEN, SHEET_TOO_LARGE, SHEET_HEADER. */
  const read = async (ctx: Ctx, file: number) => {
    const sheet = await readFile(ctx, store, file);
    const checked = [ctx.lang, 'en', 'zh-CN'].map((lang) => checkSheet(sheet, headerIn(lang))).find((one) => one.ok);
    if (!checked) throw new Fault('SHEET_HEADER', { fields: { file: 'fault.SHEET_HEADER' } });
    const lines = checked.rows.map(({ number, cells }) => ({
      number,
      text: Object.fromEntries(columns.map(([column], at) => [column, fused(cells[at] ?? '').trim()])) as Record<C, string>,
    }));
    const { rows, wrong } = await of.check(ctx, lines);
    return { rows, count: lines.length, wrong: wrong.sort((a, b) => a.row - b.row) };
  };

  const template = async (ctx: Ctx, wire: Wire) => {
    const example = await of.example(ctx);
    async function* rows() {
      yield [...example];
    }
    return wire.reply
      .headers({
        'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'content-disposition': `attachment; filename="${of.fileName}"`,
        'cache-control': 'no-store',
      })
      .send(xlsx(headerIn(ctx.lang), rows()));
  };

  /** Wrong rows are named and nothing is taken, unless they are left out; else it goes on in the background. */
  const start = async (ctx: Ctx, { file, preview, skipWrong = false }: Start): Promise<z.output<typeof ImportOutcome>> => {
    const { rows, count, wrong } = await read(ctx, file);
    const answer = { rows: count, good: rows.length, wrong: wrong.slice(0, SHOWN), work: null as number | null };
    if (preview || (wrong.length > 0 && !skipWrong) || rows.length === 0) return answer;
    answer.work = await ctx.withScope(async (inner) => {
      const work = await addBackgroundJob(inner, {
        kind: 'import',
        name: t(ctx.lang, of.title),
        params: { file, title: of.title },
        total: rows.length,
      });
      await inner.enqueue(inner.db, of.job, { work, file, skipWrong }, { key: `work:${work}`, maxAttempts: 3 });
      return work;
    });
    ctx.audit({ target: `import: ${rows.length} ${of.things}` });
    return answer;
  };

  /** All in one transaction; twice is harmless, since the second finds its names taken. */
  const carryOut = async (ctx: Ctx, work: number, file: number, skipWrong: boolean): Promise<void> => {
    if (!(await startBackgroundJob(ctx, work))) return;
    try {
      if (!of.may(ctx)) throw fault('FORBIDDEN');
      const { rows, wrong } = await read(ctx, file);
      if (wrong.length > 0 && !skipWrong) throw new Fault(wrong[0]?.fault ?? 'BAD_INPUT');
      const write = await of.prepare(ctx, rows, (done) => ctx.inTx((db) => isWanted(db, work, done, null)));
      if (!write) return;
      await ctx.withScope(async (inner) => {
        await write(inner);
        await isWanted(inner.db, work, rows.length, null);
        await endBackgroundJob(inner, inner.db, work, 'finish');
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      await ctx.inTx((db) => endBackgroundJob(ctx, db, work, 'fail', { reason: error.fault }));
    }
  };

  return {
    template,
    start,
    job: job({
      name: of.job,
      payload: z.object({ work: z.int(), file: z.int(), skipWrong: z.boolean().default(false) }),
      run: (ctx, { work, file, skipWrong }) => carryOut(ctx, work, file, skipWrong),
    }),
  };
}
