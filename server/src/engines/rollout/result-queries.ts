import type { Window } from '@mooring/contract/device/messages';
import type { TaskResult } from '@mooring/contract/engines/rollout/schemas';
import { resultMachine, retriedIn } from '@mooring/contract/engines/rollout/state-machines';
import { type TaskKind, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import type { Exact } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedEvents, allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, exact, partPattern } from '../../platform/db/criteria.ts';
import { maySend } from './along.ts';
import { windowsOf } from './blackouts.ts';
import { hasOf } from './drift/has-of.ts';
import { mayRevert } from './had-before.ts';
import { isStillFor } from './left.ts';
import { type Opens, opensNext } from './next-window.ts';
import { givesWay } from './replace.ts';
import type { RolloutKind, SubjectOf, TaskRow } from './task.ts';
import { why } from './why.ts';

export interface ResultCriteria {
  taskId?: number | undefined;
  sn?: string | undefined;
  state?: Exact<string> | undefined;
  reason?: Exact<string> | undefined;
}
export const resultSorts = { attention: 'r.attention', sn: 'r.sn' } as const;

export const resultConditions = (criteria: ResultCriteria) =>
  all(
    exact('r.task_id', criteria.taskId),
    criteria.sn === undefined ? undefined : sql<boolean>`r.sn like ${partPattern(criteria.sn.toUpperCase())}`,
    exact('r.state', criteria.state),
    exact('r.reason', criteria.reason),
  );

/** Devices of tasks, with what decides about their next step. */
export const resultsOf = (db: Db, kinds: readonly RolloutKind[]) =>
  db
    .selectFrom('rollout_result as r')
    .innerJoin('rollout_task as t', 't.id', 'r.task_id')
    .innerJoin('device as d', 'd.id', 'r.device_id')
    .innerJoin('org_dept as o', 'o.id', 'd.dept_id')
    .leftJoin('device_presence as p', 'p.device_id', 'd.id')
    .selectAll('r')
    .select([
      't.name as task_name',
      't.state as task_state',
      't.open_ring',
      't.ring_gate',
      't.dept_path as task_path',
      't.expires_at as task_expires_at',
      't.package_id as task_package_id',
      't.product_id as task_product_id',
      'd.name as device_name',
      'd.activated_at',
      'd.dept_path as device_path',
      'd.time_zone',
      't.expires_at as task_expires_at',
      'o.name as dept_name',
      'p.seen_at',
    ])
    .select([
      sql<Window | null>`nullif(t.delivery -> 'window', 'null')`.as('window'),
      sql<unknown>`case when r.kind = any(${kinds.flatMap(({ of, along }) => (along ? [of.kind] : []))}::text[]) then t.content end`.as(
        'carrying',
      ),
      sql<boolean>`coalesce(p.online, false)`.as('online'),
      sql<boolean>`r.state in ('4', '5', '7') and ${isStillFor('r')}`.as('goes'),
      sql<Date | null>`nullif(r.next_at, 'infinity')`.as('next_moment'),
      sql<boolean>`r.state = '1' and exists (select from rollout_result b where b.device_id = r.device_id and b.kind = r.kind and b.part = r.part and b.state = '2' and b.id <> r.id
        and not exists (select from rollout_task o where o.id = b.task_id and ${givesWay}))`.as('busy'),
      // What was set is known by its digest; a newer setting of the same is another task's to tell.
      sql<boolean>`t.content is not null and r.state in ('3', '6') and ${hasOf(kinds, { kind: sql`r.kind`, part: sql`t.subject`, taskId: sql`t.id` })} is distinct from r.version and not exists (
        select from rollout_result n join rollout_task nt on nt.id = n.task_id
        where n.device_id = r.device_id and n.kind = r.kind and n.id > r.id and n.state in ('3', '6') and nt.subject = t.subject)`.as(
        'differs',
      ),
    ]);
export type ResultRow = Awaited<ReturnType<ReturnType<typeof resultsOf>['execute']>>[number];

/** Within the time of its release, which is still for it. Also of what travels along. */
const mayRetry = (ctx: Pick<Ctx, 'actor' | 'now'>, kind: RolloutKind, row: ResultRow): boolean =>
  row.goes &&
  retriedIn.includes(row.task_state) &&
  (row.task_expires_at === null || row.task_expires_at > ctx.now()) &&
  maySend(
    ctx,
    kind,
    { package_id: row.task_package_id, product_id: row.task_product_id, content: row.carrying as SubjectOf['content'] },
    'retry',
  );

