import type { AppContext } from '../app-context.ts';

export interface WorkersAlive {
  /** What this process locks its jobs by. */
  add(id: string): void;
  stop(): Promise<void>;
}

const LOCK = 7310;
const SWEEP_MS = 5000;
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
export function showWorkersAlive({ pools, log }: AppContext): WorkersAlive {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const warn = (error: unknown) => log.warn({ error: String(error) }, 'jobs of workers that were killed are not looked for');
  let sweeping: Promise<unknown> = Promise.resolve();
  const sweep = () => {
    sweeping = pools.owner
      .query(`${free}; ${interrupt}`)
      .catch(warn)
      .then(() => {
        if (!stopped) timer = setTimeout(sweep, SWEEP_MS);
      });
  };
  sweep();
  return {
    add(id) {
      pools.locks.keep((session) => session.query(`select pg_advisory_lock_shared(${LOCK}, ${key('$1')})`, [id]));
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}
