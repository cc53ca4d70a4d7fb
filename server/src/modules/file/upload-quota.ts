import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';

const GB = 1024 ** 3;
/** Unfinished uploads, and the bytes that they announce: of one person, and of one organisation. */
export const UPLOAD_QUOTA = { person: { uploads: 20, bytes: 64 * GB }, organisation: { uploads: 200, bytes: 512 * GB } } as const;

interface Open {
  readonly uploads: number;
  readonly bytes: number;
}
const isOver = (now: Open, most: Open) => now.uploads > most.uploads || now.bytes > most.bytes;

/** Whether what is open now, the newest among it, is too much. Beginnings of one organisation go one after the other. Fault: UPLOADS_MANY. */
export async function checkQuota(db: Db, ctx: Pick<Ctx, 'actor' | 'scope'>): Promise<void> {
  const found = await sql<{ own: number; own_bytes: number; all: number; all_bytes: number }>`
    select count(*) filter (where user_id = ${ctx.actor.userId})::int as own, coalesce(sum(size) filter (where user_id = ${ctx.actor.userId}), 0)::float8 as own_bytes,
      count(*) filter (where dept_path = ${ctx.scope.path})::int as all, coalesce(sum(size) filter (where dept_path = ${ctx.scope.path}), 0)::float8 as all_bytes
    from file_upload where state <> 'done' and (user_id = ${ctx.actor.userId} or dept_path = ${ctx.scope.path})`.execute(db);
  const now = found.rows[0];
  if (!now) return;
  const { person, organisation } = UPLOAD_QUOTA;
  if (isOver({ uploads: now.own, bytes: now.own_bytes }, person) || isOver({ uploads: now.all, bytes: now.all_bytes }, organisation))
    throw new Fault('UPLOADS_MANY');
}

/** Held until the transaction ends: two beginnings side by side would each see room for one. */
export const lockQuota = (db: Db, ctx: Pick<Ctx, 'actor' | 'scope'>) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${ctx.scope.path}`}, 1)), pg_advisory_xact_lock(hashtextextended(${`uploads of ${ctx.actor.userId}`}, 1))`.execute(
    db,
  );