/** When terminals that have yet to install may do so: what their release says, without the closed dates of their organisations. */
export async function openingOf(db: Db, rows: readonly ResultRow[], now: Date): Promise<(row: ResultRow) => Opens | undefined> {
  const open = rows.filter(mayWait);
  if (open.length === 0) return () => undefined;
  const windowOf = await windowsOf(
    db,
    open.map((row) => row.device_path),
    now,
  );
  // Most of a page are of one release, and of few places.
  const known = new Map<string, Opens | undefined>();
  return (row) => {
    if (!mayWait(row)) return undefined;
    const { device_path, time_zone, task_expires_at: to } = row;
    const window = windowOf(device_path, row.window);
    const key = `${time_zone} ${to?.getTime()} ${JSON.stringify(window)}`;
    if (!known.has(key)) known.set(key, opensNext(window, time_zone, { from: now, to }));
    return known.get(key);
  };
}
const mayWait = ({ state, phase }: ResultRow) => state === '1' || (state === '2' && phase === 'waiting');

export function taskResult(
  ctx: Pick<Ctx, 'actor' | 'now' | 'scope'>,
  kind: RolloutKind,
  row: ResultRow,
  opens: Opens | undefined,
): z.input<typeof TaskResult> {
  const facts = {
    state: row.state,
    taskState: row.task_state,
    ring: row.ring,
    openRing: row.open_ring,
    gate: row.ring_gate,
    online: row.online,
    activated: row.activated_at !== null,
    lastSeenAt: row.seen_at,
    busy: row.busy,
    attempts: row.attempts,
    nextAt: row.next_moment,
    phase: row.phase,
    percent: row.percent,
    reason: row.reason,
    version: row.version,
    opens,
  };
  return {
    id: row.id,
    taskId: row.task_id,
    deviceId: row.device_id,
    sn: row.sn,
    deviceName: row.device_name,
    deptName: row.dept_name,
    state: row.state,
    online: row.online,
    ring: row.ring,
    fromVersion: row.from_version,
    version: row.version,
    differs: row.differs,
    phase: row.phase,
    percent: row.percent,
    reason: row.reason,
    message: row.message,
    attempts: row.attempts,
    sentAt: row.sent_at,
    endedAt: row.ended_at,
    why: why(facts, ctx.now()),
    ...allowing([
      ...(mayRetry(ctx, kind, row) ? allowedEvents(resultMachine, row.state, ctx.actor, { retry: taskPermission(kind.of, 'retry') }) : []),
      ...(mayRevert(ctx, kind.of, row.task_path, [row.state]) ? ['revert'] : []),
    ]),
  };
}

export async function attemptsOf(db: Db, kind: TaskKind, resultId: number) {
  const rows = await db
    .selectFrom('rollout_attempt as a')
    .innerJoin('rollout_result as r', 'r.id', 'a.result_id')
    .selectAll('a')
    .where('a.result_id', '=', resultId)
    .where('r.kind', '=', kind.kind)
    .orderBy('a.no', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => ({
    no: row.no,
    sentAt: row.sent_at,
    endedAt: row.ended_at,
    outcome: row.outcome,
    reason: row.reason,
    message: row.message,
    sha256: row.sha256,
    size: row.size,
    fullSize: row.full_size,
    late: row.late,
  }));
}

/** Ended results by minute as signed differences, for the curve: who is tried again has no end any more. The first 30 days by minute, what came later by day. */
export async function curveOf(db: Db, taskId: number) {
  const rows = await sql<{ at: Date; state: string; n: number }>`
    select case when m.at > s.first + interval '30 days' then date_trunc('day', m.at) else m.at end as at, m.state, sum(m.n)::int as n
    from rollout_minute m, (select min(at) as first from rollout_minute where task_id = ${taskId}) s
    where m.task_id = ${taskId} group by 1, 2 having sum(m.n) <> 0 order by 1`.execute(db);
  return rows.rows.map((row) => ({ at: row.at, state: row.state, count: row.n }));
}

/** What its curve is held against. */
export async function releaseBefore(db: Db, task: Pick<TaskRow, 'kind' | 'subject' | 'product_id' | 'task_class' | 'started_at'>) {
  if (task.started_at === null) return null;
  const { rows } = await sql<{ id: number; name: string; started_at: Date; total: number }>`
    select t.id, t.name, t.started_at, (select coalesce(sum(y.n), 0)::int from rollout_tally y where y.task_id = t.id) as total from rollout_task t
    where t.kind = ${task.kind} and t.subject = ${task.subject} and t.product_id is not distinct from ${task.product_id} and t.task_class = ${task.task_class}
      and t.started_at < ${task.started_at} order by t.started_at desc limit 1`.execute(db);
  const found = rows[0];
  return found ? { id: found.id, name: found.name, startedAt: found.started_at, total: found.total } : null;
}

export async function reasonsOf(db: Db, taskIds: readonly number[]) {
  const rows = await sql<{ reason: string; n: number }>`
    select coalesce(reason, 'unknown') as reason, count(*)::int as n from rollout_result where task_id = any(${taskIds}::bigint[]) and state in ('4', '5', '7') group by 1 order by n desc limit 50`.execute(
    db,
  );
  return rows.rows.map((row) => ({ reason: row.reason, count: row.n }));
}
