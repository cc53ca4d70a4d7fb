import { join } from 'node:path';
import { pino } from 'pino';
import { startDemo } from './demo/start-demo.ts';
import { beginTip } from './platform/audit/seal-tip.ts';
import { type Config, readConfig } from './platform/config/config.ts';
import { acquireDataDir } from './platform/data-dir.ts';
import { prepareDatabase } from './platform/db/prepare.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/start-embedded-postgres.ts';
import { Ended, Lifetime } from './platform/lifetime.ts';
import { type Log, makeLog } from './platform/log.ts';
import { portTaken } from './platform/port-owner.ts';
import { setV8Flags } from './platform/v8-flags.ts';
import { start } from './start.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);
// Who read it may be gone (`| head`): that is no reason to end, least of all in the middle of an end.
process.stdout.on('error', () => {});
const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/.test(host);

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function address(config: Config, tls: boolean): string {
  if (config.PUBLIC_URL) return config.PUBLIC_URL;
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? 'localhost' : config.HOST;
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${config.PORT}`;
}

const settingOf = (config: Config, port: number) =>
  port === config.MQTT_PORT ? 'MQTT_PORT' : port === config.MQTT_TLS_PORT ? 'MQTT_TLS_PORT' : 'PORT';

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A wrong setting is said in a sentence, not as a stack. */
function settingsOrRefuse(): Config {
  try {
    return readConfig(process.env, process.argv.slice(2));
  } catch (error) {
    return refuse(messageOf(error));
  }
}

async function main(): Promise<void> {
  const read = settingsOrRefuse();
  const said = makeLog(
    read.LOG_LEVEL === 'info' && process.stdout.isTTY ? 'warn' : read.LOG_LEVEL,
    pino.destination({ dest: 2, sync: false }),
  );
  const { log } = said;
  const life = new Lifetime();
  let isTold = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Told twice where a whole group of processes is: its own signal, and the one that the launcher passes on. It ends in order all the same.
    process.on(signal, () => {
      if (isTold) return;
      isTold = true;
      print('Stopping …');
      life.end().then(
        () => process.exit(0),
        (error: unknown) => refuse(String(error)),
      );
    });
  }
  try {
    await run(read, said, life);
  } catch (error) {
    // A signal came in the middle of the start; whoever took it ends the process.
    if (error instanceof Ended) return;
    const { code, port } = error as { code?: string; port?: number };
    log.debug({ err: error }, 'start failed');
    await life.end().catch(() => {});
    refuse(code === 'EADDRINUSE' && port !== undefined ? portTaken(port, settingOf(read, port)) : messageOf(error));
  }
}

async function run(read: Config, { log, answers }: Log, life: Lifetime): Promise<void> {
  const dataDir = await life.begin(
    () => acquireDataDir(read.DATA_DIR),
    (made) => made.release(),
  );
  if (dataDir.isFresh) beginTip(dataDir.path);
  const config: Config = { ...read, DATA_DIR: dataDir.path };
  const url =
    config.DATABASE_URL ??
    (
      await life.begin(
        () => startEmbeddedPostgres({ dataDir: dataDir.path, log: (message) => log.warn(message) }),
        (made) => made.stop(),
      )
    ).url;
  await life.begin(() => prepareDatabase(url));
  const needsLocal = config.services.includes('http') && !isLoopback(config.HOST) && !config.TLS_CERT && !config.TRUST_PROXY;
  const home = address(config, Boolean(config.TLS_CERT) || needsLocal);
  const started = await life.begin(
    () => start(config, url, log, { consoleDir: join(import.meta.dirname, '../../web/dist'), localTls: needsLocal, answers }),
    (made) => made.stop(),
  );
  const { http } = started;
  if (http) {
    await life.begin(() => http.listen({ host: config.HOST, port: config.PORT }));
    print(`Mooring is ready: ${home}`);
    if (needsLocal)
      print(
        '  It uses a certificate of its own, which browsers warn about. Set TLS_CERT and TLS_KEY, or put a proxy in front and set TRUST_PROXY=1.',
      );
  }
  const administrator = await life.begin(() => started.firstAdministrator());
  if (administrator) {
    print(`  First sign-in: ${administrator.account} / ${administrator.password}`);
    print('  This password is shown once, and must be changed at the first sign-in.');
  }
  setV8Flags();
  if (config.demo)
    await life.begin(
      () => startDemo(started.app, home, print),
      (stop) => stop(),
    );
}

await main();
