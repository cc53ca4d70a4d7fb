import { wrongAnswer } from '@mooring/contract/device/thing/check-values';
import type { deviceThingCalls, TerminalEvent } from '@mooring/contract/device/thing/thing-calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { isExactMoment } from '../../../platform/db/exact-moment.ts';
import type { Handler } from '../../../platform/module.ts';
import { thingOf } from './thing-rows.ts';

interface Row {
  readonly id: number;
  /** In full: a moment of JavaScript is cut to a millisecond. */
  readonly exact: string;
  readonly at: Date;
  readonly terminal_at: Date;
  readonly name: string;
  readonly level: TerminalEvent['level'];
  readonly params: TerminalEvent['params'];
}

/** Where the page before ended: the moment and id of its last event. */
function readCursor(text: string): { exact: string; id: number } {
  const [exact = '', id = ''] = text.split('/');
  if (!isExactMoment(exact) || !/^\d{1,15}$/.test(id)) throw fault('BAD_INPUT');
  return { exact, id: Number(id) };
}

/** Each name by its own part of the index, no further than the page reaches. */
export const thingEvents: Handler<typeof deviceThingCalls.events> = async (ctx, { id, before, size }) => {
  const { model } = await thingOf(ctx.db, id);
  const named = new Map((model?.events ?? []).map((event) => [event.id, event]));
  if (named.size === 0) return { content: [], next: null };
  const from = before === undefined ? undefined : readCursor(before);
  const older = from ? sql`and (e.at, e.id) < (${from.exact}::timestamptz, ${from.id}::bigint)` : sql``;
  const found = await sql<Row>`
    select e.*, to_char(e.at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as exact
    from unnest(${[...named.keys()]}::text[]) as n(name) cross join lateral (
      select e.id, e.at, e.terminal_at, e.name, e.level, e.params from device_event e
      where e.device_id = ${id} and e.name = n.name ${older} order by e.at desc, e.id desc limit ${size + 1}
    ) e order by e.at desc, e.id desc limit ${size + 1}`.execute(ctx.db);
  const rows = found.rows.slice(0, size);
  const last = rows.at(-1);
  return {
    content: rows.map((row) => ({
      key: String(row.id),
      at: row.at.toISOString(),
      terminalAt: row.terminal_at.toISOString(),
      name: row.name,
      level: row.level,
      params: row.params,
      misfits: wrongAnswer(named.get(row.name)?.params ?? [], row.params),
    })),
    next: found.rows.length > size && last ? `${last.exact}/${last.id}` : null,
  };
};
