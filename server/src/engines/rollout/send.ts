import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { type WindowOf, windowsOf } from './blackouts.ts';
import { closeResults, TIMED_OUT } from './close.ts';
import { leavings } from './left.ts';
import { canDo } from './match.ts';
import { givingWay, replaceOlder } from './replace.ts';
import { endOf, type Payload, type RolloutKind, resultRows, type Task } from './task.ts';
import { NOT_SERVED } from './why.ts';

const BATCH = 1000;
/** Why a terminal couldn't make use of a difference; it gets the full package from then on. */
const cannotApply: readonly string[] = ['baseWrong', 'notSupported'];
/** Where what was sent was a difference, that may be why: it needs room beside what it makes, and the memory to make it in. */
const overDifference: readonly string[] = ['noSpace', TIMED_OUT];
/** Content that can't be made now (a package withdrawn, a key missing) is tried again after this. */
const LATER_SECONDS = 60;

interface Due {
  readonly id: number;
  readonly device_id: number;
  readonly sn: string;
  readonly attempts: number;
  readonly current: string | null;
  readonly runs: string | null;
  /** Whether what is there is known, and whether nothing there means that there is nothing. */
  readonly known: boolean;
  readonly sees_all: boolean;
  readonly able: boolean;
  readonly unfit: boolean;
  readonly capabilities: readonly string[];
  readonly online: boolean;
  readonly dept_path: string;
  /** Why it isn't for it any more, by its number in `leavings`. */
  readonly left: number | null;
}

interface Ready extends Due {
  readonly payload: Payload;
  readonly offer: string;
}

/**
 * At work, of those that were sent it: whoever waits for Wi-Fi, a person or a restart goes on some day, each on its own, and holds up nobody until then. Those
 * that wait for the hours of the window, or by chance, all go on soon, and many at once.
 */
export const isAtWork = sql<boolean>`state = '2' and (phase = 'waiting' and reason not in ('window', 'pace')) is not true`;

const isDue = (task: Task, now: Date) =>
  sql<boolean>`r.task_id = ${task.id} and r.state = '1' and r.next_at <= ${now} and r.next_at < 'infinity' and r.ring <= ${task.open_ring}`;

/** How many may go out now: the task's pace, most at once and most a minute. */
async function allowance(db: Db, task: Task, now: Date): Promise<number> {
  const { paceAtOnce, pacePerMinute } = task.delivery;
  let allowed = BATCH;
  if (paceAtOnce !== null) {
    // Those at work are counted for those that wait for a place alone: of a release that waits for restarts there are many.
    const due = await sql`select from rollout_result r where ${isDue(task, now)} limit 1`.execute(db);
    if (due.rows.length === 0) return 0;
    const sent = await sql<{ n: number }>`select count(*)::int as n from rollout_result where task_id = ${task.id} and ${isAtWork}`.execute(
      db,
    );
    allowed = Math.min(allowed, paceAtOnce - (sent.rows[0]?.n ?? 0));
  }
  if (pacePerMinute !== null) {
    const since = new Date(now.getTime() - 60_000);
    // By attempts: one that failed at once may have gone out twice.
    const sent = await sql<{ n: number }>`
      select count(*)::int as n from rollout_result r join rollout_attempt a on a.result_id = r.id and a.sent_at > ${since}
      where r.task_id = ${task.id} and r.sent_at > ${since}`.execute(db);
    allowed = Math.min(allowed, pacePerMinute - (sent.rows[0]?.n ?? 0));
  }
  return allowed;
}

/** By offer how much is downloaded, and how much a difference stands for. */
const sizesOf = (ready: readonly Ready[]): string =>
  JSON.stringify(
    Object.fromEntries(ready.map(({ offer, payload }) => [offer, [payload.package?.size ?? null, payload.package?.fullSize ?? null]])),
  );

const GUESS_BYTES = 10;
/** Begins in the order of the rows, so that what is sent together stands together in its index; the rest is not to be guessed. */
const idOf = (row: Due): string => `o-${row.id}-${row.attempts + 1}-${randomBytes(GUESS_BYTES).toString('hex')}`;

