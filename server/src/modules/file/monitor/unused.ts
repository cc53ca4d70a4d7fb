import { MOST_NAMED, MOST_UNUSED, type Unused, uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { sql } from 'kysely';
import { z } from 'zod';
import { allowedActions, allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { type FileOwner, type Handler, job } from '../../../platform/module.ts';
import { t } from '../../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../../platform/work/exporter.ts';
import { DROP_BLOB } from '../sweep.ts';
import { usedAmong } from './used-among.ts';

type Row = z.input<typeof Unused>;
type Owners = () => readonly FileOwner[];
/** What somebody brought for a form that is still open, say overnight, isn't left over yet. */
const GRACE_MS = 86_400_000;
const BATCH = 1000;
/** Of one act: what is left over then is cleaned by the next one. */
const MOST = 2000;

/** Notes which of these files nothing names, and which are named again; what goes by itself is left to its time. */
async function note(db: Db, owners: readonly FileOwner[], ids: readonly number[], now: Date): Promise<void> {
  const used = [...(await usedAmong(db, owners, ids))];
  await sql`
    update file_file f set unused_since = case when f.id = any(${used}::bigint[]) then null else ${now}::timestamptz end
    where f.id = any(${ids}::bigint[]) and (f.unused_since is null) <> (f.id = any(${used}::bigint[]))`.execute(db);
}

/** Hourly, some files after the others. It may be cut anywhere and run twice: it notes what is so. */
export const noteUnusedJob = (owners: Owners) =>
  job({
    name: 'file:unused',
    payload: z.object({}),
    every: '41 * * * *',
    run: async (ctx: Ctx) => {
      const before = new Date(ctx.now().getTime() - GRACE_MS);
      for (let from = 0; ; ) {
        const rows = await ctx.unscoped(async (db) => {
          const found = await db
            .selectFrom('file_file')
            .select('id')
            .where('id', '>', from)
            .where('created_at', '<', before)
            .where('expires_at', 'is', null)
            .orderBy('id')
            .limit(BATCH)
            .execute();
          const ids = found.map(({ id }) => id);
          if (ids.length > 0) await note(db, owners(), ids, ctx.now());
          return ids;
        });
        from = rows.at(-1) ?? 0;
        if (rows.length < BATCH) return;
      }
    },
  });

/** By organisation and kind, the most bytes first. Read from the index of what is unused alone. */
async function unusedOf(ctx: Ctx, most: number | null): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, 'allowedActions'>>`
    select o.id as "deptId", o.name as "deptName", u.kind, u.files, u.bytes, u.since
    from (select dept_path, kind, count(*)::int as files, sum(size)::float8 as bytes, min(unused_since) as since from file_file
      where unused_since is not null and dept_path >= ${ctx.scope.path} and dept_path < ${`${ctx.scope.path}~`} group by dept_path, kind) u
    join org_dept o on o.id = dept_of_path(u.dept_path) order by u.bytes desc, o.id, u.kind limit ${most}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, ...allowing(allowedActions(ctx, { clean: uploadMonitorCalls.clean })) }));
}

export const listUnused: Handler<typeof uploadMonitorCalls.unused> = (ctx) => unusedOf(ctx, MOST_UNUSED);

/** All of them, as one page: they are as many as organisations and kinds. */
export const unusedExporter = listExporter<Row>(uploadMonitorCalls.unusedExport, {
  title: 'upload.unused',
  sort: 'bytes',
  page: async (ctx: Ctx) => {
    const content = await unusedOf(ctx, null);
    return { content, total: content.length, capped: false, number: 1, size: content.length, next: null, prev: null };
  },
  columns: {
    deptName: { title: 'upload.dept', cell: (row) => row.deptName },
    kind: { title: 'upload.fileType', cell: (row, lang) => t(lang, `upload.kind.${row.kind as '1'}`) },
    files: { title: 'upload.count', cell: (row) => row.files },
    bytes: { title: 'upload.size', cell: (row) => row.bytes },
    since: { title: 'upload.unused.since', cell: (row) => momentCell(row.since) },
  },
});

/** What a clean-up of one line would take, the largest first. */
export const unusedFiles: Handler<typeof uploadMonitorCalls.unusedFiles> = async (ctx, { deptId, kind }) => {
  const rows = await ctx.db
    .selectFrom('file_file as f')
    .innerJoin('org_dept as o', 'o.dept_path', 'f.dept_path')
    .select(['f.id', 'f.name', 'f.size', 'f.unused_since'])
    .where('o.id', '=', deptId)
    .where('f.kind', '=', kind)
    .where('f.unused_since', 'is not', null)
    .orderBy('f.size', 'desc')
    .orderBy('f.id')
    .limit(MOST_NAMED)
    .execute();
  return rows.flatMap(({ unused_since: since, ...row }) =>
    since === null ? [] : [{ id: row.id, fileName: row.name, size: Number(row.size), since }],
  );
};

/** Deletes what nothing names, of one organisation and kind. Whoever names one of the files at this moment waits, and finds it gone; or has it, and it stays. */
export const cleanUnused =
  (owners: Owners): Handler<typeof uploadMonitorCalls.clean> =>
  async (ctx, { deptId, kind }) => {
    const dept = await ctx.db.selectFrom('org_dept').select(['name', 'dept_path']).where('id', '=', deptId).executeTakeFirstOrThrow();
    const held = await ctx.db
      .selectFrom('file_file')
      .select('id')
      .where('dept_path', '=', dept.dept_path)
      .where('kind', '=', kind)
      .where('unused_since', 'is not', null)
      .orderBy('id')
      .limit(MOST)
      .forUpdate()
      .execute();
    const ids = held.map(({ id }) => id);
    // Rows of others name files too, and whoever cleans needn't see them.
    const used = await ctx.unscoped((db) => usedAmong(db, owners(), ids));
    const free = ids.filter((id) => !used.has(id));
    if (used.size > 0)
      await ctx.db
        .updateTable('file_file')
        .set({ unused_since: null })
        .where('id', 'in', [...used])
        .execute();
    const gone =
      free.length === 0 ? [] : await ctx.db.deleteFrom('file_file').where('id', 'in', free).returning(['name', 'sha256', 'size']).execute();
    for (const sha256 of new Set(gone.map((one) => one.sha256))) await ctx.enqueue(ctx.db, DROP_BLOB, { sha256 });
    const bytes = gone.reduce((sum, { size }) => sum + Number(size), 0);
    ctx.audit({ target: dept.name, before: { kind, files: gone.length, bytes, names: gone.slice(0, 20).map(({ name }) => name) } });
    return { files: gone.length, bytes, more: ids.length === MOST };
  };
