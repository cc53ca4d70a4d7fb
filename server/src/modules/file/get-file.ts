import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import type { FileOwner, Wire } from '../../platform/module.ts';
import { type FileRow, fileById } from './file-queries.ts';
import type { Files } from './files.ts';

const SECONDS = 600;

const macOf = (app: Pick<AppContext, 'masterKey'>, body: string) =>
  createHmac('sha256', app.masterKey.derive('file-get')).update(body).digest('base64url');

/** By whom it was made: a person, that is, and not a system's key in their name. What a job made is fetched through the job, which asks for its right. */
async function isOwn(ctx: Ctx, file: FileRow): Promise<boolean> {
  if (ctx.actor.sessionId === undefined || file.user_id !== ctx.actor.userId) return false;
  if (file.expires_at !== null && file.expires_at <= ctx.now()) return false;
  const job = await ctx.unscoped((db) => db.selectFrom('work').select('id').where('file_id', '=', file.id).limit(1).executeTakeFirst());
  return job === undefined;
}

/** Whether a row that the actor may see, and sees, has this file. */
async function hangsOnSeen(ctx: Ctx, owners: readonly FileOwner[], id: number): Promise<boolean> {
  const allowed = owners.filter(({ can }) => isAllowed(ctx.actor.permissions, can));
  // A table is asked once, whatever the ways in which its rows are seen.
  const byColumn = Map.groupBy(allowed, ({ table, column }) => `${table}.${column}`);
  for (const ways of byColumn.values()) {
    const [{ table, column } = { table: '', column: '' }] = ways;
    const seen = ways.map(({ where, only }) => {
      const of = where ? sql`${sql.ref(where[0])} = ${where[1]}` : sql`true`;
      return sql`(${of} and ${only?.(ctx) ?? sql`true`})`;
    });
    const found =
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id} and (${sql.join(seen, sql` or `)}) limit 1`.execute(
        ctx.db,
      );
    if (found.rows.length > 0) return true;
  }
  return false;
}

/** One's own, or of a row that the actor may see. That it is of the same organisation is no reason. Fault: NOT_FOUND. */
export async function readableFile(ctx: Ctx, owners: readonly FileOwner[], id: number): Promise<FileRow> {
  const file = await ctx.unscoped((db) => fileById(db, id));
  if (!file || !((await isOwn(ctx, file)) || (await hangsOnSeen(ctx, owners, id)))) throw fault('NOT_FOUND');
  return file;
}

/** A token for the GET of one file. */
export async function securityToken(ctx: Ctx, app: AppContext, owners: readonly FileOwner[], id: number) {
  await readableFile(ctx, owners, id);
  return fileToken(ctx, app, id);
}

/** The same for a file that the caller has seen to be theirs. */
export function fileToken(ctx: Pick<Ctx, 'now'>, app: Pick<AppContext, 'masterKey'>, id: number, seconds = SECONDS) {
  const body = `${id}.${Math.floor(ctx.now().getTime() / 1000) + seconds}`;
  const token = `${body}.${macOf(app, body)}`;
  return { token, url: `/file/get/${token}`, expiresIn: seconds };
}

/** The bytes, always as a download: what others uploaded never runs in the console's origin. */
export async function getFile(ctx: Ctx, app: AppContext, files: Files, token: string, wire: Wire): Promise<unknown> {
  const [id = '', until = '', mac = ''] = token.split('.');
  const wanted = Buffer.from(macOf(app, `${id}.${until}`));
  const given = Buffer.from(mac);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw fault('NOT_FOUND');
  if (Number(until) * 1000 < ctx.now().getTime()) throw new Fault('TOKEN_EXPIRED');
  const file = await ctx.unscoped((db) => fileById(db, Number(id)));
  if (!file) throw fault('NOT_FOUND');
  const name = encodeURIComponent(file.name);
  return wire.reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-length': file.size,
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'cache-control': 'private, no-store',
    })
    .send(await files.store.read(file.sha256));
}
