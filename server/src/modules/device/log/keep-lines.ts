import { LOG_PULL_MOST } from '@mooring/contract/device/commands';
import { LOG_LINES_HOUR, type LogLine } from '@mooring/contract/device/log/log-lines';
import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import type { UpMessage } from '../../../platform/gateway/message.ts';

type From = Pick<UpMessage, 'deviceId' | 'deptPath' | 'sn'>;
/** A line that is to be kept. */
export interface NewLine {
  readonly from: From;
  readonly line: LogLine & { readonly leftOut?: number };
}
interface Sent {
  readonly from: From;
  readonly lines: readonly LogLine[];
  /** Dropped by the terminal itself. */
  readonly dropped: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A clock this far ahead is still believed; a line that is older than what may be kept is not of this log. */
const AHEAD_MS = 5 * 60_000;
const BACK_DAYS = 90;

const momentIn = (said: string | undefined, now: Date): Date => {
  const at = said === undefined ? Number.NaN : Date.parse(said);
  return at > now.getTime() - BACK_DAYS * DAY_MS && at <= now.getTime() + AHEAD_MS ? new Date(at) : now;
};

function bySender(batch: readonly UpMessage<'log'>[]): Sent[] {
  const sent = new Map<number, { from: From; lines: LogLine[]; dropped: number }>();
  for (const from of batch) {
    const one = sent.get(from.deviceId) ?? { from, lines: [], dropped: 0 };
    one.lines.push(...(from.data.lines ?? []));
    one.dropped += from.data.leftOut ?? 0;
    sent.set(from.deviceId, one);
  }
  return [...sent.values()];
}

/** One row for all that is left out of an hour; answers the rows that begin. */
async function noteLeftOut(
  db: Db,
  left: readonly { sent: Sent; count: number; leftAt: Date | null }[],
  hour: Date,
  now: Date,
): Promise<NewLine[]> {
  const begun = left.filter((one) => one.leftAt !== null);
  await sql`
    update device_log_line l set left_out = least(l.left_out + x.n, 9007199254740991), received_at = ${now}
    from unnest(${begun.map((one) => one.sent.from.deviceId)}::bigint[], ${begun.map((one) => one.leftAt)}::timestamptz[], ${begun.map((one) => one.count)}::bigint[]) as x(id, at, n)
    where l.device_id = x.id and l.at = x.at and l.left_out > 0`.execute(db);
  const fresh = left.filter((one) => one.leftAt === null);
  await sql`update device_log_hour set left_at = ${now} where hour = ${hour} and device_id = any(${fresh.map((one) => one.sent.from.deviceId)}::bigint[])`.execute(
    db,
  );
  return fresh.map(({ sent, count }) => ({
    from: sent.from,
    line: { at: now.toISOString(), level: 'warn', tag: '', text: '', leftOut: Math.min(count, Number.MAX_SAFE_INTEGER) },
  }));
}

/** Of what terminals send by themselves as much as is kept of an hour, and a row that counts the rest. Their presence is locked by the batch. */
export async function withinBudget(db: Db, batch: readonly UpMessage<'log'>[], now: Date): Promise<NewLine[]> {
  const sent = bySender(batch);
  if (sent.length === 0) return [];
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  const { rows } = await sql<{ device_id: number; lines: number; left_at: Date | null }>`
    insert into device_log_hour as h (device_id, hour, lines)
    select * from unnest(${sent.map((one) => one.from.deviceId)}::bigint[], ${sent.map(() => hour)}::timestamptz[], ${sent.map((one) => one.lines.length)}::bigint[])
    on conflict (device_id, hour) do update set lines = h.lines + excluded.lines returning device_id, lines, left_at`.execute(db);
  const hours = new Map(rows.map((row) => [row.device_id, row]));
  const kept: NewLine[] = [];
  const left: { sent: Sent; count: number; leftAt: Date | null }[] = [];
  for (const one of sent) {
    const seen = hours.get(one.from.deviceId);
    const before = (seen?.lines ?? 0) - one.lines.length;
    const room = Math.min(one.lines.length, Math.max(0, LOG_LINES_HOUR - before));
    kept.push(...one.lines.slice(0, room).map((line) => ({ from: one.from, line })));
    const count = one.lines.length - room + one.dropped;
    if (count > 0) left.push({ sent: one, count, leftAt: seen?.left_at ?? null });
  }
  return left.length === 0 ? kept : [...kept, ...(await noteLeftOut(db, left, hour, now))];
}

/** Of what was asked for no more than may be asked for, however much a terminal sends. */
export async function withinPull(db: Db, lines: readonly (NewLine & { readonly pull: string })[]): Promise<readonly NewLine[]> {
  const pulls = new Map<string, { device: number; lines: NewLine[] }>();
  for (const one of lines) {
    const pull = pulls.get(one.pull) ?? { device: one.from.deviceId, lines: [] };
    pull.lines.push(one);
    pulls.set(one.pull, pull);
  }
  if (pulls.size === 0) return [];
  const found = [...pulls];
  const { rows } = await sql<{ key: string; had: number }>`
    with had as materialized (select key, lines from device_log_pull where key = any(${found.map(([key]) => key)}::text[])), counted as (
      insert into device_log_pull as p (key, device_id, lines)
      select key, device_id, least(n, ${LOG_PULL_MOST}) from unnest(${found.map(([key]) => key)}::text[], ${found.map(([, one]) => one.device)}::bigint[], ${found.map(([, one]) => one.lines.length)}::bigint[]) as a(key, device_id, n)
      on conflict (key) do update set lines = least(p.lines + excluded.lines, ${LOG_PULL_MOST})
    )
    select key, lines as had from had`.execute(db);
  const had = new Map(rows.map((row) => [row.key, row.had]));
  return found.flatMap(([key, { lines: all }]) => all.slice(0, Math.max(0, LOG_PULL_MOST - (had.get(key) ?? 0))));
}

/** A line that is here already isn't kept twice: what is asked for was partly sent before. */
export async function keepLines(db: Db, lines: readonly NewLine[], now: Date): Promise<void> {
  const rows = JSON.stringify(
    lines.map(({ from, line }) => ({
      at: momentIn(line.at, now).toISOString(),
      device_id: from.deviceId,
      sn: from.sn,
      level: line.level,
      tag: line.tag,
      text: line.text,
      left_out: line.leftOut ?? 0,
      dept_path: from.deptPath,
    })),
  );
  await sql`
    insert into device_log_line (at, received_at, device_id, sn, level, tag, text, left_out, dept_path)
    select l.at, ${now}, l.device_id, l.sn, l.level, l.tag, l.text, l.left_out, l.dept_path
    from jsonb_to_recordset(${rows}::jsonb) as l(at timestamptz, device_id bigint, sn text, level text, tag text, text text, left_out bigint, dept_path text)
    where l.left_out > 0 or not exists (
      select from device_log_line k
      where k.device_id = l.device_id and k.at = l.at and k.level = l.level and k.tag = l.tag and k.text = l.text and k.left_out = 0)`.execute(
    db,
  );
}
