import { failureReasons, type Window } from '@mooring/contract/device/messages';
import { taskGroups } from '@mooring/contract/engines/rollout/task-kind';
import { type OpenHours, openHours } from '@mooring/contract/shared/time-window';
import { isTimeZone } from '@mooring/contract/shared/time-zone';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { onUp, type UpMessage } from '../../platform/gateway/message.ts';
import { revokeMessages } from '../../platform/gateway/send-messages.ts';
import { windowsOf } from './blackouts.ts';
import { noteWanted } from './drift/note-wanted.ts';
import { type OutcomeEvent, resolveOutcome } from './resolve-outcome.ts';
import { retryByThemselves } from './retry.ts';
import { clockOf, movedClock, silenceOf } from './silence.ts';
import { kindNamed, type RolloutKind, resultRows } from './task.ts';

interface Known {
  readonly offer: string;
  readonly result_id: number;
  readonly device_id: number;
  readonly state: string;
  readonly current: string | null;
  readonly ended_at: Date | null;
  readonly task_id: number;
  readonly kind: string;
}

/** An attempt is of its device: what another one says of it is said of nothing. */
const nameOf = (deviceId: number, offer: string) => `${deviceId} ${offer}`;

/** Attempts of these offers with their rows, locked, by device and offer. */
async function lockAttempts(db: Db, batch: readonly UpMessage<'result'>[]): Promise<Map<string, Known>> {
  const found = await sql<Known>`
    select a.offer, a.result_id, a.device_id, a.ended_at, r.state, r.offer as current, r.task_id, r.kind
    from unnest(${batch.map((one) => one.data.offer)}::text[], ${batch.map((one) => one.deviceId)}::bigint[]) as m(offer, device_id)
    join rollout_attempt a on a.offer = m.offer and a.device_id = m.device_id join rollout_result r on r.id = a.result_id
    order by r.id for update of r`.execute(db);
  return new Map(found.rows.map((row) => [nameOf(row.device_id, row.offer), row]));
}

interface Settled {
  readonly id: number;
  readonly message: UpMessage<'result'>;
}
/** So many different words are written with the move itself. */
const MOST_WORDS = 8;
const reasonOf = ({ data }: UpMessage<'result'>) => (data.outcome === 'failure' ? (data.reason ?? 'unknown') : null);

/** A terminal may say any reason; a label must not. */
const countedReason = (message: UpMessage<'result'>) => {
  const reason = reasonOf(message);
  return reason === null ? '' : (failureReasons as readonly string[]).includes(reason) ? reason : 'other';
};

/** Most of a batch say the same: success, and the version. Their rows are written once; only what differs is written beforehand. */
async function resolveRows(db: Db, event: OutcomeEvent, rows: readonly Settled[], now: Date): Promise<void> {
  const words = new Map<string, Settled[]>();
  for (const row of rows) {
    const { data } = row.message;
    const key = JSON.stringify([reasonOf(row.message), data.message ?? null, data.version ?? null]);
    const same = words.get(key);
    if (same) same.push(row);
    else words.set(key, [row]);
  }
  const set = { ended_at: now, changed_at: now, due_at: null, phase: null, percent: null };
  const idsOf = (some: readonly Settled[]) => some.map((row) => row.id);
  if (words.size <= MOST_WORDS) {
    for (const [key, same] of words) {
      const [reason, message, version] = JSON.parse(key) as (string | null)[];
      await move(db, resultRows, event, idsOf(same), { set: { ...set, reason, message, ...(version === null ? {} : { version }) } });
    }
    return;
  }
  const facts = JSON.stringify(
    rows.map(({ id, message: one }) => ({
      id,
      reason: reasonOf(one),
      message: one.data.message ?? null,
      version: one.data.version ?? null,
    })),
  );
  await sql`
    update rollout_result r set reason = f.reason, message = f.message, version = coalesce(f.version, r.version)
    from jsonb_to_recordset(${facts}::jsonb) as f(id bigint, reason text, message text, version text) where r.id = f.id`.execute(db);
  await move(db, resultRows, event, idsOf(rows), { set });
}

