import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBrokerFiles } from '@mooring/server/modules/device/write-broker-files';
import { freePort } from '@mooring/server/platform/free-port';
import { program } from '../anchors/program.ts';
import { deskOf } from './fleet-estate.ts';

export interface Broker {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = connect({ port, host: '127.0.0.1' }, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });

async function started(child: ChildProcess, port: number, folder: string): Promise<Broker> {
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  const stop = async () => {
    process.removeListener('exit', orphaned);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries === 100 || child.exitCode !== null) {
      await stop();
      throw new Error(`${child.spawnfile} did not start`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { pid: child.pid ?? 0, port, stop };
}

const folderOf = (name: string) => {
  const folder = mkdtempSync(join(tmpdir(), `mooring-bench-${name}-`));
  // Under root these become users of their own.
  chmodSync(folder, 0o755);
  return folder;
};

/** Mosquitto as Debian has it, open to everybody on loopback. */
export async function startMosquitto(): Promise<Broker | undefined> {
  const file = program('mosquitto');
  if (!file) return undefined;
  const [port, folder] = [await freePort(), folderOf('mosquitto')];
  const conf = ['allow_anonymous true', 'persistence false', 'max_queued_messages 0', `listener ${port} 127.0.0.1`, ''];
  writeFileSync(join(folder, 'mosquitto.conf'), conf.join('\n'));
  return started(spawn(file, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' }), port, folder);
}

export interface CertifiedBroker extends Broker {
  /** Settings of a server that joins it. */
  readonly env: Readonly<Record<string, string>>;
}
/** What a Mosquitto needs for TLS with certificates and nothing else. */
const bareConf = (folder: string, port: number) =>
  [
    'allow_anonymous true',
    'persistence false',
    `listener ${port} 127.0.0.1`,
    `cafile ${folder}/ca.pem`,
    `certfile ${folder}/broker.pem`,
    `keyfile ${folder}/broker.key`,
    'require_certificate true',
    '',
  ].join('\n');

/** Mosquitto with the files that the product writes for it: certificates, revocation list, topics by name. `bare` leaves out the latter two. */
export async function startCertifiedMosquitto(databaseUrl: string, bare = false): Promise<CertifiedBroker | undefined> {
  const file = program('mosquitto');
  if (!file) return undefined;
  const [port, serverPort, folder] = [await freePort(), await freePort(), folderOf('mosquitto')];
  const desk = deskOf(databaseUrl);
  await writeBrokerFiles(desk.app, { folder, host: '127.0.0.1', port, serverHost: '127.0.0.1', serverPort });
  await desk.end();
  if (bare) writeFileSync(join(folder, 'mosquitto.conf'), bareConf(folder, port));
  chmodSync(join(folder, 'broker.key'), 0o644);
  const broker = await started(spawn(file, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' }), port, folder);
  return {
    ...broker,
    env: {
      MQTT_URL: `mqtts://127.0.0.1:${serverPort}`,
      MQTT_DEVICE_URL: `mqtts://127.0.0.1:${port}`,
      MQTT_CA: join(folder, 'ca.pem'),
      MQTT_CERT: join(folder, 'server.pem'),
      MQTT_KEY: join(folder, 'server.key'),
    },
  };
}

export async function startNats(): Promise<Broker | undefined> {
  const file = program('nats-server');
  if (!file) return undefined;
  const [port, folder] = [await freePort(), folderOf('nats')];
  return started(spawn(file, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }), port, folder);
}
