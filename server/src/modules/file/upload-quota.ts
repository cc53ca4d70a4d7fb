import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { checkStorage } from './storage-quota.ts';

const GB = 1024 ** 3;
/**
 * Unfinished uploads, in parts or in one call, and the bytes that they announce, that came within a day and that the server made of what came: of one
 * person, and of one organisation.
 */
export const UPLOAD_QUOTA = { person: { uploads: 20, bytes: 64 * GB }, organisation: { uploads: 200, bytes: 512 * GB } } as const;

/** Whose quota it is. */
export interface Quoted extends Pick<Ctx, 'unscoped' | 'now'> {
  readonly actor: Pick<Ctx['actor'], 'userId'>;
  readonly scope: Pick<Ctx['scope'], 'path'>;
}

interface Open {
  readonly uploads: number;
  readonly bytes: number;
}
const isOver = (now: Open, most: Open) => now.uploads > most.uploads || now.bytes > most.bytes;

/** Whether what is open now, the newest among it, is too much; `built` bytes are of what the server made and doesn't keep yet. Beginnings of one organisation go one after the other. Faults: UPLOADS_MANY, STORAGE_QUOTA. */
export async function checkQuota(db: Db, ctx: Omit<Quoted, 'unscoped'>, built = 0): Promise<void> {
  const found = await sql<{ own: number; own_bytes: number; all: number; all_bytes: number }>`
    select count(open) filter (where user_id = ${ctx.actor.userId})::int as own, coalesce(sum(size) filter (where user_id = ${ctx.actor.userId}), 0)::float8 as own_bytes,
      count(open) filter (where dept_path = ${ctx.scope.path})::int as all, coalesce(sum(size) filter (where dept_path = ${ctx.scope.path}), 0)::float8 as all_bytes
    from (
      select user_id, dept_path, size, 1 as open from file_upload where state in ('uploading', 'assembling', 'failed')
      union all select user_id, dept_path, size, 1 from file_direct
      union all select user_id, dept_path, size, null from file_file
        where expires_at is null and created_at > ${ctx.now()}::timestamptz - interval '1 day'
      union all select user_id, dept_path, size, null from file_built where built_at > ${ctx.now()}::timestamptz - interval '1 day'
    ) as brought where user_id = ${ctx.actor.userId} or dept_path = ${ctx.scope.path}`.execute(db);
  const now = found.rows[0];
  if (!now) return;
  const { person, organisation } = UPLOAD_QUOTA;
  if (isOver({ uploads: now.own, bytes: now.own_bytes }, person) || isOver({ uploads: now.all, bytes: now.all_bytes }, organisation))
    throw new Fault('UPLOADS_MANY');
  await checkStorage(db, ctx.scope.path, built);
}

/** Held until the transaction ends: two beginnings side by side would each see room for one. */
export const lockQuota = (db: Db, ctx: Pick<Quoted, 'actor' | 'scope'>) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${ctx.scope.path}`}, 1)), pg_advisory_xact_lock(hashtextextended(${`uploads of ${ctx.actor.userId}`}, 1))`.execute(
    db,
  );

/** Counted from now on, if there is room for it. Answers its row. Fault: UPLOADS_MANY. */
const counted = (ctx: Quoted, row: (db: Db) => Promise<{ id: number }>, built = 0): Promise<number> =>
  ctx.unscoped(async (db) => {
    await lockQuota(db, ctx);
    const { id } = await row(db);
    await checkQuota(db, ctx, built);
    return id;
  });
/** The database may be away: then the hourly sweep takes the row. */
const countedNoMore = (ctx: Quoted, table: 'file_direct' | 'file_built', id: number): Promise<unknown> =>
  ctx.unscoped((db) => db.deleteFrom(table).where('id', '=', id).execute()).catch(() => {});
const whose = (ctx: Quoted, size: number) => ({ user_id: ctx.actor.userId, size, dept_path: ctx.scope.path });

/** A file in one call counts while it comes. */
export async function underQuota<T>(ctx: Quoted, size: number, work: (id: number) => Promise<T>): Promise<T> {
  const row = { ...whose(ctx, size), begun_at: ctx.now() };
  const id = await counted(ctx, (db) => db.insertInto('file_direct').values(row).returning('id').executeTakeFirstOrThrow());
  try {
    return await work(id);
  } finally {
    await countedNoMore(ctx, 'file_direct', id);
  }
}

/** What the server makes of what somebody brought, or for them: `size` bytes count for a day, unless nothing came of it. Fault: UPLOADS_MANY. */
export async function builtUnderQuota<T>(ctx: Quoted, size: number, work: () => Promise<T>): Promise<T> {
  const row = { ...whose(ctx, size), built_at: ctx.now() };
  const id = await counted(ctx, (db) => db.insertInto('file_built').values(row).returning('id').executeTakeFirstOrThrow(), size);
  try {
    return await work();
  } catch (error) {
    await countedNoMore(ctx, 'file_built', id);
    throw error;
  }
}
