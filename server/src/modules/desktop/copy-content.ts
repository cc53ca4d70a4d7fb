import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { recordCreated } from '../../platform/db/move.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { filesOf, keepFiles } from './content-files.ts';
import type { Part } from './parts.ts';
import { contentRow } from './publish-content.ts';

/** What a draft of the same content has of its own. */
const fresh = [
  'id',
  'name',
  'state',
  'version',
  'line_id',
  'number',
  'size',
  'archive_sha256',
  'published_at',
  'published_by',
  'dept_id',
  'dept_path',
  'created_by',
  'created_at',
  'revision',
];
type Row = Awaited<ReturnType<typeof contentRow>>;
type Own = Pick<Row, 'name' | 'dept_id' | 'dept_path'>;
type Read<R extends Resource> = Promise<Awaited<ReturnType<R['read']>>>;

/** In a line of its own, as the database has it. */
async function draftOf(ctx: Ctx, of: Part, rows: Resource, from: Row, own: Own): Promise<number> {
  const same = Object.keys(from).filter((column) => !fresh.includes(column));
  const columns = sql.join(same.map((column) => sql.ref(column)));
  const copied = await sql<{ id: number }>`
    insert into ${sql.table(of.table)} (name, dept_id, dept_path, created_by, ${columns})
    select ${own.name}, ${own.dept_id}::bigint, ${own.dept_path}, ${ctx.actor.userName}, ${columns} from ${sql.table(of.table)} where id = ${from.id}
    returning id`.execute(ctx.db);
  const copy = copied.rows[0]?.id ?? 0;
  const files = await filesOf(ctx.db, of, from.id);
  await keepFiles(
    ctx.db,
    of,
    copy,
    own.dept_path,
    files.map((one) => one.id),
  );
  await recordCreated(ctx.db, rows.rows, [copy], ctx.actor.userId);
  return copy;
}
const read = async <R extends Resource>(ctx: Ctx, rows: R, id: number): Read<R> =>
  (await rows.read(ctx, id)) as Awaited<ReturnType<R['read']>>;

/** A draft with the same content and files, owned where one works now: also of what an organisation above made. */
export async function copyContent<R extends Resource>(ctx: Ctx, of: Part, rows: R, { id, name }: { id: number; name: string }): Read<R> {
  const from = await contentRow(ctx.db, of, id);
  ctx.audit({ target: `${of.part} ${name}`, after: { copyOf: from.name } });
  return read(ctx, rows, await draftOf(ctx, of, rows, from, { name, dept_id: ctx.scope.deptId, dept_path: ctx.scope.path }));
}

/** The draft that follows in the line, owned as the line is. */
export async function nextVersion<R extends Resource>(ctx: Ctx, of: Part, rows: R, { id }: { id: number }): Read<R> {
  const from = await contentRow(ctx.db, of, id);
  if (!from.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  if (from.number === null) throw new Fault('CONTENT_NOT_PUBLISHED');
  ctx.audit({ target: `${of.part} ${from.name}`, after: { from: from.number } });
  const draft = await draftOf(ctx, of, rows, from, from);
  const follow = () => ctx.db.updateTable(of.table).set({ line_id: from.line_id }).where('id', '=', draft).execute();
  await unlessRefused(ctx.db, follow, ({ kind }) => (kind === 'unique' ? new Fault('CONTENT_DRAFT_OPEN') : undefined));
  return read(ctx, rows, draft);
}
