import { Readable } from 'node:stream';
import type { Call } from '@mooring/contract/kit/call';
import type { ExportInput } from '@mooring/contract/kit/export';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Page, PageInput } from '@mooring/contract/kit/page';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { TextKey } from '@mooring/contract/texts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../context.ts';
import { move } from '../db/move.ts';
import type { BlobStore, Stored } from '../files/blob-store.ts';
import { holdBlob } from '../files/lock-blob.ts';
import { type Job, job } from '../module.ts';
import { readSetting } from '../settings.ts';
import { type Title, titleIn } from '../texts/title.ts';
import { t } from '../texts/translate.ts';
import { csv } from './csv.ts';
import type { Cell } from './defuse.ts';
import {
  addBackgroundJob,
  type BackgroundJobRow,
  backgroundJobs,
  endBackgroundJob,
  failBackgroundJobs,
  isWanted,
  startBackgroundJob,
} from './work.ts';
import { SHEET_ROWS, xlsx } from './xlsx.ts';

/** What a list gives to be exported: its own page call, read on by its cursors, and its columns as cells. */
export interface Exporter<Row = unknown> {
  readonly name: string;
  readonly title: TextKey;
  /** The permission of its export call: asked when it begins, is tried again, runs and is downloaded. */
  readonly can: Call['can'];
  readonly page: (ctx: Ctx, input: { criteria: never; page: PageInput }) => Promise<Page<Row>>;
  readonly sort: string;
  readonly columns: Readonly<Record<string, { readonly title: Title; readonly cell: (row: Row, lang: string, timeZone: string) => Cell }>>;
}
/** Of which list a job is an export: undefined for other work. What no list is known by gives nothing any more. */
export function exporterOf(exporters: readonly Exporter[], row: Pick<BackgroundJobRow, 'kind' | 'params'>): Exporter | 'gone' | undefined {
  if (row.kind !== 'export') return undefined;
  const { exporter: name } = row.params as { exporter?: string };
  return exporters.find((one) => one.name === name) ?? 'gone';
}
export const mayExport = (ctx: Pick<Ctx, 'actor'>, of: Exporter | 'gone' | undefined): boolean =>
  of === undefined || (of !== 'gone' && isAllowed(ctx.actor.permissions, of.can));

export const exporter = <Row>(of: Exporter<Row>): Exporter => of as unknown as Exporter;

/** Of a list, by its export call. */
export const listExporter = <Row>(
  call: Pick<Call, 'path' | 'can'>,
  of: Omit<Exporter<Row>, 'name' | 'can' | 'page'> & { readonly page: unknown },
) => exporter<Row>({ ...of, name: call.path, can: call.can, page: of.page as Exporter<Row>['page'] });

/** A moment as a cell, wherever the row has it from. */
export const momentCell = (value: unknown): Date | null =>
  value === null || value === undefined ? null : new Date(value as string | Date);

const JOB = 'work:export';
const STEP = 1000;
const Payload = z.object({ work: z.int() });
const Params = z.object({ exporter: z.string(), criteria: z.unknown(), format: z.enum(['xlsx', 'csv']), columns: z.array(z.string()) });

/** Asks for an export of exactly what is filtered; it is made in the background. */
export async function startExport(ctx: Ctx, of: Exporter, input: ExportInput): Promise<{ work: number }> {
  if (!mayExport(ctx, of)) throw fault('FORBIDDEN');
  const wrong = input.columns.find((column) => !Object.hasOwn(of.columns, column));
  if (wrong !== undefined) throw new Fault('EXPORT_COLUMN', { fields: { columns: 'fault.EXPORT_COLUMN' } });
  const work = await addBackgroundJob(ctx, { kind: 'export', name: t(ctx.lang, of.title), params: { ...input, exporter: of.name } });
  await ctx.enqueue(ctx.db, JOB, { work }, { key: `work:${work}`, maxAttempts: 3 });
  return { work };
}

