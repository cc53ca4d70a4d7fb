import { migrate } from '@mooring/database/migrate';
import { migrateJobs } from '../jobs/worker.ts';

/** Brings a database to this version: our tables, and the job library's own. Several processes may call it at once. */
export async function prepareDatabase(url: string): Promise<void> {
  await migrate(url);
  await migrateJobs(url);
}