const offerOf = (task: Task, { payload, offer, dept_path }: Ready, windowOf: WindowOf) => {
  const { delivery } = task;
  return {
    offer,
    kind: task.kind,
    task: { id: String(task.id), name: task.name },
    ...payload,
    download: delivery.download,
    window: windowOf(dept_path, delivery.window),
    install: delivery.install,
    network: delivery.network,
    jitterSeconds: delivery.jitterSeconds,
    allowDowngrade: delivery.allowDowngrade,
    expiresAt: task.expires_at?.toISOString() ?? null,
  };
};

/** These are not asked, and never will be. */
async function refuse(db: Db, rows: readonly Due[], reason: string, now: Date, message: string | null = null): Promise<number> {
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) await move(db, resultRows, 'fail', ids, { set: { reason, message, ended_at: now, changed_at: now } });
  return ids.length;
}

/**
 * What terminals have as this is sent to them: what was there when they were chosen may be long ago. A later attempt doesn't take for what was there
 * before what an earlier one has brought by now.
 */
function hadBefore(ready: readonly Ready[], brings: string | null) {
  const seen = ready.filter(
    ({ attempts, current, runs, known, sees_all }) => known && (sees_all || runs !== null) && (attempts === 0 || current !== brings),
  );
  const isSeen = sql<boolean>`t.id = any(${seen.map(({ id }) => id)}::bigint[])`;
  const had = JSON.stringify(Object.fromEntries(seen.map(({ id, runs }) => [id, runs])));
  return {
    from_version: sql`case when ${isSeen} then ${had}::jsonb ->> t.id::text else t.from_version end`,
    from_known: sql`${isSeen} or coalesce(t.from_known, false)`,
  };
}

type Answers = Awaited<ReturnType<RolloutKind['payloadsFor']>>;

/** What there is for those who are present; the others end with their reason, or are asked for later. */
async function serve(db: Db, present: readonly Due[], answers: Answers, now: Date): Promise<{ ready: Ready[]; refused: number }> {
  const ready: Ready[] = [];
  const never = new Map<string, { readonly reason: string; readonly message: string | null; readonly rows: Due[] }>();
  const later: number[] = [];
  for (const row of present) {
    const answer = answers.get(row.device_id);
    if (!answer) later.push(row.id);
    else if ('unserved' in answer) {
      const { unserved: reason, message = null } = answer;
      const alike = never.get(`${reason} ${message}`) ?? { reason, message, rows: [] };
      alike.rows.push(row);
      never.set(`${reason} ${message}`, alike);
    } else ready.push({ ...row, payload: answer, offer: idOf(row) });
  }
  let refused = 0;
  for (const { reason, message, rows } of never.values()) {
    const ended = await refuse(db, rows, reason, now, message);
    refused += ended;
  }
  if (later.length > 0)
    await sql`
      update rollout_result set next_at = ${new Date(now.getTime() + LATER_SECONDS * 1000)}, reason = ${NOT_SERVED} where id = any(${later}::bigint[])`.execute(
      db,
    );
  return { ready, refused };
}

const left = sql<number | null>`case ${sql.join(
  leavings.map(({ is }, at) => sql`when ${is('r')} then ${sql.lit(at)}`),
  sql` `,
)} end`;
/** Of terminals that the task isn't for any more the results end: what follows a terminal may not have come to them yet. */
async function closeLeft(db: Db, app: AppContext, rows: readonly Due[]): Promise<number> {
  let closed = 0;
  for (const [at, { how, reason }] of leavings.entries()) {
    const ids = rows.filter((row) => row.left === at).map((row) => row.id);
    const ended = ids.length === 0 ? 0 : await closeResults(db, app, sql`id = any(${ids}::bigint[])`, how, reason, BATCH);
    closed += ended;
  }
  return closed;
}

