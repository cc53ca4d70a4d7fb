import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDatabase, type TestDatabase } from '../../../test/database.ts';
import { freePort } from '../../platform/free-port.ts';
import { joined, missingPrograms, until } from './device.factory.ts';

const run = join(import.meta.dirname, '../../../../tools/run.mjs');
let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-broker-files-'));
  database = await emptyDatabase();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});
const make = (...args: string[]) =>
  execFileSync(process.execPath, [run, 'broker-files', '--folder', join(folder, 'broker'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const modeOf = (name: string) => (statSync(join(folder, 'broker', name)).mode & 0o777).toString(8);

test('the files of an outside broker are made before the first start, and keys are for those alone who need them', () => {
  const printed = make('--host', '127.0.0.1');
  expect(printed).toContain(`MQTT_CERT=${join(folder, 'broker', 'server.pem')}`);
  expect(statSync(join(folder, 'data', 'master.key')).mode & 0o777).toBe(0o600);
  expect([modeOf('server.key'), modeOf('broker.key'), modeOf('ca.pem')]).toEqual(['600', '640', '644']);
});

test('a group that isn’t there is said, and who may name it', () => {
  expect(() => make('--group', 'nobody-has-this-group')).toThrow(
    /could not be given to the group nobody-has-this-group: chgrp: invalid group/,
  );
});

const asRoot = process.getuid?.() === 0 && missingPrograms('mosquitto').length === 0;
if (!asRoot) process.stderr.write('skipped: nobody is root here, or mosquitto is not installed: its rights to the files are not tried\n');
test.runIf(asRoot)('Debian’s mosquitto, which ends its rights, reads them by its group', async () => {
  const [port, serverPort] = [await freePort(), await freePort()];
  const group = readFileSync('/etc/group', 'utf8').includes('\nmosquitto:') ? 'mosquitto' : 'nogroup';
  make('--host', '127.0.0.1', '--port', String(port), '--server-port', String(serverPort), '--group', group);
  const at = (name: string) => join(folder, 'broker', name);
  expect([modeOf(''), modeOf('broker.key')]).toEqual(['750', '640']);
  // The folder above is of this test alone.
  execFileSync('chmod', ['755', folder]);
  const broker = spawn('mosquitto', ['-c', at('mosquitto.conf')], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const ended = new Promise((resolve) => broker.once('exit', resolve));
  try {
    const read = (name: string) => readFileSync(at(name), 'utf8');
    const tries = () => {
      const options = { cert: read('server.pem'), key: read('server.key'), ca: read('ca.pem'), reconnectPeriod: 0 };
      const client = mqtt.connect(`mqtts://127.0.0.1:${serverPort}`, options);
      return joined(client)
        .then(
          () => true,
          () => false,
        )
        .finally(() => client.end(true));
    };
    expect(await until(tries)).toBe(true);
  } finally {
    broker.kill();
    await ended;
  }
});
