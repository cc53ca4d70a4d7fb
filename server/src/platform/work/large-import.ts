import { Fault } from '@mooring/contract/kit/fault';
import { SHEET_SHOWN, type SheetChecked, type SheetMode } from '@mooring/contract/kit/import';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../context.ts';
import type { Wire } from '../module.ts';
import { titleFor, titleIn } from '../texts/title.ts';
import { t } from '../texts/translate.ts';
import type { ExportBytes } from './exporter.ts';
import { largeImportJob } from './large-import-job.ts';
import { cellsOf, judged, type SheetKind, wordsOf } from './sheet-kind.ts';
import { openSheet, RESULT, sheetBlob } from './sheet-lines.ts';
import { addBackgroundJob } from './work.ts';
import { xlsx } from './xlsx.ts';

type Of<Given> = { readonly file: number } & Given;
type Order<Given> = Of<Given> & { readonly mode: z.output<typeof SheetMode>; readonly rows?: number | undefined; readonly again: boolean };
const VALUE = 100;

const sent = (wire: Wire, name: string, body: ReturnType<typeof xlsx>) =>
  wire.reply
    .headers({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
    .send(body);

/** When this organisation imported the very same bytes the last time. */
async function importedBefore(ctx: Ctx, db: Db, job: string, sha256: string): Promise<SheetChecked['before']> {
  const { rows } = await sql<{ at: Date; by_name: string; rows: number }>`
    select at, by_name, rows from sheet_import where dept_id = ${ctx.scope.deptId} and sha256 = ${sha256} and job = ${job} order by at desc limit 1`.execute(
    db,
  );
  const [found] = rows;
  return found ? { at: found.at.toISOString(), by: found.by_name, rows: found.rows } : null;
}

/** The calls of a file of many rows, and the job that takes it. */
export function largeImport<C extends string, Given extends object, Row>(of: SheetKind<C, Given, Row>, bytes: ExportBytes) {
  const { store } = bytes;
  const open = (ctx: Ctx, file: number) => openSheet(ctx, store, file, of);
  const titlesOf = (lang: string, columns: readonly C[]) => columns.map((column) => titleIn(lang, of.titles[column]));
  const givenOf = (input: Of<Given>): Given => of.given.parse(input);

  const template = async (ctx: Ctx, given: Given, wire: Wire) => {
    const { columns, rows } = await of.template(ctx, given);
    async function* each() {
      yield* rows;
    }
    return sent(wire, of.fileName, xlsx(titlesOf(ctx.lang, columns), each(), { text: true }));
  };

  const check = async (ctx: Ctx, input: Of<Given>): Promise<SheetChecked> => {
    const sheet = await open(ctx, input.file);
    const judge = of.judge(ctx, givenOf(input), sheet.columns);
    const found = {
      rows: 0,
      good: 0,
      wrongCells: 0,
      changing: 0,
      adding: 0,
      wrong: [] as SheetChecked['wrong'],
      changes: [] as SheetChecked['changes'],
    };
    try {
      for await (const lines of sheet.chunks) {
        for (const [at, { bad, row, isNew = false, label, changes = [] }] of (await judged(judge, lines)).entries()) {
          const { number = 0, text = {} as Partial<Record<C, string>> } = lines[at] ?? {};
          found.rows += 1;
          if (row !== undefined) found.good += 1;
          if (row !== undefined && changes.length > 0) found.changing += 1;
          if (row !== undefined && isNew) found.adding += 1;
          found.wrongCells += bad.length;
          for (const { column, fault, words } of bad.slice(0, SHEET_SHOWN - found.wrong.length))
            found.wrong.push({
              row: number,
              column: titleFor(ctx.lang, of.titles[column]),
              value: (text[column] ?? '').slice(0, VALUE),
              fault,
              words,
            });
          if (row !== undefined)
            for (const { column, from, to } of changes.slice(0, SHEET_SHOWN - found.changes.length))
              found.changes.push({
                row: number,
                label: label ?? text[of.key] ?? '',
                column: titleFor(ctx.lang, of.titles[column]),
                from: from.slice(0, VALUE),
                to: to.slice(0, VALUE),
                isNew,
              });
        }
      }
    } finally {
      await sheet.close();
    }
    return { ...found, before: await ctx.inTx((db) => importedBefore(ctx, db, of.job, sheet.sha256)) };
  };

  const report = async (ctx: Ctx, input: Of<Given>, wire: Wire) => {
    const sheet = await open(ctx, input.file);
    const judge = of.judge(ctx, givenOf(input), sheet.columns);
    async function* wrong() {
      for await (const lines of sheet.chunks)
        for (const [at, { bad }] of (await judged(judge, lines)).entries())
          if (bad.length > 0) yield [...cellsOf(sheet.columns, lines[at]), wordsOf(ctx.lang, of.titles, bad)];
    }
    const body = xlsx([...titlesOf(ctx.lang, sheet.columns), t(ctx.lang, RESULT)], wrong(), { text: true });
    // Read to its end, or put away half.
    body.on('close', () => void sheet.close());
    return sent(wire, `report-${of.fileName}`, body);
  };

  const start = async (ctx: Ctx, input: Order<Given>): Promise<{ work: number }> => {
    const { file, mode, rows, again } = input;
    const { sha256, name } = await sheetBlob(ctx, file);
    const work = await ctx.withScope(async (inner) => {
      if (!again && (await importedBefore(inner, inner.db, of.job, sha256)))
        throw new Fault('SHEET_AGAIN', { fields: { again: 'fault.SHEET_AGAIN' } });
      const id = await addBackgroundJob(inner, {
        kind: 'import',
        name: t(ctx.lang, of.title),
        params: { file, title: of.title },
        ...(rows === undefined ? {} : { total: rows }),
      });
      await inner.enqueue(inner.db, of.job, { work: id, file, mode, given: givenOf(input) }, { key: `work:${id}`, maxAttempts: 3 });
      return id;
    });
    ctx.audit({ target: `import: ${of.things} of ${name}`, after: { mode, sha256 } });
    return { work };
  };

  return { template, check, report, import: start, job: largeImportJob(of, bytes) };
}
