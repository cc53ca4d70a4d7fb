import { readConfig } from '@mooring/server/platform/config/config';
import { acquireDataDir, dataDirHolder } from '@mooring/server/platform/data-dir';
import { runningDatabaseUrl, startEmbeddedPostgres } from '@mooring/server/platform/embedded-postgres/start-embedded-postgres';

export interface Installation {
  readonly url: string;
  readonly dataDir: string;
  /** Rows name files that lie in an outside store, or secrets are sealed with a key that is not in the data folder. */
  readonly elsewhere: readonly string[];
}

/** The installation that the environment names, its database running for as long as the work needs it. */
export async function withInstallation<T>(options: { mayRun: boolean }, work: (installation: Installation) => Promise<T>): Promise<T> {
  const config = readConfig(process.env, []);
  const elsewhere = [...(config.S3_ENDPOINT ? [`the files in ${config.S3_ENDPOINT}`] : []), ...(config.MASTER_KEY ? ['MASTER_KEY'] : [])];
  const holder = dataDirHolder(config.DATA_DIR);
  if (holder && options.mayRun) {
    const url = config.DATABASE_URL ?? runningDatabaseUrl(config.DATA_DIR);
    if (!url) throw new Error(`Process ${holder} holds ${config.DATA_DIR}, and its database does not run.`);
    return work({ url, dataDir: config.DATA_DIR, elsewhere });
  }
  const dir = acquireDataDir(config.DATA_DIR);
  try {
    if (config.DATABASE_URL) return await work({ url: config.DATABASE_URL, dataDir: dir.path, elsewhere });
    const database = await startEmbeddedPostgres({ dataDir: dir.path, log: (message) => console.error(message) });
    try {
      return await work({ url: database.url, dataDir: dir.path, elsewhere });
    } finally {
      await database.stop();
    }
  } finally {
    dir.release();
  }
}

/** For a command whose failures are messages for a person. */
export async function orSay(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
