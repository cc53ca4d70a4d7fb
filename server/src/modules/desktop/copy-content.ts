import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { filesOf, keepFiles } from './content-files.ts';
import type { Part } from './parts.ts';
import { contentRow } from './publish-content.ts';

/** What a copy has of its own. */
const fresh = [
  'id',
  'name',
  'state',
  'version',
  'size',
  'archive_sha256',
  'published_at',
  'dept_id',
  'dept_path',
  'created_by',
  'created_at',
  'revision',
];

/** A draft with the same content and files, owned where one works now: also of what an organisation above made. */
export async function copyContent<R extends Resource>(
  ctx: Ctx,
  of: Part,
  rows: R,
  { id, name }: { id: number; name: string },
): Promise<Awaited<ReturnType<R['read']>>> {
  const from = await contentRow(ctx.db, of, id);
  const same = Object.keys(from).filter((column) => !fresh.includes(column));
  const columns = sql.join(same.map((column) => sql.ref(column)));
  const copied = await sql<{ id: number }>`
    insert into ${sql.table(of.table)} (name, dept_id, dept_path, created_by, ${columns})
    select ${name}, ${ctx.scope.deptId}::bigint, ${ctx.scope.path}, ${ctx.actor.userName}, ${columns} from ${sql.table(of.table)} where id = ${id}
    returning id`.execute(ctx.db);
  const copy = copied.rows[0]?.id ?? 0;
  const files = await filesOf(ctx.db, of, id);
  await keepFiles(
    ctx.db,
    of,
    copy,
    ctx.scope.path,
    files.map((one) => one.id),
  );
  await recordCreated(ctx.db, rows.rows, [copy], ctx.actor.userId);
  ctx.audit({ target: `${of.part} ${name}`, after: { copyOf: from.name } });
  return (await rows.read(ctx, copy)) as Awaited<ReturnType<R['read']>>;
}