async function* rowsOf(ctx: Ctx, of: Exporter, params: z.output<typeof Params>, work: number): AsyncGenerator<readonly Cell[]> {
  let after: string | undefined;
  let done = 0;
  do {
    const input = {
      criteria: params.criteria as never,
      page: { size: STEP, number: 1, sort: of.sort, order: 'asc' as const, ...(after ? { after } : {}) },
    };
    const found = await ctx.withScope((inner) => of.page(inner, input));
    if (params.format === 'xlsx' && done + found.content.length >= SHEET_ROWS) throw new Fault('EXPORT_TOO_LARGE');
    for (const row of found.content) yield params.columns.map((column) => of.columns[column]?.cell(row, ctx.lang, ctx.timeZone));
    done += found.content.length;
    if (!(await ctx.inTx((db) => isWanted(db, work, done, found.capped ? null : found.total)))) throw new Fault('CANCELLED');
    after = found.next ?? undefined;
  } while (after);
}

async function nameExport(ctx: Ctx, db: Db, { work, name, stored }: { work: number; name: string; stored: Stored }): Promise<void> {
  const { exportDays } = await readSetting(db, 'retention');
  const expires = new Date(ctx.now().getTime() + exportDays * 86_400_000);
  const file = await db
    .insertInto('file_file')
    .values({ kind: '8', name, ...stored, user_id: ctx.actor.userId, dept_path: ctx.scope.path, expires_at: expires })
    .returning('id')
    .executeTakeFirstOrThrow();
  await endBackgroundJob(ctx, db, work, 'finish', {
    file_id: file.id,
    file_name: name,
    file_size: stored.size,
    expires_at: expires,
    downloaded: false,
  });
}

/** Where its bytes go, and what has the right to them: `keep` counts them to what its person may keep, and drops them where that, or `work`, fails. */
export interface ExportBytes {
  readonly store: BlobStore;
  keep<T>(ctx: Ctx, stored: Stored, work: () => Promise<T>): Promise<T>;
}

/** Makes the file. Running again begins anew: the file is named only when it is whole. */
async function makeExport(ctx: Ctx, exporters: readonly Exporter[], bytes: ExportBytes, work: number): Promise<void> {
  const row = await startBackgroundJob(ctx, work);
  if (!row) return;
  const params = Params.parse(row.params);
  const of = exporterOf(exporters, row);
  if (of === undefined || of === 'gone') throw new Error(`no exporter "${params.exporter}"`);
  // Rights that were lost since it was asked for give no rows.
  if (!mayExport(ctx, of)) return ctx.inTx((db) => endBackgroundJob(ctx, db, work, 'fail', { reason: 'FORBIDDEN' }));
  const header = params.columns.map((column) => titleIn(ctx.lang, of.columns[column]?.title ?? (column as TextKey)));
  const rows = rowsOf(ctx, of, params, work);
  try {
    const stored = await bytes.store.put(
      params.format === 'csv'
        ? Readable.from(csv(header, rows))
        : xlsx(header, rows, { name: t(ctx.lang, of.title), timeZone: ctx.timeZone }),
    );
    const name = `${row.name} ${ctx.now().toISOString().slice(0, 16).replace('T', ' ').replace(':', '')}.${params.format}`;
    await bytes.keep(ctx, stored, () =>
      ctx.inTx(async (db) => {
        await holdBlob(db, bytes.store, stored.sha256);
        await nameExport(ctx, db, { work, name, stored });
      }),
    );
  } catch (error) {
    if (error instanceof Fault && error.fault === 'CANCELLED') return;
    const reason = error instanceof Fault ? error.fault : 'UNEXPECTED';
    await ctx.inTx((db) => endBackgroundJob(ctx, db, work, 'fail', { reason }));
    if (!(error instanceof Fault)) throw error;
  }
}

export const exportJob = (exporters: () => readonly Exporter[], bytes: ExportBytes): Job =>
  job({ name: JOB, payload: Payload, run: (ctx, { work }) => makeExport(ctx, exporters(), bytes, work) });

/** Hourly: works whose file has gone, and those that nothing in the queue stands for any more: they would count to their owner's for ever. */
export const expireBackgroundJobs = job({
  name: 'work:expire',
  fixed: true,
  payload: z.object({}),
  every: '41 * * * *',
  async run(ctx) {
    await ctx.unscoped((db) => move(db, backgroundJobs, 'expire', sql`expires_at < ${ctx.now()}`, { set: { file_id: null } }));
    await failBackgroundJobs(ctx, sql`id not in (select queued_work())`, 'WORK_LOST');
  },
});
