import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../../platform/app-context.ts';
import { readConfig } from '../../platform/config/config.ts';
import { loadMasterKey } from '../../platform/config/master-key.ts';
import { openPools } from '../../platform/db/pools.ts';
import { freePort } from '../../platform/free-port.ts';
import { writeBrokerFiles } from './write-broker-files.ts';

export interface OutsideBroker {
  /** The settings of a server that joins it. */
  readonly env: Readonly<Record<string, string>>;
  readonly pid: () => number | undefined;
  /** Ends it without a word, and starts it again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A Mosquitto of its own for several server processes on one database, as an installation with `MQTT_URL` has it. */
export async function startOutsideBroker(databaseUrl: string, masterKey: string): Promise<OutsideBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-mosquitto-'));
  const [port, serverPort] = [await freePort(), await freePort()];
  const pools = openPools(databaseUrl, { max: 2 });
  const config = readConfig({ DATA_DIR: folder, MASTER_KEY: masterKey }, []);
  const app = createApp({ config, pools, masterKey: loadMasterKey(masterKey, folder), log: pino({ level: 'silent' }) });
  await writeBrokerFiles(app, { folder, host: '127.0.0.1', port, serverHost: '127.0.0.1', serverPort });
  await pools.end();
  // Under root mosquitto becomes a user of its own, who has to read the keys.
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'broker.key'), 0o644);
  const start = (): ChildProcess =>
    spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], {
      stdio: 'ignore',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    });
  let child = start();
  const end = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return {
    env: {
      MQTT_URL: `mqtts://127.0.0.1:${serverPort}`,
      MQTT_DEVICE_URL: `mqtts://127.0.0.1:${port}`,
      MQTT_CA: join(folder, 'ca.pem'),
      MQTT_CERT: join(folder, 'server.pem'),
      MQTT_KEY: join(folder, 'server.key'),
    },
    pid: () => child.pid,
    async kill() {
      await end();
      child = start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
