import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPrograms } from '@mooring/apk/programs.factory';
import type { MqttClient } from 'mqtt';
import { pino } from 'pino';
import { startedDatabase } from '../../../test/database.ts';
import { type AppContext, createApp } from '../../platform/app-context.ts';
import { readConfig } from '../../platform/config/config.ts';
import { loadMasterKey } from '../../platform/config/master-key.ts';
import type { Db } from '../../platform/context.ts';
import { openPools } from '../../platform/db/pools.ts';
import { freePort } from '../../platform/free-port.ts';
import { type Started, start } from '../../start.ts';
import { makeEnrolCode } from './make-enrol-code.ts';
import { writeBrokerFiles } from './write-broker-files.ts';

export { missingPrograms };

export interface TestStack {
  readonly app: AppContext;
  readonly server: string;
  readonly mqttPort: number;
  readonly mqttTlsPort: number;
  readonly dataDir: string;
  /** Stops the server and starts it again on the same data and ports. */
  /** What happens meanwhile has no server. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** A second process on the same database and broker. Answers its stop. */
  second(): Promise<() => Promise<void>>;
  /** The outside broker, where there is one. */
  readonly broker: OutsideBroker | undefined;
  stop(): Promise<void>;
}
export interface OutsideBroker {
  readonly folder: string;
  /** Ends the broker without a word, and starts it again. */
  kill(): Promise<void>;
}
type BrokerKind = 'embedded' | 'threaded' | 'mosquitto';

/** Our own, in the server's thread as for a small fleet and in one of its own as for a large one. */
export const ownBrokers: readonly BrokerKind[] = ['embedded', 'threaded'];
/** The brokers that the device tests run against: ours always, Mosquitto where it is installed. */
export const brokers: readonly BrokerKind[] = missingPrograms('mosquitto').length === 0 ? [...ownBrokers, 'mosquitto'] : ownBrokers;
if (!brokers.includes('mosquitto'))
  process.stderr.write('skipped: mosquitto is not installed here: the device tests run against the embedded broker alone\n');

/** Waits until a client is connected, or refused. */
export const joined = (client: MqttClient): Promise<MqttClient> =>
  new Promise((resolve, reject) => {
    client.once('connect', () => resolve(client));
    client.once('error', reject);
  });

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

async function startMosquitto(folder: string, port: number): Promise<ChildProcess> {
  const child = spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  writeFileSync(join(folder, 'pid'), String(child.pid));
  await until(() => answers(port));
  return child;
}

async function mosquitto(app: AppContext, ports: { port: number; serverPort: number }): Promise<OutsideBroker & { stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-broker-'));
  const options = { folder, host: '127.0.0.1', port: ports.port, serverHost: '127.0.0.1', serverPort: ports.serverPort };
  await writeBrokerFiles(app, options);
  // Under root mosquitto becomes a user of its own, who has to read the keys.
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'broker.key'), 0o644);
  let child = await startMosquitto(folder, ports.port);
  const end = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return {
    folder,
    async kill() {
      await end();
      child = await startMosquitto(folder, ports.port);
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The whole server on a database of its own. */
export async function testStack(env: Record<string, string> = {}, kind: BrokerKind = 'embedded'): Promise<TestStack> {
  const database = await startedDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const [port, mqttPort, mqttTlsPort] = [await freePort(), await freePort(), await freePort()];
  const log = pino({ level: process.env.BENCH_LOG ?? 'silent' });
  const base = {
    PORT: String(port),
    MQTT_PORT: String(mqttPort),
    MQTT_TLS_PORT: String(mqttTlsPort),
    DATA_DIR: dataDir,
    DATABASE_POOL: '4',
    MQTT_THREAD: kind === 'threaded' ? '1' : '0',
  };
  const services = ['--services=http,gateway,broker'];
  let running: Started;
  let broker: Awaited<ReturnType<typeof mosquitto>> | undefined;
  let outside: Record<string, string> = {};
  if (kind === 'mosquitto') {
    const config = readConfig(base, services);
    const pools = openPools(database.url, { max: 2 });
    broker = await mosquitto(createApp({ config, pools, masterKey: loadMasterKey(undefined, dataDir), log }), {
      port: mqttTlsPort,
      serverPort: mqttPort,
    });
    await pools.end();
    outside = {
      MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
      MQTT_DEVICE_URL: `mqtts://127.0.0.1:${mqttTlsPort}`,
      MQTT_CA: join(broker.folder, 'ca.pem'),
      MQTT_CERT: join(broker.folder, 'server.pem'),
      MQTT_KEY: join(broker.folder, 'server.key'),
      BROKER_FILES: broker.folder,
      BROKER_RELOAD: 'kill -HUP "$(cat "$BROKER_FILES/pid")"',
    };
  }
  const config = readConfig({ ...base, ...outside, ...env }, services);
  const begin = async () => {
    const started = await start(config, database.url, log);
    await started.http?.listen({ host: '127.0.0.1', port });
    return started;
  };
  running = await begin();
  return {
    get app() {
      return running.app;
    },
    server: `http://127.0.0.1:${port}`,
    mqttPort,
    mqttTlsPort,
    dataDir,
    broker,
    async second() {
      const other = await start({ ...config, PORT: await freePort() }, database.url, log);
      await other.http?.listen({ host: '127.0.0.1', port: await freePort() });
      return other.stop;
    },
    async restart(meanwhile) {
      await running.stop();
      await meanwhile?.();
      running = await begin();
    },
    async stop() {
      await running.stop();
      await broker?.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An organisation below the product line, a published product, and a code that lets many in. */
export async function estate(
  db: Db,
  options: { product?: string; heartbeatSeconds?: number; maxUses?: number } = {},
): Promise<{ deptId: number; deptPath: string; productId: number; code: string }> {
  const dept = await db
    .insertInto('org_dept')
    .values({ id: 7, parent_id: 2, dept_path: '1.2.7.', kind: 'organisation', name: 'Harbour Bank' })
    .onConflict((c) => c.column('id').doUpdateSet({ name: 'Harbour Bank' }))
    .returning(['id', 'dept_path'])
    .executeTakeFirstOrThrow();
  const product = await db
    .insertInto('product_product')
    .values({
      code: options.product ?? 'A920',
      name: 'A920 terminal',
      category: 'smartPos',
      heartbeat_seconds: options.heartbeatSeconds ?? 300,
      publish_status: '1',
      dept_id: 1,
      dept_path: '1.',
    })
    .onConflict((c) => c.column('code').doUpdateSet({ name: 'A920 terminal' }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const { code } = await makeEnrolCode(db, {
    deptId: dept.id,
    deptPath: dept.dept_path,
    productId: product.id,
    maxUses: options.maxUses ?? 1000,
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  return { deptId: dept.id, deptPath: dept.dept_path, productId: product.id, code };
}

/** Looks again until it is so; unless it has to be so by then, the time is only the limit of a failure. */
export async function until<T>(look: () => Promise<T | undefined | false> | T | undefined | false, seconds = 60): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`not so after ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
