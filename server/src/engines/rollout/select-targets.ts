import { taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { closeResults } from './close.ts';
import { type Aim, canDo, matching, statesOf } from './match.ts';
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
  return {
    subject,
    current: kind.current(subject),
    fits,
    able: canDo(kind.of),
    onwards,
    deptPath: task.dept_path,
    scope: task.scope,
    states,
  };
}

/** Takes devices (`d` of what it is given) into a task; each is there once. */
export async function takingIn(
  db: Db,
  task: Task,
  current: RawBuilder<string | null>,
  from: RawBuilder<unknown>,
  now: Date,
): Promise<RawBuilder<unknown>> {
  return sql`
    insert into rollout_result (task_id, kind, device_id, sn, ring, next_at, tries_left, from_version, dept_path)
    select ${task.id}, ${task.kind}, d.id, d.sn, ${await ringOf(db, task.delivery.rings, task.ring_bounds)}, case when d.status = '3' then ${now}::timestamptz else 'infinity' end,
      ${task.delivery.retries}, ${current}, d.dept_path from ${from}
    on conflict (task_id, device_id) do nothing`;
}

/** Shares are drawn once, of those that are there when the first devices are taken in: of another choice of devices anew, as long as nothing has gone out. */
async function sharedOut(db: Db, task: Task, aim: Aim): Promise<Task> {
  if (task.gathered_to !== 0 || task.started_at !== null) return task;
  const ring_bounds = await ringBounds(db, aim, task.delivery.rings);
  await db.updateTable('rollout_task').set({ ring_bounds }).where('id', '=', task.id).execute();
  return { ...task, ring_bounds };
}

/** Freezes the devices of an enabled task, a batch a transaction; a process that dies in between goes on where it stopped. */
export async function selectTargets(db: Db, app: AppContext, kind: RolloutKind, asked: Task): Promise<void> {
  const aim = await aimOf(db, kind, asked, statesOf(asked.task_class));
  const task = await sharedOut(db, asked, aim);
  const condition = await matching(db, aim);
  const found = await sql<{ n: number; last: number | null }>`
    with batch as (
      select d.id, d.sn, d.dept_path, ${aim.current} as current, d.status, d.tags from device d where d.id > ${task.gathered_to} and ${condition} order by d.id limit ${BATCH}
    ), added as (
      ${await takingIn(db, task, sql`d.current`, sql`batch d`, app.now())}
    )
    select count(*)::int as n, max(id) as last from batch`.execute(db);
  const { n, last } = found.rows[0] ?? { n: 0, last: null };
  const isAll = n < BATCH;
  await db
    .updateTable('rollout_task')
    .set({ gathered_to: last ?? task.gathered_to, ...(isAll ? { gathered_at: app.now() } : {}) })
    .where('id', '=', task.id)
    .execute();
  if (task.delivery.onBusy === 'replace' && task.task_class === taskClasses.daily && last !== null) {
    await closeResults(
      db,
      app,
      sql<boolean>`task_id <> ${task.id} and kind = ${task.kind} and device_id in (select device_id from rollout_result where task_id = ${task.id} and device_id > ${task.gathered_to})
        and task_id in (select id from rollout_task where kind = ${task.kind} and subject = ${task.subject} and state in ('scheduled', 'running', 'paused', 'halted'))`,
      'cancel',
      'replaced',
      BATCH,
    );
  }
}
