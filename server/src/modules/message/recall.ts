import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { messageCalls as declared, type messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { sentTypes } from './send-message.ts';

/** Whoever sends for the organisation takes back what it sent; another system, and who may speak for none but it, what it said itself. */
async function ownOf(ctx: Ctx, id: number, { isHeld = false } = {}): Promise<{ title: string; recalled_at: Date | null }> {
  const { userId, userName, apiToken, permissions } = ctx.actor;
  const isOwn = apiToken !== undefined || !isAllowed(permissions, declared.send.can);
  const { path } = ctx.scope;
  const row = await ctx.db
    .selectFrom('message_message')
    .select(['title', 'recalled_at'])
    .where('id', '=', id)
    .where('type', 'in', apiToken ? ['3'] : sentTypes)
    .where('dept_path', '>=', path)
    .where('dept_path', '<', `${path}~`)
    .where((eb) => (isOwn ? eb('sender_id', '=', userId) : eb.lit(true)))
    .where((eb) => (apiToken ? eb('sender', 'in', [apiToken.name, userName]) : eb.lit(true)))
    .$if(isHeld, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

/** Nobody gets it any more, nor has it unread; who has read it keeps that there was one. Mails are out. */
export const recall: Handler<typeof messageCalls.recall> = async (ctx, { id }) => {
  await ownOf(ctx, id);
  // In the order in which readers take them.
  await sql`select from message_delivery where message_id = ${id} and status = '0' order by id for update`.execute(ctx.db);
  const row = await ownOf(ctx, id, { isHeld: true });
  if (row.recalled_at !== null) throw fault('OVERTAKEN');
  await sql`update message_message set recalled_at = ${ctx.now()}, people = coalesce(people, 0) where id = ${id}`.execute(ctx.db);
  const { rows: had } = await sql<{ path: string }>`
    select distinct u.dept_path as path from message_delivery d join account_user u on u.id = d.user_id where d.message_id = ${id} limit 1000`.execute(
    ctx.db,
  );
  const { rows: gone } = await sql`delete from message_delivery where message_id = ${id} and status = '0' returning id`.execute(ctx.db);
  for (const { path } of had) await ctx.invalidate(ctx.db, '/message', path);
  await ctx.invalidate(ctx.db, '/message');
  ctx.audit({ target: `message ${row.title}`, after: { recalled: gone.length } });
  return { unread: gone.length };
};
