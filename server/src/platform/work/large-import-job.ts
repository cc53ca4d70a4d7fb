import { Fault, fault } from '@mooring/contract/kit/fault';
import { SheetMode } from '@mooring/contract/kit/import';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../context.ts';
import { holdBlob } from '../files/lock-blob.ts';
import { job } from '../module.ts';
import { readSetting } from '../settings.ts';
import { titleIn } from '../texts/title.ts';
import { t } from '../texts/translate.ts';
import type { ExportBytes } from './exporter.ts';
import { brokenBy, overtaking } from './overtaking.ts';
import { cellsOf, judged, type SheetKind } from './sheet-kind.ts';
import { openSheet, RESULT, type SheetFile } from './sheet-lines.ts';
import { freshPlans, note, type Outcome, outcomesOf, type Tally, takenBefore, writeOnce } from './sheet-outcomes.ts';
import { endBackgroundJob, isWanted, noteCancelled, startBackgroundJob } from './work.ts';
import { xlsx } from './xlsx.ts';

/** A file that can't come in as a whole. */
class Refused extends Error {}
class Cancelled extends Error {}

const Payload = z.object({ work: z.int(), file: z.int(), mode: SheetMode, given: z.unknown() });
type Order = z.output<typeof Payload>;

/** One import of one file. */
interface Import<C extends string, Given, Row> {
  readonly ctx: Ctx;
  readonly of: SheetKind<C, Given, Row>;
  readonly bytes: ExportBytes;
  readonly order: Order;
  readonly tally: Tally;
}

async function withSheet<C extends string, Given, Row, T>(
  { ctx, of, bytes, order }: Import<C, Given, Row>,
  work: (sheet: SheetFile<C>, judge: ReturnType<SheetKind<C, Given, Row>['judge']>) => Promise<T>,
): Promise<T> {
  const sheet = await openSheet(ctx, bytes.store, order.file, of, 'job');
  try {
    return await work(sheet, of.judge(ctx, of.given.parse(order.given), sheet.columns));
  } finally {
    await sheet.close();
  }
}

/** The transaction that rows are written in: of the person's scope, or beside the policy where they are the installation's. */
const within = <C extends string, Given, Row, T>({ ctx, of }: Import<C, Given, Row>, work: (inner: Ctx) => Promise<T>): Promise<T> =>
  of.shared ? ctx.unscoped((db) => work({ ...ctx, db })) : ctx.withScope(work);

/** Open lists fetch again: of what is the installation's, everyone's. */
async function tellOf<C extends string, Given, Row>(inner: Ctx, { touches, shared }: SheetKind<C, Given, Row>): Promise<void> {
  for (const group of touches) await inner.invalidate(inner.db, group, shared && '1.');
}

