import type pg from 'pg';
import type { AppContext } from '../app-context.ts';

export interface WorkersAlive {
  /** What this process locks its jobs by. */
  add(id: string): void;
  stop(): Promise<void>;
}

const LOCK = 7310;
const SWEEP_MS = 5000;
const AGAIN_MS = 1000;
/** A worker that has just begun has its lock a moment later. */
const YOUNG_SECONDS = 5;
const key = (id: string) => `hashtext(${id}) & 2147483647`;

const lockOf = (worker: string) => `select from pg_locks l where l.locktype = 'advisory'
  and l.database = (select oid from pg_database where datname = current_database()) and l.classid = ${LOCK} and l.objid = (${key(worker)})::oid`;

/** Jobs of workers that hold no lock any more. The job library itself waits four hours before it gives them to another. */
const free = `select graphile_worker.force_unlock_workers(array(
  select distinct j.locked_by from graphile_worker._private_jobs j
  where j.locked_by is not null and j.locked_at < now() - make_interval(secs => ${YOUNG_SECONDS}) and not exists (
    ${lockOf('j.locked_by')})))`;

/** Runs that a killed worker has left. */
const interrupt = `update job_run r set outcome = 'interrupted', ended_at = now()
  where r.outcome = 'running' and r.started_at < now() - make_interval(secs => ${YOUNG_SECONDS}) and not exists (${lockOf('r.worker')})`;

/**
 * Each worker holds a lock as long as its process lives, and each process looks for jobs whose worker holds none: it was killed. A process
 * that loses its connection loses its locks for a moment, and a job of it may run twice; jobs allow for that.
 */
export async function showWorkersAlive(app: AppContext): Promise<WorkersAlive> {
  const workers = new Set<string>();
  let client: pg.PoolClient | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let sweeping: Promise<unknown> = Promise.resolve();

  const warn = (error: unknown) => app.log.warn({ error: String(error) }, 'the lock of the jobs is not held; trying again');
  const hold = (on: pg.PoolClient, id: string) => on.query(`select pg_advisory_lock_shared(${LOCK}, ${key('$1')})`, [id]);
  const take = async () => {
    const taken = await app.pools.system.connect();
    taken.once('end', () => {
      if (client !== taken) return;
      client = undefined;
      taken.release(true);
      retake();
    });
    client = taken;
    for (const id of workers) await hold(taken, id);
  };
  const retake = () => {
    if (stopped) return;
    again = setTimeout(
      () =>
        void take().catch((error: unknown) => {
          warn(error);
          if (!client) retake();
        }),
      AGAIN_MS,
    );
  };
  const sweep = () => {
    sweeping = app.pools.owner
      .query(`${free}; ${interrupt}`)
      .catch(warn)
      .then(() => {
        if (!stopped) timer = setTimeout(sweep, SWEEP_MS);
      });
  };
  await take();
  sweep();
  return {
    add(id) {
      workers.add(id);
      if (client) hold(client, id).catch(warn);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(again);
      await sweeping;
      // Not back into the pool: the locks live as long as their connection.
      const held = client;
      client = undefined;
      held?.release(true);
    },
  };
}
