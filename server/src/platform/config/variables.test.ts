import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquireDataDir } from '../data-dir.ts';
import { readConfig } from './config.ts';
import { readVariables, variables } from './variables.mjs';

const names = Object.keys(variables);
/** A value that can't be meant; a name that takes any text has none. */
const wrongOf: Readonly<Record<string, string>> = {
  PORT: '80a',
  PUBLIC_URL: 'mooring',
  TLS_CERT: '/nope.pem',
  TLS_KEY: '/nope.key',
  DATA_DIR: '/etc/passwd/data',
  DATABASE_URL: 'foo',
  DATABASE_POOL: '1',
  MQTT_URL: 'http://broker',
  MQTT_PORT: '70000',
  MQTT_TLS_PORT: '-1',
  MQTT_THREAD: 'yes',
  MQTT_DEVICE_URL: 'broker:8883',
  MQTT_CA: '/nope.pem',
  MQTT_CERT: '/nope.pem',
  MQTT_KEY: '/nope.key',
  SYSLOG_CERT: '/nope.pem',
  SYSLOG_KEY: '/nope.key',
  BROKER_FILES: '/etc/passwd/broker',
  MASTER_KEY: 'short',
  MASTER_KEY_PASSPHRASE_FILE: '/nowhere/passphrase',
  PKCS11_MODULE: 'libsofthsm2.so',
  PKCS11_PIN_FILE: 'pin',
  PKCS11_ENV: 'SOFTHSM2_CONF',
  METRICS_TOKEN: 'short',
  ACCESS_LOG: 'on',
  S3_ENDPOINT: 's3.example.com',
  ACCEL_LOCATION: 'blobs',
  SMTP_URL: 'mail.example.com',
  RATE_PUBLIC: '1.5',
  RATE_DEVICE: 'many',
  UNPROVEN_CONNECTIONS: '9',
  UNPROVEN_PER_ADDRESS: 'few',
  UNPROVEN_SECONDS: '1000',
  ENROL_NONCE: 'maybe',
  TRUST_PROXY: 'on',
  LOG_LEVEL: 'loud',
};
const anyText = [
  'HOST',
  'MASTER_KEY_COMMAND',
  'MQTT_HOST',
  'BROKER_RELOAD',
  'PKCS11_TOKEN',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
];

test('every variable is either any text, or checked', () => {
  expect([...Object.keys(wrongOf), ...anyText].sort()).toEqual([...names].sort());
});

test.each(Object.entries(wrongOf))('%s: a wrong value is said in one sentence that begins with its name', (name, value) => {
  const { wrong } = readVariables({ [name]: value });
  expect(wrong).toEqual([expect.stringMatching(new RegExp(`^${name} (wants|names) .+\\.$`))]);
  expect(() => readConfig({ [name]: value }, [])).toThrow(name);
});

test('all wrong ones are said at once, and no secret is repeated', () => {
  const { wrong } = readVariables({ PORT: 'x', DATABASE_URL: 'postgres//anna:hidden@db', MASTER_KEY: 'hidden', LOG_LEVEL: 'x' });
  expect(wrong.map((one) => one.split(' ')[0])).toEqual(['PORT', 'DATABASE_URL', 'MASTER_KEY', 'LOG_LEVEL']);
  expect(wrong.join()).not.toContain('hidden');
});

test('an empty one counts as not set, and addresses of every usual form are taken', () => {
  expect(readVariables({ PORT: '', MASTER_KEY: '' })).toMatchObject({ wrong: [], values: { PORT: 8080, MASTER_KEY: undefined } });
  for (const url of ['postgres://mooring@localhost/mooring', 'postgresql://db:5432/x', 'postgres:///x?host=/run/postgresql'])
    expect(readVariables({ DATABASE_URL: url }).wrong).toEqual([]);
});

test('every variable stands in the operator’s document', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../../docs/operate.md'), 'utf8');
  for (const name of names) expect(document).toContain(`\`${name}\``);
});

test('a folder that a file system refuses to make is said at once', () => {
  const begun = performance.now();
  expect(() => acquireDataDir('/proc/nope/data')).toThrow(/^DATA_DIR names \/proc\/nope\/data, which can't be made: E\w+\.$/);
  expect(performance.now() - begun).toBeLessThan(1000);
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-variables-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('certificate and key go together, and belong together', () => {
  const make = (name: string) => {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${name}`];
    execFileSync('openssl', [...args, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key, cert };
  };
  const [one, other] = [make('one'), make('other')];
  writeFileSync(join(folder, 'empty'), '');
  for (const of of ['TLS', 'MQTT']) {
    const wrong = (cert?: string, key?: string) =>
      readVariables({ ...(cert ? { [`${of}_CERT`]: cert } : {}), ...(key ? { [`${of}_KEY`]: key } : {}) }).wrong;
    expect(wrong(one.cert, one.key)).toEqual([]);
    expect(wrong(one.cert)).toEqual([`${of}_CERT needs ${of}_KEY too.`]);
    expect(wrong(undefined, one.key)).toEqual([`${of}_KEY needs ${of}_CERT too.`]);
    expect(wrong(one.cert, other.key)).toEqual([`${of}_KEY isn't the key of the certificate in ${of}_CERT.`]);
    expect(wrong(join(folder, 'empty'), one.key)).toEqual([expect.stringContaining(`${of}_CERT and ${of}_KEY want a certificate`)]);
  }
});