async function handleResults(
  db: Db,
  app: AppContext,
  kinds: readonly RolloutKind[],
  batch: readonly UpMessage<'result'>[],
): Promise<number[]> {
  const known = await lockAttempts(db, batch);
  const now = app.now();
  const byEvent = new Map<OutcomeEvent, Settled[]>();
  const ended: object[] = [];
  const superseded: { deviceId: number; offer: string }[] = [];
  const succeeded: string[] = [];
  const seen = new Set<string>();
  const tasks = new Set<number>();
  for (const message of batch) {
    const attempt = known.get(nameOf(message.deviceId, message.data.offer));
    // Repeated until our ack reaches it: the first one counts.
    if (!attempt || attempt.ended_at !== null || seen.has(attempt.offer)) continue;
    seen.add(attempt.offer);
    tasks.add(attempt.task_id);
    const isCurrent = attempt.current === attempt.offer;
    const event = resolveOutcome(attempt.state, isCurrent, message.data.outcome);
    ended.push({
      offer: attempt.offer,
      device_id: attempt.device_id,
      outcome: message.data.outcome,
      reason: message.data.reason ?? null,
      message: message.data.message ?? null,
      version: message.data.version ?? null,
      sha256: message.data.sha256 ?? null,
      late: event === undefined,
    });
    if (message.data.outcome === 'success') succeeded.push(attempt.offer);
    app.counts.add('task_results', { kind: attempt.kind, outcome: message.data.outcome, reason: countedReason(message) });
    if (!event) continue;
    const settled = { id: attempt.result_id, message };
    const same = byEvent.get(event);
    if (same) same.push(settled);
    else byEvent.set(event, [settled]);
    if (event === 'succeed' && !isCurrent && attempt.current && attempt.state === '2')
      superseded.push({ deviceId: attempt.device_id, offer: attempt.current });
  }
  if (ended.length === 0) return [];
  await sql`
    update rollout_attempt a set ended_at = ${now}, outcome = e.outcome, reason = e.reason, message = e.message, version = e.version, sha256 = e.sha256, late = e.late
    from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) as e(offer text, device_id bigint, outcome text, reason text, message text, version text, sha256 text, late boolean)
    where a.offer = e.offer and a.device_id = e.device_id`.execute(db);
  for (const [event, rows] of byEvent) await resolveRows(db, event, rows, now);
  // Also of what was cancelled meanwhile: it is on the terminal all the same.
  await noteWanted(db, app, kinds, succeeded);
  await retryByThemselves(
    db,
    app,
    (byEvent.get('fail') ?? []).map((row) => row.id),
  );
  if (superseded.length > 0) {
    await revokeMessages(
      db,
      superseded.map((one) => one.offer),
    );
    await app.sendMessages(
      db,
      superseded.map((one) => ({
        deviceId: one.deviceId,
        kind: 'cancel' as const,
        key: `c-${one.offer}`,
        data: { offer: one.offer, reason: 'superseded' },
        expiresAt: new Date(now.getTime() + 86_400_000),
      })),
    );
  }
  return [...tasks];
}

type Progress = UpMessage<'progress'>;
const waitsForWindow = ({ data }: Progress) => data.phase === 'waiting' && data.reason === 'window';

/** By attempt: when the hours of its window that a terminal waits for will have ended. */
async function windowEnds(db: Db, batch: readonly Progress[], now: Date): Promise<ReadonlyMap<string, Date>> {
  const waiting = batch.filter(waitsForWindow);
  if (waiting.length === 0) return new Map();
  const found = await sql<{ offer: string; device_id: number; window: Window | null; time_zone: string | null; dept_path: string }>`
    select a.offer, a.device_id, t.delivery->'window' as window, d.time_zone, d.dept_path
    from unnest(${waiting.map((one) => one.data.offer)}::text[], ${waiting.map((one) => one.deviceId)}::bigint[]) as m(offer, device_id)
    join rollout_attempt a on a.offer = m.offer and a.device_id = m.device_id join rollout_result r on r.id = a.result_id
    join rollout_task t on t.id = r.task_id join device d on d.id = a.device_id`.execute(db);
  const windowOf = await windowsOf(
    db,
    found.rows.map((row) => row.dept_path),
    now,
  );
  const ends = new Map<string, OpenHours | undefined>();
  const nextOf = (window: Window, zone: string) => {
    const key = `${zone} ${JSON.stringify(window)}`;
    if (!ends.has(key)) ends.set(key, openHours(window, now, isTimeZone(zone) ? zone : 'UTC', 1)[0]);
    return ends.get(key);
  };
  return new Map(
    found.rows.flatMap((row) => {
      const window = windowOf(row.dept_path, row.window);
      const next = window && nextOf(window, row.time_zone ?? 'UTC');
      return next ? [[nameOf(row.device_id, row.offer), next.to] as const] : [];
    }),
  );
}

