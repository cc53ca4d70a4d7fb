import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { testDatabase } from '../../../test/database.ts';
import { readConfig } from '../../platform/config/config.ts';
import type { Db } from '../../platform/context.ts';
import type { House } from '../../platform/house.ts';
import { type Started, start } from '../../start.ts';
import { makeEnrolCode } from './make-enrol-code.ts';

/** A port below 32768 that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

export interface Bench {
  readonly house: House;
  readonly server: string;
  readonly mqttPort: number;
  readonly mqttTlsPort: number;
  readonly dataDir: string;
  /** Stops the server and starts it again on the same data and ports. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The whole server on a database of its own. */
export async function bench(env: Record<string, string> = {}): Promise<Bench> {
  const database = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const [port, mqttPort, mqttTlsPort] = [await freePort(), await freePort(), await freePort()];
  const config = readConfig(
    { PORT: String(port), MQTT_PORT: String(mqttPort), MQTT_TLS_PORT: String(mqttTlsPort), DATA_DIR: dataDir, DATABASE_POOL: '4', ...env },
    ['--services=http,gateway,broker'],
  );
  const log = pino({ level: process.env.BENCH_LOG ?? 'silent' });
  const begin = async () => {
    const started = await start(config, database.url, log);
    await started.app?.listen({ host: '127.0.0.1', port });
    return started;
  };
  let running: Started = await begin();
  return {
    get house() {
      return running.house;
    },
    server: `http://127.0.0.1:${port}`,
    mqttPort,
    mqttTlsPort,
    dataDir,
    async restart() {
      await running.stop();
      running = await begin();
    },
    async stop() {
      await running.stop();
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

/** Looks again until it is so; the time is only the limit of a failure. */
export async function until<T>(look: () => Promise<T | undefined | false> | T | undefined | false, seconds = 20): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`not so after ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
