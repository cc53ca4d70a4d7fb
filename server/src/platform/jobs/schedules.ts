import { type CronItem, parseCronItem } from 'graphile-worker';
import type { AppContext } from '../app-context.ts';
import type { Job } from '../module.ts';

type Match = Exclude<CronItem['match'], string>;
interface Set {
  readonly name: string;
  readonly state: string;
  readonly cron: string | null;
}

const READ_MS = 15_000;
const PAUSED = '0';

/** A cron line as the worker understands it; throws where it can't be read. */
const matchOf = (name: string, cron: string): Match => parseCronItem({ task: name, match: cron }).match;

export interface Schedules {
  readonly items: readonly CronItem[];
  stop(): void;
}

/** When recurring jobs run: as people have set them, read again and again, else as they were made. A paused one doesn't come by itself. */
export async function readSchedules(app: AppContext, jobs: readonly Job[]): Promise<Schedules> {
  const recurring = jobs.flatMap(({ name, every }) => (every ? [{ name, usual: matchOf(name, every) }] : []));
  let set = new Map<string, { readonly state: string; readonly match: Match | undefined }>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const read = async () => {
    const rows: readonly Set[] = await app.unscoped((db) => db.selectFrom('job_schedule').select(['name', 'state', 'cron']).execute());
    set = new Map(rows.map(({ name, state, cron }) => [name, { state, match: cron === null ? undefined : matchOf(name, cron) }]));
  };
  const again = () => {
    if (!isStopped) timer = setTimeout(() => void read().catch(warn).finally(again), READ_MS);
  };
  const warn = (error: unknown) => app.log.warn({ error: String(error) }, 'schedules of jobs could not be read; they stay as they were');
  await read();
  again();
  return {
    items: recurring.map(({ name, usual }) => ({
      task: name,
      options: { maxAttempts: 1 },
      match: (digest) => {
        const one = set.get(name);
        return one?.state !== PAUSED && (one?.match ?? usual)(digest);
      },
    })),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
