import { thingCommands } from '@mooring/contract/device/commands';
import { commandMachine } from '@mooring/contract/device/state-machines';
import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';
import { move, statefulTable } from '../db/move.ts';
import { invalidatePaths } from '../live/invalidate-paths.ts';
import type { UpMessage } from './message.ts';

export const outboxRows = statefulTable('gateway_outbox', commandMachine);
/** Open lists of commands and timelines refetch by this group. */
export const GROUP = '/device';

type Reply = UpMessage<'reply'>;
interface Asked {
  readonly id: number;
  readonly key: string;
  readonly device_id: number;
  readonly topic: string;
  readonly kind: string;
  readonly dept_path: string;
  /** Whether the terminal still is whose who asked is. */
  readonly stays: boolean;
}
const isThing = ({ kind }: { readonly kind: string }): boolean => (thingCommands as readonly string[]).includes(kind);
/** What became of a command that had ended already: the terminal did it all the same. */
export const DONE_LATE = 'doneLate';
const nameOf = (deviceId: number, key: string) => `${deviceId} ${key}`;
const saysMore = ({ data }: Reply) => data.reason !== undefined || data.message !== undefined || data.output !== undefined;

/** What a terminal said besides done or failed, and the word of one that came too late to change anything. */
async function note(
  db: Db,
  rows: readonly { id: number; kind: string; moved: boolean; stays: boolean; reply: Reply }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const words = rows.map(({ id, kind, moved, stays, reply: { data } }) => ({
    id,
    moved,
    late: !moved && data.outcome === 'done' && isThing({ kind }),
    reason: data.reason ?? null,
    message: data.message ?? null,
    // What it says of itself is for whoever has it now.
    output: (stays ? data.output : undefined) ?? null,
  }));
  await sql`
    update gateway_outbox o set answered_at = ${now}, reason = coalesce(a.reason, case when a.late and o.state in ('failed', 'expired') then ${DONE_LATE} end, o.reason), message = coalesce(a.message, o.message), output = coalesce(a.output, o.output)
    from jsonb_to_recordset(${JSON.stringify(words)}::jsonb) as a(id bigint, moved boolean, late boolean, reason text, message text, output jsonb)
    where o.id = a.id and (a.moved or o.answered_at is null)`.execute(db);
}

/** A reply ends commands, cancels, configs, and what is told of an offer later. The first one counts; most say nothing but "done", so a command is written once. */
export async function handleReplies(db: Db, batch: readonly Reply[], app: AppContext): Promise<void> {
  const now = app.now();
  const first = new Map([...batch].reverse().map((one) => [nameOf(one.deviceId, one.data.to), one]));
  const found = await sql<Asked>`
    select o.id, o.key, o.device_id, o.topic, o.kind, o.dept_path, o.dept_path = d.dept_path as stays from unnest(${batch.map((one) => one.data.to)}::text[], ${batch.map((one) => one.deviceId)}::bigint[]) as a(key, device_id)
    join gateway_outbox o on o.key = a.key and o.device_id = a.device_id join device d on d.id = o.device_id
    where (o.topic in ('command', 'cancel', 'config') or o.topic = 'offer' and o.key <> o.data->>'offer') and o.answered_at is null`.execute(
    db,
  );
  const answered = [...new Map(found.rows.map((row) => [row.id, row])).values()].flatMap((row) => {
    const reply = first.get(nameOf(row.device_id, row.key));
    return reply ? [{ ...row, reply }] : [];
  });
  const commands = answered.filter((row) => row.topic === 'command');
  const moved = new Set<number>();
  for (const outcome of ['done', 'failed'] as const) {
    const ids = commands.filter((row) => row.reply.data.outcome === outcome).map((row) => row.id);
    const event = outcome === 'done' ? 'succeed' : 'fail';
    if (ids.length > 0) for (const { id } of await move(db, outboxRows, event, ids, { set: { answered_at: now } })) moved.add(id);
  }
  await note(
    db,
    commands.flatMap(({ id, kind, stays, reply }) =>
      saysMore(reply) || !moved.has(id) ? [{ id, kind, moved: moved.has(id), stays, reply }] : [],
    ),
    now,
  );
  const others = answered.filter((row) => row.topic !== 'command').map((row) => row.id);
  if (others.length > 0) await sql`delete from gateway_outbox where id = any(${others}::bigint[])`.execute(db);
  await invalidatePaths(
    db,
    app,
    GROUP,
    commands.map((row) => row.dept_path),
  );
  await invalidatePaths(
    db,
    app,
    THINGS,
    commands.filter(isThing).map((row) => row.dept_path),
  );
}
