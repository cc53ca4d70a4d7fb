import type { deviceCalls } from '@mooring/contract/device/calls';
import type { TimelineEntry } from '@mooring/contract/device/schemas';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { isExactMoment } from '../../platform/db/exact-moment.ts';
import type { Handler } from '../../platform/module.ts';

interface Row {
  key: string;
  at: Date;
  /** In full: a moment of JavaScript is cut to a millisecond. */
  exact: string;
  kind: 'move' | 'event' | 'command' | 'task';
  name: string;
  state: string | null;
  level: 'info' | 'warning' | 'alarm';
  by: string | null;
  detail: Record<string, never> | null;
}

/** Where the page before ended: the moment and key of its last entry. */
function readCursor(text: string): { exact: string; key: string } {
  const [exact = '', key = ''] = text.split('/');
  if (!isExactMoment(exact)) throw fault('BAD_INPUT');
  return { exact, key };
}

/**
 * What became of a device, newest first: its moves and connections, what it reported, what it was told, its updates. Each part is read by
 * its own index, no further than the page reaches.
 */
export const timeline: Handler<typeof deviceCalls.timeline> = async (ctx, { id, before, size }) => {
  if (!(await ctx.db.selectFrom('device').select('id').where('id', '=', id).executeTakeFirst())) throw fault('NOT_FOUND');
  const from = before === undefined ? undefined : readCursor(before);
  const part = (key: RawBuilder<string>, at: string, columns: RawBuilder<unknown>, rows: RawBuilder<unknown>) => {
    const older = from ? sql`and (${sql.ref(at)}, ${key}) < (${from.exact}::timestamptz, ${from.key})` : sql``;
    const until = from ? sql`and ${sql.ref(at)} <= ${from.exact}::timestamptz` : sql``;
    return sql`(select ${key} as key, ${sql.ref(at)} as at, ${columns} from ${rows} ${until} ${older} order by ${sql.ref(at)} desc, 1 desc limit ${size + 1})`;
  };
  const parts = [
    part(
      sql`'m' || c.id`,
      'c.at',
      sql`'move' as kind, c.event as name, c.to_state as state, 'info' as level, u.name as by, c.detail`,
      sql`state_change c left join account_user u on u.id = c.actor_id where c.life = 'device' and c.row_id = ${id}`,
    ),
    part(sql`'e' || e.id`, 'e.at', sql`'event', e.name, null, e.level, null, e.params`, sql`device_event e where e.device_id = ${id}`),
    part(
      sql`'c' || o.id`,
      'o.created_at',
      sql`'command', o.kind, o.state, case o.state when 'failed' then 'warning' else 'info' end, o.actor_name, o.data -> 'params'`,
      sql`gateway_outbox o where o.device_id = ${id} and o.topic = 'command'`,
    ),
    part(
      sql`'t' || c.id`,
      'c.at',
      sql`'task', t.name, c.to_state, case when c.to_state in ('4', '5', '7') then 'warning' else 'info' end, u.name,
        jsonb_strip_nulls(jsonb_build_object('taskId', t.id, 'kind', t.kind, 'fromVersion', r.from_version, 'version', r.version, 'reason', case when r.state = c.to_state then r.reason end))`,
      sql`rollout_result r join rollout_task t on t.id = r.task_id join state_change c on c.life = 'taskResult' and c.row_id = r.id
        left join account_user u on u.id = c.actor_id where r.device_id = ${id}`,
    ),
  ];
  const found = await sql<Row>`
    select *, to_char(at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as exact from (${sql.join(parts, sql` union all `)}) entries
    order by at desc, key desc limit ${size + 1}`.execute(ctx.db);
  const rows = found.rows.slice(0, size);
  const last = rows.at(-1);
  const content: z.input<typeof TimelineEntry>[] = rows.map(({ exact: _exact, ...row }) => ({
    ...row,
    state: row.kind === 'move' && row.state ? (deviceMachine.byCode[row.state] ?? row.state) : row.state,
  }));
  return { content, next: found.rows.length > size && last ? `${last.exact}/${last.key}` : null };
};
