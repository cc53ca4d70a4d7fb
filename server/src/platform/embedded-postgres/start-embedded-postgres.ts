import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { databaseAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { type Cluster, clusterFolder, openCluster, ownName, readPassword } from './cluster.ts';
import { choosePlace, type Place, prepareDatabase, socketFolder, urlOf } from './connection.ts';
import { currentLog } from './current-log.ts';
import { endLeftovers, runningPostmaster, stopOrphan } from './orphan.ts';
import { asArguments, serverSettings } from './settings.ts';

export interface EmbeddedPostgresOptions {
  /** Absolute; held by this process (`acquireDataDir`). */
  readonly dataDir: string;
  /** Listens on this loopback port as well as on its socket. */
  readonly port?: number;
  /** False for tests: faster, and a crash of the machine may lose everything. */
  readonly durable?: boolean;
  log(message: string): void;
}

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the database of this data folder, made on the first start, and keeps it running until stopped. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, durable = true, log } = options;
  const account = databaseAccount(clusterFolder(dataDir));
  const binaries = findBinaries(account, dataDir);
  const orphan = await stopOrphan(clusterFolder(dataDir));
  if (orphan) log(`stopped the database (process ${orphan}) that a killed server had left running`);
  const cluster = await openCluster(dataDir, account, binaries, durable);
  const place = await choosePlace(cluster, options.port);
  const start = () => startServer(cluster, place, dataDir, durable, log);

  let server = await start();
  let stopping = false;
  const guard = async () => {
    for (;;) {
      await exited(server);
      if (stopping) return;
      log('the database ended unexpectedly; starting it again');
      // A full disk or too little memory may pass.
      server = await start().catch(async (error: Error) => {
        log(`the database does not start again: ${error.message}`);
        await setTimeout(stopping ? 0 : 2000);
        return server;
      });
      // Asked to stop meanwhile, when there was nothing to stop.
      if (stopping) server.kill('SIGINT');
    }
  };
  const guarded = guard();
  return {
    url: urlOf(place, cluster.password),
    async stop() {
      stopping = true;
      // Fast: ends sessions, writes everything out.
      server.kill('SIGINT');
      await guarded;
    },
  };
}

/** The address of a database that another process runs on this data folder. */
export function runningDatabaseUrl(dataDir: string): string | undefined {
  const folder = clusterFolder(dataDir);
  if (!runningPostmaster(folder)) return undefined;
  const port = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[3]);
  const host = process.platform === 'win32' ? '127.0.0.1' : socketFolder({ folder, account: databaseAccount(folder) });
  return urlOf({ host, port }, readPassword(dataDir));
}

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
const exited = (child: ChildProcess) =>
  new Promise<void>((resolve) => (hasExited(child) ? resolve() : child.once('exit', () => resolve())));

/** After a postmaster's violent end its backends need a moment before another may take the shared memory; who needs more is ended by force. */
const [PATIENCE, MOST] = [25, 50];
const retryable = /pre-existing shared memory block|lock file "postmaster.pid" already exists|is still in use/;

async function startServer(
  cluster: Cluster,
  place: Place,
  dataDir: string,
  durable: boolean,
  log: (message: string) => void,
): Promise<ChildProcess> {
  for (let tries = 1; ; tries += 1) {
    const said = join(dataDir, 'postgres-start.log');
    const server = spawnServer(cluster, place, durable, said);
    if (await isReady(server, place, cluster.password, log)) return server;
    const reason = lastWords(cluster.folder, said);
    if (tries === MOST || !retryable.test(reason)) throw new Error(`The embedded database did not start:\n${reason}`);
    if (tries === PATIENCE)
      for (const pid of endLeftovers(cluster.folder)) log(`ended process ${pid}, which a database that is gone had left`);
    await setTimeout(200);
  }
}

/** What the server said before it ended: at first on its output, later in the log that it keeps. */
function lastWords(folder: string, said: string): string {
  const early = readFileSync(said, 'utf8').trim();
  const later = currentLog(folder);
  return later ? `${early}\n${later.split('\n').slice(-8).join('\n')}` : early;
}

function spawnServer(cluster: Cluster, place: Place, durable: boolean, said: string): ChildProcess {
  const output = openSync(said, 'w', 0o600);
  try {
    return spawn(cluster.binaries.postgres, ['-D', ownName(cluster), ...place.arguments, ...asArguments(serverSettings(durable))], {
      ...cluster.account,
      cwd: cluster.folder,
      env: { PATH: process.env.PATH, TZ: 'UTC' },
      stdio: ['ignore', output, output],
      // A group of its own: Ctrl+C reaches the server first, which stops its database last.
      detached: true,
    });
  } finally {
    closeSync(output);
  }
}

/** Ready when a query answers. Recovery after a crash may take minutes, so only the process's end is a failure. */
async function isReady(server: ChildProcess, place: Place, password: string, log: (message: string) => void): Promise<boolean> {
  let failed: Error | undefined;
  server.once('error', (error) => {
    failed = error;
  });
  const begun = performance.now();
  let told = begun;
  for (;;) {
    if (failed) throw failed;
    if (hasExited(server)) return false;
    if (await prepareDatabase(place, password)) return true;
    if (performance.now() - told > 10_000) {
      told = performance.now();
      log(`the database recovers after a crash, ${Math.round((told - begun) / 1000)} s so far`);
    }
    await setTimeout(15);
  }
}