/** The result file, and the end of the work: in the transaction of `inner`. */
async function finish<C extends string, Given, Row>(
  { ctx, of, bytes, order, tally }: Import<C, Given, Row>,
  inner: Ctx,
  sheet: SheetFile<C>,
  stored: Awaited<ReturnType<ExportBytes['store']['put']>>,
): Promise<void> {
  await holdBlob(inner.db, bytes.store, stored.sha256);
  const { exportDays } = await readSetting(inner.db, 'retention');
  const expires = new Date(ctx.now().getTime() + exportDays * 86_400_000);
  const name = `${t(ctx.lang, of.title)} ${ctx.now().toISOString().slice(0, 16).replace('T', ' ').replace(':', '')}.xlsx`;
  const file = await inner.db
    .insertInto('file_file')
    .values({ kind: '8', name, ...stored, user_id: ctx.actor.userId, dept_path: ctx.scope.path, expires_at: expires })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into sheet_import (job, sha256, rows, by_name, at, dept_id, dept_path)
    values (${of.job}, ${sheet.sha256}, ${tally.done}, ${ctx.actor.userName}, ${ctx.now()}, ${ctx.scope.deptId}, ${ctx.scope.path})`.execute(
    inner.db,
  );
  await sql`delete from sheet_taken where work = ${order.work}`.execute(inner.db);
  await tellOf(inner, of);
  if (!(await isWanted(inner.db, order.work, tally.seen, tally.seen))) throw new Cancelled();
  await endBackgroundJob(inner, inner.db, order.work, 'finish', {
    file_id: file.id,
    file_name: name,
    file_size: stored.size,
    expires_at: expires,
    downloaded: false,
    failed: tally.failed,
    failures: JSON.stringify(tally.failures),
  });
}

/** Writes what `take` answers for the rows of each piece of the file, and their result file, which is written as it is asked for. */
async function resultOf<C extends string, Given, Row>(
  { ctx, of, bytes, tally }: Import<C, Given, Row>,
  sheet: SheetFile<C>,
  take: (lines: Parameters<ReturnType<typeof of.judge>>[0]) => Promise<readonly Outcome[]>,
) {
  const header = [...sheet.columns.map((column) => titleIn(ctx.lang, of.titles[column])), t(ctx.lang, RESULT)];
  async function* rows() {
    for await (const lines of sheet.chunks) {
      const outcomes = await take(lines);
      note(tally, of.key, lines, outcomes);
      for (const [at, line] of lines.entries()) yield [...cellsOf(sheet.columns, line), outcomes[at]?.said ?? ''];
    }
  }
  return bytes.store.put(xlsx(header, rows(), { text: true }));
}

/** Each piece in a transaction of its own, which notes what became of it: a job that begins anew takes that for its own work. */
const takeGood = <C extends string, Given, Row>(one: Import<C, Given, Row>): Promise<void> =>
  withSheet(one, async (sheet, judge) => {
    const { ctx, of, order, tally } = one;
    const stored = await resultOf(one, sheet, async (lines) => {
      const first = lines[0]?.number ?? 0;
      // Also of what is written already: what comes twice in the file is known by it.
      const found = await judged(judge, lines);
      const before = await takenBefore(ctx, order.work, first);
      if (before) return before;
      return overtaking(() =>
        within(one, async (inner) => {
          const outcomes = await writeOnce(inner, of, order.work, first, found);
          await tellOf(inner, of);
          if (!(await isWanted(inner.db, order.work, tally.seen + lines.length, null))) throw new Cancelled();
          return outcomes;
        }),
      );
    });
    await one.bytes.keep(ctx, stored, () => ctx.withScope((inner) => finish(one, inner, sheet, stored)));
  });

/** Looks at all of it before anything is held. Answers which rows that are there already it is about. */
const lookAtAll = <C extends string, Given, Row>(one: Import<C, Given, Row>): Promise<number[]> =>
  withSheet(one, async (sheet, judge) => {
    const { ctx, of, order, tally } = one;
    const ids: number[] = [];
    for await (const lines of sheet.chunks) {
      const found = await judged(judge, lines);
      note(tally, of.key, lines, outcomesOf(ctx.lang, of, found, []));
      for (const { row } of found) if (row !== undefined && of.held) ids.push(of.held.id(row));
      if (!(await ctx.inTx((db) => isWanted(db, order.work, 0, null)))) throw new Cancelled();
    }
    if (tally.failed > 0) throw new Refused();
    return ids;
  });

/** The rows and their result file in one transaction: an end in the middle leaves nothing, and it begins anew. */
async function takeAll<C extends string, Given, Row>(one: Import<C, Given, Row>): Promise<void> {
  const { ctx, of, order, tally, bytes } = one;
  const ids = await lookAtAll(one);
  await overtaking(() => {
    Object.assign(tally, { seen: 0, done: 0, failed: 0, failures: [] });
    return withSheet(one, (sheet, judge) =>
      within(one, async (inner) => {
        await freshPlans(inner);
        if (ids.length > 0) await of.held?.hold(inner, ids);
        const stored = await resultOf(one, sheet, async (lines) => {
          const found = await judged(judge, lines);
          const whole = tally.failed === 0 && found.every(({ row }) => row !== undefined);
          if (whole) await freshPlans(inner);
          const rows = whole ? found.flatMap(({ row }) => (row === undefined ? [] : [row])) : [];
          const outcomes = outcomesOf(ctx.lang, of, found, rows.length > 0 ? await of.write(inner, rows) : []);
          if (!(await ctx.inTx((db) => isWanted(db, order.work, tally.seen + lines.length, null)))) throw new Cancelled();
          return outcomes;
        });
        if (tally.failed > 0) throw new Refused();
        await bytes.keep(ctx, stored, () => finish(one, inner, sheet, stored));
      }),
    );
  });
}

const reasonOf = (error: unknown): string | undefined =>
  error instanceof Refused ? 'SHEET_REFUSED' : error instanceof Fault ? error.fault : brokenBy(error, 'SHEET_CELL');

async function carryOut<C extends string, Given, Row>(one: Import<C, Given, Row>): Promise<void> {
  const { ctx, of, order, tally } = one;
  if (!(await startBackgroundJob(ctx, order.work))) return;
  try {
    if (!of.may(ctx)) throw fault('FORBIDDEN');
    await (order.mode === 'all' ? takeAll(one) : takeGood(one));
  } catch (error) {
    const set = {
      done: order.mode === 'all' ? 0 : tally.seen,
      failed: tally.failed,
      failures: JSON.stringify(tally.failures),
    };
    if (error instanceof Cancelled) return ctx.inTx((db) => noteCancelled(ctx, db, order.work, set));
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await ctx.inTx((db) => endBackgroundJob(ctx, db, order.work, 'fail', { reason, ...set }));
  }
}

/** Twice is harmless: what was written is noted in the transaction that wrote it. */
export const largeImportJob = <C extends string, Given, Row>(of: SheetKind<C, Given, Row>, bytes: ExportBytes) =>
  job({
    name: of.job,
    payload: Payload,
    run: (ctx, order) => carryOut({ ctx, of, bytes, order, tally: { seen: 0, done: 0, failed: 0, failures: [] } }),
  });
