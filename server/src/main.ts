import { join } from 'node:path';
import { pino } from 'pino';
import { startDemo } from './demo/start-demo.ts';
import { type Config, readConfig } from './platform/config/config.ts';
import { acquireDataDir } from './platform/data-dir.ts';
import { prepareDatabase } from './platform/db/prepare.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/start-embedded-postgres.ts';
import { letGoOfStart } from './platform/let-go.ts';
import { portTaken } from './platform/port-owner.ts';
import { start } from './start.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);
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

/** A wrong setting or a folder in use is said in a sentence, not as a stack. */
function orRefuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

async function main(): Promise<void> {
  const read = orRefuse(() => readConfig(process.env, process.argv.slice(2)));
  const log = pino(
    { level: read.LOG_LEVEL === 'info' && process.stdout.isTTY ? 'warn' : read.LOG_LEVEL },
    pino.destination({ dest: 2, sync: false }),
  );
  const dataDir = orRefuse(() => acquireDataDir(read.DATA_DIR));
  const config: Config = { ...read, DATA_DIR: dataDir.path };
  const stops: (() => Promise<void> | void)[] = [() => dataDir.release()];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      for (const one of stops.reverse()) await one();
    })();
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      say('Stopping …');
      stop().then(
        () => process.exit(0),
        (error: unknown) => refuse(String(error)),
      );
    });
  }
  try {
    const database = config.DATABASE_URL
      ? undefined
      : await startEmbeddedPostgres({ dataDir: dataDir.path, log: (message) => log.warn(message) });
    if (database) stops.push(() => database.stop());
    const url = database?.url ?? config.DATABASE_URL ?? '';
    await prepareDatabase(url);
    const needsLocal = config.services.includes('http') && !isLoopback(config.HOST) && !config.TLS_CERT && !config.TRUST_PROXY;
    const started = await start(config, url, log, { consoleDir: join(import.meta.dirname, '../../web/dist'), localTls: needsLocal });
    stops.push(() => started.stop());
    if (started.app) {
      await started.app.listen({ host: config.HOST, port: config.PORT });
      const tls = Boolean(config.TLS_CERT) || needsLocal;
      say(`Mooring is ready: ${address(config, tls)}`);
      if (needsLocal)
        say(
          '  It uses a certificate of its own, which browsers warn about. Set TLS_CERT and TLS_KEY, or put a proxy in front and set TRUST_PROXY=1.',
        );
    }
    const administrator = await started.firstAdministrator();
    if (administrator) {
      say(`  First sign-in: ${administrator.account} / ${administrator.password}`);
      say('  This password is shown once, and must be changed at the first sign-in.');
    }
    letGoOfStart();
    if (config.demo) stops.push(await startDemo(started.house, address(config, Boolean(config.TLS_CERT) || needsLocal), say));
  } catch (error) {
    const taken = (error as { code?: string; port?: number }).code === 'EADDRINUSE' ? (error as { port?: number }).port : undefined;
    const message =
      taken !== undefined ? portTaken(taken, settingOf(config, taken)) : error instanceof Error ? error.message : String(error);
    log.debug({ err: error }, 'start failed');
    await stop().catch(() => {});
    refuse(message);
  }
}

await main();
