import type { deviceCalls } from '@mooring/contract/device/calls';
import { deviceLife } from '@mooring/contract/device/lives';
import type { TimelineEntry } from '@mooring/contract/device/schemas';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Handler } from '../../platform/module.ts';

interface Row {
  key: string;
  at: Date;
  kind: 'move' | 'event' | 'command';
  name: string;
  state: string | null;
  level: 'info' | 'warning' | 'alarm';
  by: string | null;
  detail: Record<string, never> | null;
}

/** Moves of the device, what it reported and what it was told, newest first; each part is read by its own index. */
export const timeline: Handler<typeof deviceCalls.timeline> = async (ctx, { id, before, size }) => {
  if (!(await ctx.db.selectFrom('device').select('id').where('id', '=', id).executeTakeFirst())) throw fault('NOT_FOUND');
  const until = before ?? '9999-12-31T00:00:00Z';
  const found = await sql<Row>`
    (select 'm' || c.id as key, c.at, 'move' as kind, c.event as name, c.to_state as state, 'info' as level, u.name as by, c.detail
      from state_change c left join account_user u on u.id = c.actor_id where c.life = 'device' and c.row_id = ${id} and c.at < ${until} order by c.at desc limit ${size + 1})
    union all
    (select 'e' || id, at, 'event', name, null, level, null, params from device_event where device_id = ${id} and at < ${until} order by at desc limit ${size + 1})
    union all
    (select 'c' || id, created_at, 'command', kind, state, case state when 'failed' then 'warning' else 'info' end, actor_name, data -> 'params'
      from gateway_outbox where device_id = ${id} and topic = 'command' and created_at < ${until} order by created_at desc limit ${size + 1})
    order by at desc limit ${size + 1}`.execute(ctx.db);
  const rows = found.rows.slice(0, size);
  const last = rows.at(-1);
  const content: z.input<typeof TimelineEntry>[] = rows.map((row) => ({
    ...row,
    state: row.kind === 'move' && row.state ? (deviceLife.byCode[row.state] ?? row.state) : row.state,
  }));
  return { content, next: found.rows.length > size && last ? last.at.toISOString() : null };
};
