import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partSize } from '@mooring/contract/file/kinds';
import { prepareDatabase } from '@mooring/server/platform/db/prepare';
import { runningDatabaseUrl, startEmbeddedPostgres } from '@mooring/server/platform/embedded-postgres/start-embedded-postgres';
import { s3Client } from '@mooring/server/platform/files/s3-client';
import { s3Store } from '@mooring/server/platform/files/s3-store';
import { freePort } from '@mooring/server/platform/free-port';
import type { Random } from '@mooring/terminal/random';
import pg from 'pg';
import { ADMIN, administrator, signIn } from '../../e2e/api.ts';
import { makeEstate } from '../../e2e/estate.ts';
import { waitFor } from '../../e2e/stack.ts';
import { type OutsideBroker, startOutsideBroker } from '../../server/src/modules/device/outside-broker.factory.ts';
import { openConsole } from './console.ts';
import { makeDataFolder } from './data-folder.ts';
import { databaseOf } from './database.ts';
import { makeDeveloper } from './developer.ts';
import { startFleets } from './fleets.ts';
import { keepProcess } from './kept-process.ts';
import { openLine } from './line.ts';
import { MASTER_KEY } from './master-key.ts';
import { openOnlooker } from './onlooker.ts';
import type { Server, World, WorldKind } from './world.ts';

export interface WorldOptions {
  readonly kind: WorldKind;
  readonly terminals: number;
  readonly fleets: number;
  readonly seed: string;
  readonly random: Random;
}

const main = join(import.meta.dirname, '../../server/src/main.ts');
const HEARTBEAT_SECONDS = 10;

/** What a server needs from outside, where it hasn't all of it inside. */
interface Around {
  readonly env: Readonly<Record<string, string>>;
  readonly broker: OutsideBroker | undefined;
  readonly store: ReturnType<typeof keepProcess> | undefined;
  readonly blob: World['blob'] | undefined;
  stop(): Promise<void>;
}

async function aroundTwo(dataDir: string): Promise<Around> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  await prepareDatabase(postgres.url);
  const broker = await startOutsideBroker(postgres.url, MASTER_KEY);
  const port = await freePort();
  const store = keepProcess({ name: 'the store', argv: [join(import.meta.dirname, 'store-child.ts'), String(port)], ready: '(tells)' });
  let env: Record<string, string> = {};
  store.onMessage((message: { env?: Record<string, string> }) => {
    if (message.env) env = { ...message.env, S3_ENDPOINT: `http://127.0.0.1:${port}` };
  });
  await store.start();
  const { S3_ENDPOINT = '', S3_BUCKET = '', S3_REGION = '', S3_ACCESS_KEY = '', S3_SECRET_KEY = '' } = env;
  const place = { endpoint: S3_ENDPOINT, bucket: S3_BUCKET, region: S3_REGION, accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY };
  const blobs = s3Store(s3Client(place));
  return {
    env: { DATABASE_URL: postgres.url, DATABASE_POOL: '8', ...broker.env, ...env },
    broker,
    store,
    async blob(sha256) {
      if ((await blobs.size(sha256)) === undefined) return undefined;
      const pieces: Buffer[] = [];
      for await (const piece of (await blobs.read(sha256)) as AsyncIterable<Buffer>) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    async stop() {
      await broker.stop();
      await store.stop();
      await postgres.stop();
    },
  };
}

/** An installation as it might stand somewhere, with its terminals, all in processes of their own. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { kind, random } = options;
  const folder = makeDataFolder();
  const outer = join(folder.path, kind);
  mkdirSync(outer, { recursive: true });
  const around: Around =
    kind === 'two' ? await aroundTwo(outer) : { env: {}, broker: undefined, store: undefined, blob: undefined, stop: async () => {} };
  const httpPorts: number[] = [];
  const http = await openLine(() => httpPorts);
  const brokerPort = around.broker ? Number(new URL(around.broker.env.MQTT_DEVICE_URL ?? '').port) : await freePort();
  const mqtt = await openLine(() => [brokerPort]);
  const servers: Server[] = [];
  for (let number = 1; number <= (kind === 'two' ? 2 : 1); number += 1) {
    const port = await freePort();
    const mqttTls = await freePort();
    const env = {
      MASTER_KEY,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      RATE_PUBLIC: '0',
      RATE_DEVICE: '0',
      ...around.env,
      DATA_DIR: kind === 'alone' ? outer : join(outer, `server-${number}`),
      PORT: String(port),
      MQTT_PORT: String(brokerPort),
      MQTT_TLS_PORT: String(mqttTls),
      MQTT_DEVICE_URL: `${around.broker ? 'mqtts' : 'mqtt'}://127.0.0.1:${mqtt.port}`,
    };
    const server = keepProcess({ name: `server ${number}`, argv: [main], env, ready: 'Mooring is ready' });
    await server.start();
    httpPorts.push(port);
    servers.push({ process: server, url: `http://127.0.0.1:${port}`, ports: { mqtt: brokerPort, mqttTls } });
  }
  const first = servers[0] as Server;
  const oneTime = await waitFor(() => /First sign-in: admin \/ (\S+)/.exec(first.process.output())?.[1], 'the first password', 20);
  const admin = await administrator(first.url, oneTime);
  const { productId, code } = await makeEstate(first.url, admin, ADMIN, options.terminals, HEARTBEAT_SECONDS);
  const developer = await makeDeveloper(first.url, admin);
  const url = `http://127.0.0.1:${http.port}`;
  const fleets = await startFleets({
    count: options.terminals,
    processes: options.fleets,
    folder: folder.place,
    seed: options.seed,
    options: {
      server: url,
      code,
      product: 'A920',
      installSeconds: 0.6,
      bootSeconds: 0.2,
      speed: 1_000_000,
      maxBackoffSeconds: 2,
      atOnce: 10,
    },
  });
  await waitFor(() => fleets.online() === options.terminals, 'all terminals', 180);
  const databaseUrl = () => around.env.DATABASE_URL ?? runningDatabaseUrl(outer) ?? '';
  const { broker, store } = around;
  const onlooker = await openOnlooker(url, 'admin', ADMIN);
  return {
    kind,
    random,
    servers,
    url,
    lines: { http, mqtt },
    database: databaseOf(outer),
    broker,
    store,
    disk: kind === 'alone' ? folder.disk : undefined,
    fleets,
    console: openConsole(url, await signIn(first.url, 'admin', ADMIN)),
    onlooker,
    productId,
    developer,
    partBytes: partSize(store ? 's3' : 'disk'),
    databaseUrl,
    blob:
      around.blob ??
      (async (sha256) =>
        readFile(join(outer, 'blobs', sha256.slice(0, 2), sha256)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined;
          throw error;
        })),
    async query(text, values = []) {
      const client = new pg.Client({ connectionString: databaseUrl() });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    async heal() {
      folder.disk?.free();
      databaseOf(outer).goOn();
      http.mend();
      mqtt.mend();
      store?.send({ full: false });
      for (const one of [...servers.map((server) => server.process), ...fleets.processes]) {
        one.shiftClock(0);
        await one.start();
      }
    },
    async stop() {
      await onlooker.stop();
      await fleets.stop();
      await Promise.all(servers.map((server) => server.process.stop()));
      await http.stop();
      await mqtt.stop();
      await around.stop();
      folder.remove();
    },
  };
}
