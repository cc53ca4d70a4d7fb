import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { firstAdministrator } from './modules/account/api.ts';
import { makeModules } from './modules/modules.ts';
import { type AppContext, createApp } from './platform/app-context.ts';
import { holdBroker } from './platform/broker-lock.ts';
import type { Config } from './platform/config/config.ts';
import { localCertificate } from './platform/config/local-certificate.ts';
import { openMasterKey } from './platform/config/open-master-key.ts';
import { followDatabaseClock } from './platform/database-clock.ts';
import { openPools } from './platform/db/pools.ts';
import { watchStore } from './platform/files/watch-store.ts';
import { createHttpServer } from './platform/http/http-server.ts';
import { startWorker } from './platform/jobs/worker.ts';
import { leastTls } from './platform/least-tls.ts';
import { Lifetime } from './platform/lifetime.ts';
import { startLiveHub } from './platform/live/live-hub.ts';
import type { Log } from './platform/log.ts';
import { seed, startSealer } from './platform/maintenance.ts';
import type { Service as Running } from './platform/module.ts';

export interface Started {
  readonly app: AppContext;
  readonly http: FastifyInstance | undefined;
  /** Makes the first administrator on an empty installation; the password is in this answer only, so ask when it can be shown. */
  firstAdministrator(): Promise<{ readonly account: string; readonly password: string } | undefined>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly consoleDir?: string | undefined;
  readonly now?: () => Date /** A certificate of the installation's own, where none is configured. */;
  readonly localTls?: boolean;
  /** Told whenever what the server leans on has answered. */
  readonly answers?: Log['answers'];
}

type End = () => Promise<void> | void;

async function tlsOf(config: Config, local: boolean | undefined) {
  if (config.TLS_CERT && config.TLS_KEY) return { cert: readFileSync(config.TLS_CERT, 'utf8'), key: readFileSync(config.TLS_KEY, 'utf8') };
  return local ? localCertificate(config.DATA_DIR, config.HOST) : undefined;
}

/** The services of one process on a migrated database. Stops in the reverse order of its start. */
export async function start(config: Config, databaseUrl: string, log: Logger, options: StartOptions = {}): Promise<Started> {
  leastTls();
  const life = new Lifetime();
  /** What starts and answers how it ends. */
  const run = (begin: () => Promise<End> | End) => life.begin(begin, (end) => end());
  try {
    const pools = await life.begin(
      () =>
        openPools(databaseUrl, {
          max: config.DATABASE_POOL,
          onError: (error) => log.warn({ error: error.message }, 'database connection lost'),
          onLockLost: (error) => log.warn({ error: error.message }, 'a lock of this process is not held; trying again'),
        }),
      (all) => all.end(),
    );
    const clock = options.now
      ? undefined
      : await life.begin(
          () => followDatabaseClock(pools.owner, log, () => options.answers?.('database')),
          (followed) => followed.stop(),
        );
    const app = createApp({
      config,
      pools,
      masterKey: await openMasterKey(pools.owner, config),
      log,
      now: options.now ?? clock?.now ?? (() => new Date()),
    });
    await run(() => watchStore(app, () => options.answers?.('object store')));
    await run(() => () => app.refusals.flush());
    const { modules, authenticator, refs } = makeModules(app);
    await seed(
      app,
      modules.flatMap((module) => module.seed ?? []),
    );
    const has = (service: Running['of']) => config.services.includes(service);
    if (has('gateway')) await life.begin(() => holdBroker(pools.locks, !config.MQTT_URL));
    for (const one of modules.flatMap((module) => module.services ?? []).filter(({ of }) => has(of))) await run(() => one.start(app));
    if (has('worker')) {
      const jobs = modules.flatMap((module) => module.jobs ?? []);
      await run(() => startWorker(app, authenticator, jobs));
      await run(() => startSealer(app));
    }
    let http: FastifyInstance | undefined;
    if (has('http')) {
      const hub = await life.begin(
        () => startLiveHub(app),
        (live) => live.stop(),
      );
      const consoleDir = options.consoleDir && existsSync(join(options.consoleDir, 'index.html')) ? options.consoleDir : undefined;
      const tls = await tlsOf(config, options.localTls);
      http = await life.begin(
        () =>
          createHttpServer({
            app,
            authenticator,
            refs,
            modules,
            hub,
            plugins: modules.flatMap((module) => module.plugins?.(app) ?? []),
            ...(tls ? { tls } : {}),
            ...(consoleDir ? { consoleDir } : {}),
          }),
        (server) => server.close(),
      );
    }
    return { app, http, firstAdministrator: () => app.unscoped(firstAdministrator), stop: () => life.end() };
  } catch (error) {
    await life.end();
    throw error;
  }
}
