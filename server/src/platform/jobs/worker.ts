import { EventEmitter } from 'node:events';
import { fault } from '@mooring/contract/kit/fault';
import {
  Logger as JobLogger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  runOnce,
  type Task,
  type WorkerEvents,
} from 'graphile-worker';
import { z } from 'zod';
import { type AppContext, makeCtx } from '../app-context.ts';
import type { Actor } from '../context.ts';
import { isAway } from '../db/away.ts';
import { inTx } from '../db/lazy-tx.ts';
import type { Authenticator } from '../http/authenticator.ts';
import type { Job } from '../module.ts';
import { failBackgroundJobs } from '../work/work.ts';
import type { Envelope } from './enqueue.ts';
import { patientPool } from './patient-pool.ts';
import { queuedJobs } from './queued-jobs.ts';
import { recordRun } from './record-run.ts';
import { readSchedules } from './schedules.ts';
import { sharedListener } from './shared-listener.ts';
import { showWorkersAlive } from './workers-alive.ts';

/** The system itself, where no person asked. */
const system = { userId: 0, userName: 'system', deptId: 1, deptPath: '1.', permissions: new Set<string>(), sessionId: undefined };

function bounded(actor: Actor | undefined, by: NonNullable<Envelope['by']>): Actor | undefined {
  const { apiToken, permissions } = by;
  if (!actor || !apiToken) return actor;
  return { ...actor, apiToken, permissions: new Set(permissions?.filter((one) => actor.permissions.has(one))) };
}

/** Who asked for a job, as they may act now. The department may have moved since; whether they may still act there is asked anew. */
async function actingNow(
  authenticator: Authenticator,
  by: Envelope['by'],
): Promise<{ actor: Actor | undefined; path: string | undefined }> {
  if (!by) return { actor: system, path: '1.' };
  const actor = bounded(await authenticator.actorOf(by.userId, by.scope.platform), by);
  return { actor, path: actor && (await authenticator.reachOf(by.userId, by.scope.deptId)) };
}

const OfWork = z.object({ work: z.int() });
/** Its owner reads what became of it, and it no longer counts to what they may have open. */
async function dropWork(app: AppContext, job: Job, payload: unknown): Promise<void> {
  const of = queuedJobs[job.name]?.bound === 'work' ? OfWork.safeParse(payload) : undefined;
  if (of?.success) await failBackgroundJobs(app, [of.data.work], 'WORK_DROPPED');
}

function taskOf(app: AppContext, authenticator: Authenticator, job: Job): Task {
  return async (raw, helpers) => {
    const { payload, by, asked } = (raw ?? {}) as Partial<Envelope>;
    const { actor, path } = await actingNow(authenticator, by);
    if (!actor || path === undefined) {
      app.log.warn({ job: job.name, by }, 'job dropped: its author may no longer act there');
      await dropWork(app, job, payload);
      return;
    }
    const scope = by ? { ...by.scope, path } : { platform: 'centre' as const, deptId: 1, path };
    const permissionsNow = async () => {
      const now = await actingNow(authenticator, by);
      return now.path === path ? (now.actor?.permissions ?? new Set<string>()) : new Set<string>();
    };
    const [lang, timeZone] = [by?.lang ?? 'en', by?.timeZone ?? 'UTC'];
    const acting = { actor, scope, lang, timeZone, requestId: `job-${helpers.job.id}`, ip: '', permissionsNow };
    const parsed = job.payload.safeParse(payload ?? {});
    if (!parsed.success) throw fault('BAD_INPUT');
    // The transaction begins with the first query on `ctx.db`; a job that takes short ones of its own holds none.
    const run = () => inTx(app.pools.app, scope.path, (db) => job.run(makeCtx(app, acting, db), parsed.data));
    if (!job.every) return run();
    await recordRun(app, { name: job.name, worker: helpers.job.locked_by ?? '', asked }, run).catch((error: unknown) => {
      // Its next time does it: one that lies failed in the queue would lie there for ever.
      if (asked !== undefined || !isAway(error)) throw error;
      app.log.warn({ job: job.name, error: String(error) }, 'a recurring job waits for its next time');
    });
  };
}

const quiet = (app: AppContext) =>
  new JobLogger(() => (level, message) => {
    if (level === 'error') app.log.error({ jobs: true }, message);
    else if (level === 'warning') app.log.warn({ jobs: true }, message);
  });

/** At once: one that is slow doesn't hold up all the others. */
const ASKING = 3;

const options = (app: AppContext, authenticator: Authenticator, jobs: readonly Job[], pool = app.pools.owner) => ({
  pgPool: patientPool(pool),
  taskList: Object.fromEntries(jobs.map((job) => [job.name, taskOf(app, authenticator, job)])),
  logger: quiet(app),
});

/**
 * Runs jobs until stopped; a job that is running is waited for. What somebody waits for at a door has one runner that nothing else occupies. What
 * can wait has one of its own, and no other, and so have files of many rows: it may take hours, and keeps nothing from its turn, nor does anything keep it.
 * What asks other machines waits for them among its like.
 */
export async function startWorker(app: AppContext, authenticator: Authenticator, jobs: readonly Job[]): Promise<() => Promise<void>> {
  const alive = showWorkersAlive(app);
  const schedules = await readSchedules(app, jobs);
  const pool = sharedListener(app.pools.owner);
  const start = async (its: readonly Job[], concurrency: number, parsedCronItems: ReturnType<typeof parseCronItems>): Promise<Runner> => {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => alive.add(workerPool.id));
    const runner = await run({
      ...options(app, authenticator, its, pool),
      events,
      concurrency,
      noHandleSignals: true,
      pollInterval: 2000,
      parsedCronItems,
    });
    runner.promise.catch((error: unknown) => app.log.error({ error }, 'worker stopped'));
    return runner;
  };
  const turnOf = ({ name }: Job) => queuedJobs[name]?.turn;
  const runners = [
    await start(
      jobs.filter((one) => !['asking', 'file', 'late'].includes(turnOf(one) ?? '')),
      2,
      parseCronItems([...schedules.items]),
    ),
  ];
  for (const turn of ['door', 'asking', 'file', 'late'] as const) {
    const its = jobs.filter((one) => turnOf(one) === turn);
    if (its.length > 0) runners.push(await start(its, turn === 'asking' ? ASKING : 1, []));
  }
  return async () => {
    schedules.stop();
    await Promise.all(runners.map((runner) => runner.stop()));
    await alive.stop();
  };
}

/** Runs what is queued now, then returns; for tests. */
export const runJobs = (app: AppContext, authenticator: Authenticator, jobs: readonly Job[]): Promise<void> =>
  runOnce(options(app, authenticator, jobs));

export const migrateJobs = (connectionString: string): Promise<void> => runMigrations({ connectionString });