/** Offers the task to devices whose turn it is and that are in contact. Answers how many. */
export async function sendDue(db: Db, app: AppContext, kind: RolloutKind, task: Task): Promise<number> {
  const now = app.now();
  const allowed = await allowance(db, task, now);
  if (allowed <= 0) return 0;
  const subject = await kind.subjectOf(db, task);
  const current = kind.current(subject);
  const older = await givingWay(db, task);
  // A look at each device's own row: as a join this was planned over all that are under way, a thousand times each.
  const due = await sql<Due>`
    select r.id, r.device_id, r.sn, r.attempts, r.dept_path, d.capabilities,
      r.attempts > 0 and exists (select from rollout_attempt a where a.result_id = r.id
        and (a.reason = any(${cannotApply}::text[]) or a.full_size is not null and a.reason = any(${overDifference}::text[]))) as unfit, ${current} as current, ${kind.runs?.(subject) ?? current} as runs, d.activated_at is not null as known, ${kind.seesAll ?? sql`true`} as sees_all, ${canDo(kind.of, subject)} as able,
      coalesce(p.online, false) and d.status = '3' as online, ${left} as left
    from rollout_result r join device d on d.id = r.device_id left join device_presence p on p.device_id = d.id
    where ${isDue(task, now)}
      and (select o.id from rollout_result o where o.device_id = r.device_id and o.kind = r.kind and o.part = r.part and o.state = '2' and o.task_id <> all(${older}::bigint[]) limit 1) is null
    order by r.ring, r.next_at limit ${allowed} for update of r skip locked`.execute(db);
  const gone = await closeLeft(db, app, due.rows);
  const asked = due.rows.filter((row) => row.left === null);
  const absent = asked.filter((row) => !row.online).map((row) => row.id);
  // Asked again: who came meanwhile woke a row that wasn't put off yet.
  if (absent.length > 0)
    await sql`update rollout_result r set next_at = 'infinity' where id = any(${absent}::bigint[])
      and not exists (select from device d join device_presence p on p.device_id = d.id where d.id = r.device_id and d.status = '3' and p.online)`.execute(
      db,
    );
  // Terminals that don't say that they can do it are not asked: those of before wouldn't even understand.
  const unable = await refuse(
    db,
    asked.filter((row) => row.online && !row.able),
    'notSupported',
    now,
  );
  const present = asked.filter((row) => row.online && row.able);
  if (present.length === 0) return gone + unable;
  const answers = await kind.payloadsFor(
    db,
    app,
    task,
    present.map((row) => ({ deviceId: row.device_id, sn: row.sn, current: row.current, unfit: row.unfit, capabilities: row.capabilities })),
  );
  const served = await serve(db, present, answers, now);
  const ready = await replaceOlder(db, app, served.ready, older);
  const refused = gone + unable + served.refused;
  if (ready.length === 0) return refused;
  const ids = JSON.stringify(Object.fromEntries(ready.map((row) => [row.id, row.offer])));
  const dueAt = new Date(now.getTime() + task.delivery.timeoutMinutes * 60_000);
  await move(
    db,
    resultRows,
    'send',
    ready.map((row) => row.id),
    {
      set: {
        attempts: sql`t.attempts + 1`,
        offer: sql`${ids}::jsonb ->> t.id::text`,
        ...hadBefore(ready, subject.version),
        sent_at: now,
        due_at: dueAt,
        changed_at: now,
        ended_at: null,
        phase: null,
        percent: null,
        reason: null,
        message: null,
      },
    },
  );
  await sql`
    insert into rollout_attempt (offer, result_id, device_id, no, sent_at, dept_path, size, full_size)
    select r.offer, r.id, r.device_id, r.attempts, ${now}, r.dept_path, (s.of -> r.offer ->> 0)::bigint, (s.of -> r.offer ->> 1)::bigint
    from rollout_result r, (select ${sizesOf(ready)}::jsonb as of) s where r.id = any(${ready.map((row) => row.id)}::bigint[])`.execute(db);
  const windowOf = await windowsOf(
    db,
    ready.map((row) => row.dept_path),
    now,
  );
  await app.sendMessages(
    db,
    ready.map((row) => ({
      deviceId: row.device_id,
      kind: 'offer' as const,
      key: row.offer,
      data: offerOf(task, row, windowOf),
      // Its time-out ends an attempt, never the message: a terminal that is back after it still carries it out, and says so.
      expiresAt: endOf(task, now),
    })),
  );
  return refused + ready.length;
}
