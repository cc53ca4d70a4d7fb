import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { outboxRows } from '../../platform/gateway/handle-replies.ts';

/** What was asked of terminals and hasn't been answered is over: they are another's by now, or away. */
export async function withdrawCommands(ctx: Ctx, db: Db, devices: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from gateway_outbox where device_id = any(${devices}::bigint[]) and topic = 'command' and state in ('waiting', 'sent')`.execute(
    db,
  );
  await move(
    db,
    outboxRows,
    'withdraw',
    rows.map((row) => row.id),
    { actorId: ctx.actor.userId },
  );
  await ctx.invalidate(db, THINGS);
}
