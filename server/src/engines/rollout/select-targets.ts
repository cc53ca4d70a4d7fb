import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { goingBack } from './had-before.ts';
import { type Aim, canDo, lookingAgain, matching, statesOf } from './match.ts';
import { ringBounds, ringOf } from './ring-of.ts';
import type { RolloutKind, SubjectOf, Task } from './task.ts';

// Each batch adds a sum for each organisation, of which there may be ten thousand.
const BATCH = 100_000;

/** What a task is for, by what it says. */
export async function aimOf(
  db: Db,
  kind: RolloutKind,
  task: SubjectOf & Pick<Task, 'dept_path' | 'scope' | 'delivery'>,
  states: readonly string[],
): Promise<Aim> {
  const subject = await kind.subjectOf(db, task);
  const fits = kind.fits?.(subject) ?? sql<boolean>`true`;
  const onwards = kind.ordered === true && !task.delivery.allowDowngrade;
  const { scope } = task;
  const runs = kind.runs?.(subject) ?? kind.current(subject);
  const by = scope.releaseScope === '1' ? scope.updatedBy : null;
  return {
    subject,
    part: kind.bySubject ? subject.name : '',
    current: kind.current(subject),
    runs,
    back: by?.had === undefined ? undefined : await goingBack(db, kind, { taskId: by.taskId, had: by.had, subject: subject.name, runs }),
    fits,
    withheld: kind.withheld?.(subject) ?? [],
    able: canDo(kind.of, subject),
    onwards,
    isNewer: subject.version === null ? undefined : kind.isNewer?.(subject),
    deptPath: task.dept_path,
    scope,
    states,
  };
}

interface Taking {
  readonly part: string;
  readonly runs: RawBuilder<string | null>;
  readonly ring: RawBuilder<number>;
  readonly from: RawBuilder<unknown>;
  readonly now: Date;
}

/** Takes devices (`d` of what it is given) into a task; each is there once. */
export const takingIn = (task: Task, { part, runs, ring, from, now }: Taking): RawBuilder<unknown> => sql`
    insert into rollout_result (task_id, kind, part, device_id, sn, ring, next_at, tries_left, from_version, changed_at, dept_path)
    select ${task.id}, ${task.kind}, ${part}, d.id, d.sn, ${ring}, case when d.status = '3' then ${now}::timestamptz else 'infinity' end,
      ${task.delivery.retries}, ${runs}, ${now}::timestamptz, d.dept_path from ${from}
    on conflict (task_id, device_id) do nothing`;

/** Results `r` of a task that don't outlast its being gathered anew: of rings that weren't open, as long as nothing has gone out. */
export const leaving = ({ started_at, open_ring }: Pick<Task, 'started_at' | 'open_ring'>): RawBuilder<boolean> =>
  started_at === null ? sql<boolean>`true` : sql<boolean>`(r.ring > ${open_ring} and r.state in ('1', '8') and r.attempts = 0)`;

/** Devices `d` that aren't in a task yet, or are among its results `r` that leave. */
export const notIn = ({ id }: Pick<Task, 'id'>, leave = sql<boolean>`false`): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from rollout_result r where r.task_id = ${id} and r.device_id = d.id and not ${leave})`;

/** Rings of those whom a gathering finds `among` the ones that aren't in the task yet: what is shown before it is what it does. */
export async function drawRings(db: Db, task: Task, aim: Aim, among: RawBuilder<boolean>) {
  const { rings } = task.delivery;
  const isUnderWay = task.gathered_at === null && task.gathered_to !== 0;
  const bounds = isUnderWay ? task.ring_bounds : await ringBounds(db, aim, rings, among);
  return { bounds, ring: await ringOf(db, rings, bounds) };
}

/** Freezes the devices of an enabled task, a batch a transaction; a process that dies in between goes on where it stopped. */
export async function selectTargets(db: Db, app: AppContext, kind: RolloutKind, task: Task): Promise<void> {
  const aim = lookingAgain(await aimOf(db, kind, task, statesOf(task.task_class)), task);
  const { bounds, ring } = await drawRings(db, task, aim, notIn(task));
  const condition = await matching(db, aim);
  const found = await sql<{ n: number; last: number | null }>`
    with batch as (
      select d.id, d.sn, d.dept_path, ${aim.runs} as runs, d.status, ${ring} as ring from device d where d.id > ${task.gathered_to} and ${condition} order by d.id limit ${BATCH}
    ), added as (
      ${takingIn(task, { part: aim.part, runs: sql`d.runs`, ring: sql`d.ring`, from: sql`batch d`, now: app.now() })}
    )
    select count(*)::int as n, max(id) as last from batch`.execute(db);
  const { n, last } = found.rows[0] ?? { n: 0, last: null };
  const isAll = n < BATCH;
  await db
    .updateTable('rollout_task')
    .set({ ring_bounds: bounds, gathered_to: last ?? task.gathered_to, ...(isAll ? { gathered_at: app.now() } : {}) })
    .where('id', '=', task.id)
    .execute();
}
