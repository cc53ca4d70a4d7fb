import { deviceCalls } from '@mooring/contract/device/calls';
import type { DeviceCommand } from '@mooring/contract/device/schemas';
import { commandMachine } from '@mooring/contract/device/state-machines';
import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, exact } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import { page } from '../../platform/db/page.ts';
import { outboxRows } from '../../platform/gateway/handle-replies.ts';
import type { Handler } from '../../platform/module.ts';

const LOG_SHOWN = 200_000;

const selectCommands = (db: Db) =>
  db
    .selectFrom('gateway_outbox as c')
    .select([
      'c.id',
      'c.kind',
      'c.state',
      'c.data',
      'c.created_at',
      'c.sent_at',
      'c.answered_at',
      'c.expires_at',
      'c.attempts',
      'c.reason',
      'c.message',
      'c.output',
      'c.actor_name',
    ])
    .select(
      sql<string | null>`(select left(string_agg(l.text, '' order by l.part), ${LOG_SHOWN}) from device_log l where l.key = c.key)`.as(
        'log',
      ),
    )
    .where('c.topic', '=', 'command');
type Row = Awaited<ReturnType<ReturnType<typeof selectCommands>['executeTakeFirstOrThrow']>>;

const commandOf =
  (ctx: Ctx) =>
  (row: Row): z.input<typeof DeviceCommand> => ({
    id: row.id,
    kind: row.kind,
    state: row.state,
    params: (row.data as { params?: Record<string, never> }).params ?? {},
    createdAt: row.created_at,
    sentAt: row.sent_at,
    answeredAt: row.answered_at,
    expiresAt: row.expires_at,
    attempts: row.attempts,
    reason: row.reason,
    message: row.message,
    output: row.log ?? (row.output as string | null),
    by: row.actor_name,
    ...allowing(allowedActions(ctx, { withdraw: deviceCalls.withdraw }, { machine: commandMachine, state: row.state })),
  });

export const pageCommands: Handler<typeof deviceCalls.commands> = (ctx, { criteria, page: wanted }) =>
  page(
    ctx.db,
    selectCommands(ctx.db).where(
      all(exact('c.device_id', criteria.deviceId), exact('c.kind', criteria.kind), exact('c.state', criteria.state)),
    ),
    {
      page: wanted,
      sorts: { createdAt: 'c.created_at' },
      id: 'c.id',
      map: commandOf(ctx),
    },
  );

export const withdrawCommand: Handler<typeof deviceCalls.withdraw> = async (ctx, { id }) => {
  const there = await ctx.db
    .selectFrom('gateway_outbox')
    .select('id')
    .where('id', '=', id)
    .where('topic', '=', 'command')
    .executeTakeFirst();
  if (!there) throw fault('NOT_FOUND');
  const moved = await move(ctx.db, outboxRows, 'withdraw', [id], { actorId: ctx.actor.userId });
  if (moved.length === 0) throw fault('OVERTAKEN');
  await ctx.invalidate(ctx.db, THINGS);
  return commandOf(ctx)(await selectCommands(ctx.db).where('c.id', '=', id).executeTakeFirstOrThrow());
};