async function handleProgress(db: Db, app: AppContext, batch: readonly UpMessage<'progress'>[]): Promise<number[]> {
  const newest = new Map(batch.map((one) => [nameOf(one.deviceId, one.data.offer), one]));
  const now = app.now();
  const ends = await windowEnds(db, [...newest.values()], now);
  const rows = JSON.stringify(
    [...newest.values()].map((one) => ({
      offer: one.data.offer,
      device_id: one.deviceId,
      phase: one.data.phase,
      percent: one.data.percent,
      reason: one.data.reason ?? null,
      opened: ends.get(nameOf(one.deviceId, one.data.offer)) ?? null,
    })),
  );
  // By the key of each row: with the bare state it was planned over the index of all that are under way.
  const changed = await sql<{ task_id: number }>`
    with p as (
      select p.*, a.result_id, ${clockOf(sql`p.phase`, sql`t.delivery`, sql`p.opened`, now)} as due, ${silenceOf(sql`t.delivery`)} as silence
      from jsonb_to_recordset(${rows}::jsonb) as p(offer text, device_id bigint, phase text, percent real, reason text, opened timestamptz)
      join rollout_attempt a on a.offer = p.offer and a.device_id = p.device_id join rollout_result o on o.id = a.result_id join rollout_task t on t.id = o.task_id
    )
    update rollout_result r set phase = p.phase, percent = p.percent, reason = p.reason, changed_at = ${now}, due_at = ${movedClock(sql`r.due_at`, sql`p.due`, sql`p.silence`)}
    from p where r.id = p.result_id and r.offer = p.offer and coalesce(r.state, '') = '2' returning r.task_id`.execute(db);
  return [...new Set(changed.rows.map((row) => row.task_id))];
}

/** Says that lists of these tasks and their devices changed. */
export async function invalidateTasks(
  db: Db,
  app: Pick<Ctx, 'invalidate'>,
  kinds: readonly RolloutKind[],
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const tasks = await db
    .selectFrom('rollout_task')
    .select(['kind', 'dept_path'])
    .where('id', 'in', [...ids])
    .execute();
  const said = new Set<string>();
  for (const task of tasks) {
    const kind = kindNamed(kinds, task.kind);
    for (const group of kind ? taskGroups(kind.of) : []) {
      if (said.has(`${group} ${task.dept_path}`)) continue;
      said.add(`${group} ${task.dept_path}`);
      await app.invalidate(db, group, task.dept_path);
    }
  }
}

/**
 * Terminals are in contact: it may be their turn, or will be when their task goes on after a pause. Rows that are due are touched too: one that
 * a turn of the engine puts off at this moment is locked by it, and seen as put off when it lets go. A look at each device's own: together they
 * were planned over all that wait.
 */
export async function wakeResults(db: Db, deviceIds: readonly number[], now: Date): Promise<void> {
  const isWaiting = sql`coalesce(state, '') in ('1', '8') and (next_at = 'infinity' or next_at <= ${now})`;
  await sql`
    update rollout_result set next_at = ${now} where ${isWaiting} and id = any(array(
      select o.id from unnest(${deviceIds}::bigint[]) as d(id), lateral (select r.id from rollout_result r where r.device_id = d.id and ${isWaiting} offset 0) o
    ))`.execute(db);
}

/** What terminals say about offers, of all kinds of tasks. */
export const rolloutMessages = (kinds: readonly RolloutKind[]) => [
  onUp('progress', async (db, batch, app) => invalidateTasks(db, app, kinds, await handleProgress(db, app, batch))),
  onUp('result', async (db, batch, app) => invalidateTasks(db, app, kinds, await handleResults(db, app, kinds, batch))),
];
