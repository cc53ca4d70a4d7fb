import { backgroundJobCalls, type Work } from '@mooring/contract/file/background-job-calls';
import { backgroundJobMachine } from '@mooring/contract/file/background-job-state-machine';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import { allowedEvents, allowing } from '../../platform/allowed-actions.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { all, contains, exact } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import { page } from '../../platform/db/page.ts';
import { t } from '../../platform/texts/translate.ts';
import { type Exporter, exporterOf, mayExport } from '../../platform/work/exporter.ts';
import { type BackgroundJobRow, backgroundJobs, checkOpenWork } from '../../platform/work/work.ts';
import { fileToken } from './get-file.ts';

const can = { cancel: backgroundJobCalls.cancel.can, retry: backgroundJobCalls.retry.can } as const;
/** Only exports can be begun anew from their row; a bulk act is asked for again where it was. */
const isRepeatable = (row: BackgroundJobRow) => row.kind === 'export';

interface Named {
  readonly exporter?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly title?: string;
  readonly names?: Readonly<Record<string, string>>;
}
/** In the language of who reads it; in the one that it was begun in where nothing else is known of it. */
function nameOf(row: BackgroundJobRow, lang: string): string {
  const of = (row.params ?? {}) as Named;
  const keys: Partial<Record<string, string>> = {
    export: `work.export.${of.exporter}`,
    import: of.title,
    verify: 'log.verify.work',
    bulk: `work.device.${of.name}`,
    ...(of.names ? { dept: `work.dept.${of.kind}` } : {}),
  };
  const key = keys[row.kind];
  const said = key === undefined ? undefined : t(lang, key, of.names);
  return said === undefined || said === key ? row.name : said;
}

/** What is exported is seen by who may export it now, whoever they were when they asked for it. */
type Exporters = readonly Exporter[];
const checkExport = (ctx: Ctx, exporters: Exporters, row: BackgroundJobRow): void => {
  if (!mayExport(ctx, exporterOf(exporters, row))) throw fault('FORBIDDEN');
};

const workOf =
  (ctx: Ctx, exporters: Exporters) =>
  (row: BackgroundJobRow): z.input<typeof Work> => {
    const may = mayExport(ctx, exporterOf(exporters, row));
    const moves = allowedEvents(backgroundJobMachine, row.state, ctx.actor, can).filter(
      (event) => event !== 'retry' || (isRepeatable(row) && may),
    );
    const ended = !['waiting', 'running'].includes(row.state);
    return {
      id: row.id,
      kind: row.kind,
      name: nameOf(row, ctx.lang),
      state: row.state,
      total: row.total,
      done: row.done,
      failed: row.failed,
      failures: row.failures as never,
      reason: row.reason,
      fileName: row.file_name,
      fileSize: row.file_size,
      downloaded: row.downloaded ? '1' : '0',
      createdAt: row.created_at,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      expiresAt: row.expires_at,
      ...allowing([...moves, ...(ended ? ['delete'] : []), ...(row.file_id === null || !may ? [] : ['download'])]),
    };
  };

/** A person's own; an API token sees what it began itself. */
function ownBackgroundJobs(ctx: Ctx) {
  const own = ctx.db.selectFrom('work').selectAll().where('user_id', '=', ctx.actor.userId);
  return ctx.actor.apiToken ? own.where('token_id', '=', ctx.actor.apiToken.id) : own;
}

export const pageBackgroundJobs = (ctx: Ctx, exporters: Exporters, input: ParsedInputOf<typeof backgroundJobCalls.page>) =>
  page(
    ctx.db,
    ownBackgroundJobs(ctx).where(
      all(exact('state', input.criteria.state), exact('kind', input.criteria.kind), contains('name', input.criteria.name)),
    ),
    {
      page: input.page,
      sorts: { createdAt: 'created_at' },
      id: 'id',
      map: workOf(ctx, exporters),
    },
  );

async function ownBackgroundJob(ctx: Ctx, id: number): Promise<BackgroundJobRow> {
  const row = await ownBackgroundJobs(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}
export const showBackgroundJob = async (ctx: Ctx, exporters: Exporters, id: number) =>
  workOf(ctx, exporters)(await ownBackgroundJob(ctx, id));

export async function cancelBackgroundJob(ctx: Ctx, exporters: Exporters, id: number) {
  await ownBackgroundJob(ctx, id);
  if ((await move(ctx.db, backgroundJobs, 'cancel', [id], { actorId: ctx.actor.userId, set: { ended_at: ctx.now() } })).length === 0)
    throw fault('OVERTAKEN');
  return showBackgroundJob(ctx, exporters, id);
}

async function dropFile(ctx: Ctx, { file_id }: BackgroundJobRow): Promise<void> {
  if (file_id !== null) await ctx.db.updateTable('file_file').set({ expires_at: ctx.now() }).where('id', '=', file_id).execute();
}

export async function retryBackgroundJob(ctx: Ctx, exporters: Exporters, id: number) {
  const row = await ownBackgroundJob(ctx, id);
  if (!isRepeatable(row)) throw fault('OVERTAKEN');
  checkExport(ctx, exporters, row);
  await checkOpenWork(ctx);
  // It is made again for where its person acts now.
  const set = { ended_at: null, file_id: null, reason: null, dept_path: ctx.scope.path };
  if ((await move(ctx.db, backgroundJobs, 'retry', [id], { actorId: ctx.actor.userId, set })).length === 0) throw fault('OVERTAKEN');
  await dropFile(ctx, row);
  await ctx.enqueue(ctx.db, 'work:export', { work: id }, { key: `work:${id}`, maxAttempts: 3 });
  return showBackgroundJob(ctx, exporters, id);
}

export async function deleteBackgroundJob(ctx: Ctx, id: number): Promise<null> {
  const row = await ownBackgroundJob(ctx, id);
  if (['waiting', 'running'].includes(row.state)) throw new Fault('WORK_RUNNING');
  await ctx.db.deleteFrom('work').where('id', '=', id).execute();
  await dropFile(ctx, row);
  return null;
}

export async function downloadBackgroundJob(ctx: Ctx, app: AppContext, exporters: Exporters, id: number) {
  const row = await ownBackgroundJob(ctx, id);
  checkExport(ctx, exporters, row);
  if (row.file_id === null || row.file_name === null) throw new Fault('WORK_NO_FILE');
  const { url } = fileToken(ctx, app, row.file_id);
  await ctx.db.updateTable('work').set({ downloaded: true }).where('id', '=', id).execute();
  return { url, fileName: row.file_name };
}
