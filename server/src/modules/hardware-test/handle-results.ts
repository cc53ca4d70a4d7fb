import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { onUp, type UpMessage } from '../../platform/gateway/message.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { TESTS, testRows } from './test-rows.ts';

/** A terminal that has begun is given so long, though its time was up: people stand at it. */
const RUNNING_MINUTES = 60;
/** Of messages that several processes take the last may be first: so long the others are waited for. */
const UNTOLD_MINUTES = 2;

interface Open {
  readonly id: number;
  readonly key: string;
  readonly device_id: number;
  readonly dept_path: string;
  readonly state: string;
  readonly parts: readonly string[];
  readonly done_at: Date | null;
}

/** Tests of these terminals that haven't ended, by what their messages name; nobody else's, nor those of who had the terminal before. */
async function openTests(db: Db, named: readonly { deviceId: number; to: string }[]): Promise<Open[]> {
  const { rows } = await sql<Open>`
    select t.id, t.key, t.device_id, t.dept_path, t.state, t.parts, t.done_at
    from (select distinct * from unnest(${named.map((one) => one.to)}::text[], ${named.map((one) => one.deviceId)}::bigint[]) as a(key, device_id)) a
    join hardware_test t on t.key = a.key and t.device_id = a.device_id
    join device d on d.id = t.device_id and d.dept_id = t.dept_id and d.deleted_at is null
    where t.state in ('requested', 'running') order by t.id for update of t`.execute(db);
  return rows;
}

async function keepParts(db: Db, test: Open, said: readonly UpMessage<'test'>[]): Promise<void> {
  // Of a part that is told twice the later word counts.
  const parts = new Map(said.flatMap((one) => one.data.parts.map((part) => [part.part, part])));
  const rows = [...parts.values()]
    .filter(({ part }) => test.parts.includes(part))
    .map(({ part, outcome, reason, message, figures }) => ({ part, outcome, reason, message, figures: figures ?? {} }));
  if (rows.length === 0) return;
  await sql`
    insert into hardware_test_part (test_id, part, outcome, reason, message, figures)
    select ${test.id}, p.part, p.outcome, p.reason, p.message, p.figures
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p(part text, outcome text, reason text, message text, figures jsonb)
    on conflict (test_id, part) do update set outcome = excluded.outcome, reason = excluded.reason, message = excluded.message, figures = excluded.figures`.execute(
    db,
  );
  // However it ends: what failed has failed.
  await sql`
    update hardware_test t set failed_parts = array(
      select p.part from hardware_test_part p where p.test_id = t.id and p.outcome = 'failed' order by array_position(t.parts, p.part))
    where t.id = ${test.id}`.execute(db);
}

/** How it ended: a part that was asked for and isn't answered doesn't pass. Answers false where that is waited for. */
async function settle(db: Db, test: Pick<Open, 'id' | 'parts'>, now: Date, waits: boolean): Promise<boolean> {
  const { rows } = await sql<{
    part: string;
    outcome: string;
  }>`select part, outcome from hardware_test_part where test_id = ${test.id}`.execute(db);
  const outcomes = new Map(rows.map((row) => [row.part, row.outcome]));
  const failed = test.parts.filter((part) => outcomes.get(part) === 'failed');
  const untold = test.parts.some((part) => !outcomes.has(part));
  if (untold && waits) return false;
  const works = [...outcomes.values()].includes('passed');
  const passes = failed.length === 0 && !untold && works;
  const reason = passes || failed.length > 0 ? null : 'notTested';
  await move(db, testRows, passes ? 'pass' : 'fail', [test.id], {
    set: { ended_at: now, reason },
    ...(failed.length > 0 ? { detail: { parts: failed.join(', ') } } : {}),
  });
  return true;
}

/** The terminal is done with it, as far as it says. */
async function finish(db: Db, test: Open, now: Date): Promise<void> {
  if (await settle(db, test, now, true)) return;
  const until = new Date(now.getTime() + UNTOLD_MINUTES * 60_000);
  await sql`update hardware_test set done_at = coalesce(done_at, ${now}), expires_at = least(expires_at, ${until}) where id = ${test.id}`.execute(
    db,
  );
}

async function begin(db: Db, tests: readonly Open[], now: Date): Promise<void> {
  const ids = tests.filter((test) => test.state === 'requested').map((test) => test.id);
  if (ids.length === 0) return;
  const until = new Date(now.getTime() + RUNNING_MINUTES * 60_000);
  await move(db, testRows, 'start', ids, { set: { started_at: now } });
  await sql`update hardware_test set expires_at = ${until} where done_at is null and id = any(${ids}::bigint[])`.execute(db);
}

const touch = (db: Db, app: Pick<AppContext, 'invalidate'>, tests: readonly Open[]) =>
  invalidatePaths(
    db,
    app,
    TESTS,
    tests.map((test) => test.dept_path),
  );

/** What terminals find of their parts, one by one or all at once. Said again it changes nothing. */
export const handleResults = onUp('test', async (db, batch, app) => {
  const now = app.now();
  const open = await openTests(
    db,
    batch.map(({ deviceId, data }) => ({ deviceId, to: data.to })),
  );
  await begin(db, open, now);
  for (const test of open) {
    const said = batch.filter((one) => one.deviceId === test.device_id && one.data.to === test.key);
    await keepParts(db, test, said);
    if (test.done_at !== null || said.some((one) => one.data.done)) await finish(db, test, now);
  }
  await touch(db, app, open);
});

/** The command is answered: a terminal that can't test says so here; one that says it is done without a result has none. */
export const handleTestReplies = onUp('reply', async (db, batch, app) => {
  const now = app.now();
  const open = await openTests(
    db,
    batch.map(({ deviceId, data }) => ({ deviceId, to: data.to })),
  );
  for (const test of open) {
    const reply = batch.find((one) => one.deviceId === test.device_id && one.data.to === test.key)?.data;
    if (reply?.outcome === 'failed')
      await move(db, testRows, 'fail', [test.id], { set: { ended_at: now, reason: reply.reason ?? 'notTested' } });
    else await finish(db, test, now);
  }
  await touch(db, app, open);
});

const EXPIRED_AT_ONCE = 1000;
/** Those whose time is up: what was told before the end counts, and who never said that it is done has no result. Answers how many there were. */
async function expireSome(db: Db, app: Pick<AppContext, 'invalidate'>, now: Date): Promise<number> {
  const { rows: due } = await sql<Open>`
    select id, key, device_id, dept_path, state, parts, done_at from hardware_test
    where expires_at <= ${now} and state in ('requested', 'running') order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked`.execute(
    db,
  );
  if (due.length === 0) return 0;
  for (const test of due) if (test.done_at !== null) await settle(db, test, now, false);
  const silent = due.filter((test) => test.done_at === null).map((test) => test.id);
  await move(db, testRows, 'expire', silent, { set: { ended_at: now } });
  await touch(db, app, due);
  return due.length;
}

/** A selection of many expires at one moment: part by part, each in a transaction of its own. */
export async function expireTests(app: Pick<AppContext, 'invalidate' | 'unscoped' | 'now'>): Promise<void> {
  const now = app.now();
  while ((await app.unscoped((db) => expireSome(db, app, now))) === EXPIRED_AT_ONCE);
}
