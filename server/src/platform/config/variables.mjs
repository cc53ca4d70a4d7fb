// Without any package: the launcher reads this before anything is installed, built or written.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, isAbsolute, resolve } from 'node:path';
import { isNetwork } from './is-network.mjs';

/** A wrong value: what it should be, as the rest of a sentence that begins with the variable's name. */
class Wrong extends Error {}

/** @param {string} raw */
const text = (raw) => raw;
/** @param {number} least @param {number} most */
const whole = (least, most) => (/** @type {string} */ raw) => {
  if (!/^\d{1,9}$/.test(raw) || Number(raw) < least || Number(raw) > most)
    throw new Wrong(`wants a whole number from ${least} to ${most}, not ${JSON.stringify(raw)}.`);
  return Number(raw);
};
const port = whole(0, 65_535);
/** @param {string} raw */
const flag = (raw) => {
  if (!['0', '1', 'true', 'false'].includes(raw)) throw new Wrong(`wants 1 or 0, not ${JSON.stringify(raw)}.`);
  return raw === '1' || raw === 'true';
};
/** @template {string} T @param {...T} values @returns {(raw: string) => T} */
const oneOf =
  (...values) =>
  (raw) => {
    const found = values.find((value) => value === raw);
    if (found === undefined) throw new Wrong(`wants one of ${values.join(', ')}, not ${JSON.stringify(raw)}.`);
    return found;
  };
/** An address; it may hold a password, so what was given isn't repeated. @param {string} such @param {...string} protocols */
const address =
  (such, ...protocols) =>
  (/** @type {string} */ raw) => {
    const read = URL.canParse(raw) ? new URL(raw) : undefined;
    if (!read || !protocols.includes(read.protocol) || !(read.hostname || read.searchParams.has('host')))
      throw new Wrong(`wants an address such as ${such}.`);
    return raw;
  };
/** @param {number} least */
const secret = (least) => (/** @type {string} */ raw) => {
  if (raw.length < least) throw new Wrong(`wants at least ${least} characters.`);
  return raw;
};
/** @param {string} raw */
const file = (raw) => {
  try {
    readFileSync(raw);
    return raw;
  } catch (error) {
    throw new Wrong(`names ${raw}, which can't be read: ${error.code}.`);
  }
};
/** A folder that is there, or can be made. @param {string} raw */
const folder = (raw) => {
  let there = resolve(raw);
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  if (!statSync(there).isDirectory()) throw new Wrong(`names ${raw}, and ${there} isn't a folder.`);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    throw new Wrong(`names ${raw}, and this user may not write in ${there}.`);
  }
  return raw;
};
/** @param {string} raw */
const path = (raw) => {
  if (!/^\/\S*$/.test(raw)) throw new Wrong(`wants a path that begins with /, not ${JSON.stringify(raw)}.`);
  return raw;
};

/** A file of this machine: whether it is there is found out when it is needed, and said then. @param {string} raw */
const place = (raw) => {
  if (!isAbsolute(raw)) throw new Wrong(`wants the whole path of a file, not ${JSON.stringify(raw)}.`);
  return raw;
};
/** @param {string} raw @returns {Readonly<Record<string, string>>} */
const assignments = (raw) => {
  const pairs = raw.split(';').map((one) => /^\s*([A-Za-z_]\w*)=(.*?)\s*$/s.exec(one));
  if (!pairs.every(Boolean)) throw new Wrong('wants NAME=value, several of them with ; between.');
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
};

/** @param {string} raw @returns {false | number | readonly string[]} */
const proxies = (raw) => {
  if (raw === '0' || raw === 'false') return false;
  if (raw === 'true') return 1;
  if (/^[1-9]$/.test(raw)) return Number(raw);
  const networks = raw.split(',').map((one) => one.trim());
  if (!networks.every(isNetwork))
    throw new Wrong(`wants a number of proxies, or their networks such as 10.0.0.0/8,loopback, not ${JSON.stringify(raw)}.`);
  return networks;
};

/** @template T @param {(raw: string) => T} read @returns {{ readonly read: (raw: string) => T, readonly normal: undefined }} */
const maybe = (read) => ({ read, normal: undefined });
/** @template T, D @param {(raw: string) => T} read @param {D} normal @returns {{ readonly read: (raw: string) => T, readonly normal: D }} */
const or = (read, normal) => ({ read, normal });

const postgres = address('postgres://user:password@host:5432/database', 'postgres:', 'postgresql:');
const http = address('https://mooring.example.com', 'http:', 'https:');
const mqtt = address('mqtts://broker.example.com:8883', 'mqtt:', 'mqtts:');

/** Every setting of the process. docs/operate.md explains each to the one who runs it. */
export const variables = {
  HOST: or(text, '127.0.0.1'),
  PORT: or(port, 8080),
  PUBLIC_URL: maybe(http),
  TLS_CERT: maybe(file),
  TLS_KEY: maybe(file),
  DATA_DIR: or(folder, 'data'),
  DATABASE_URL: maybe(postgres),
  /** On few processors more statements at once only wait for each other: a page of ten thousand devices is slower by a quarter with 12 on two. */
  DATABASE_POOL: or(whole(2, 100), Math.min(12, 3 * availableParallelism() + 1)),
  MQTT_URL: maybe(mqtt),
  MQTT_HOST: maybe(text),
  MQTT_PORT: or(port, 1883),
  MQTT_TLS_PORT: or(port, 8883),
  /** Whether the embedded broker has a thread of its own; where it isn't said, the size of the fleet decides. */
  MQTT_THREAD: maybe(flag),
  /** Where terminals reach an outside broker; told to them at enrolment. */
  MQTT_DEVICE_URL: maybe(mqtt),
  /** Files for TLS with an outside broker: its authority, and this server's certificate and key. */
  MQTT_CA: maybe(file),
  MQTT_CERT: maybe(file),
  MQTT_KEY: maybe(file),
  /** Folder with the files of an outside broker: its revocation list is kept fresh there. */
  BROKER_FILES: maybe(folder),
  /** Command that has the broker read them again. */
  BROKER_RELOAD: maybe(text),
  MASTER_KEY: maybe(secret(16)),
  /** Prints the master key, in its place. */
  MASTER_KEY_COMMAND: maybe(text),
  /** Holds the passphrase with which the file of the master key is sealed. */
  MASTER_KEY_PASSPHRASE_FILE: maybe(file),
  /** Library of a hardware token, its label, the file with its PIN, and what its library finds in its environment. */
  PKCS11_MODULE: maybe(place),
  PKCS11_TOKEN: maybe(text),
  PKCS11_PIN_FILE: maybe(place),
  PKCS11_ENV: maybe(assignments),
  /** This server's certificate and key for a syslog server that asks for one. */
  SYSLOG_CERT: maybe(file),
  SYSLOG_KEY: maybe(file),
  S3_ENDPOINT: maybe(http),
  S3_BUCKET: maybe(text),
  S3_REGION: or(text, 'us-east-1'),
  S3_ACCESS_KEY: maybe(text),
  S3_SECRET_KEY: maybe(text),
  /** nginx location that serves blobs for `X-Accel-Redirect`. */
  ACCEL_LOCATION: maybe(path),
  /** Stands above the mail server of the settings. */
  SMTP_URL: maybe(address('smtps://user:password@host?from=a@b.c', 'smtp:', 'smtps:')),
  /** Requests a minute of one address, without a session and of terminals; 0 sets no limit. */
  RATE_PUBLIC: or(whole(0, 1_000_000), 1200),
  RATE_DEVICE: or(whole(0, 1_000_000), 6000),
  /** Connections of who has not signed in or proved to be a terminal: in all, of one address, and how long they may take to do it. */
  UNPROVEN_CONNECTIONS: or(whole(10, 100_000), 4000),
  UNPROVEN_PER_ADDRESS: or(whole(5, 100_000), 500),
  UNPROVEN_SECONDS: or(whole(2, 300), 15),
  /** Only terminals that prove their key for a nonce of the server are let in. */
  ENROL_NONCE: or(flag, false),
  /** How many proxies stand in front, or their networks. */
  TRUST_PROXY: or(proxies, false),
  /** Lets who has it read /metrics from elsewhere than this machine. */
  METRICS_TOKEN: maybe(secret(16)),
  /** A line in the log for each answer. */
  ACCESS_LOG: or(flag, false),
  LOG_LEVEL: or(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info'),
};

const pairs = [
  ['TLS_CERT', 'TLS_KEY'],
  ['MQTT_CERT', 'MQTT_KEY'],
  ['SYSLOG_CERT', 'SYSLOG_KEY'],
];

/** @param {Record<string, unknown>} values @returns {string[]} */
function wrongTogether(values) {
  const found = [];
  const needs = (/** @type {string} */ one, /** @type {string[]} */ others) => {
    const missing = others.filter((name) => !values[name]);
    if (values[one] && missing.length > 0) found.push(`${one} needs ${missing.join(' and ')} too.`);
  };
  needs('S3_ENDPOINT', ['S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY']);
  needs('BROKER_RELOAD', ['BROKER_FILES']);
  const token = ['PKCS11_MODULE', 'PKCS11_TOKEN', 'PKCS11_PIN_FILE'];
  const [given] = [...token, 'PKCS11_ENV'].filter((name) => values[name]);
  if (given)
    needs(
      given,
      token.filter((name) => name !== given),
    );
  if (values.MASTER_KEY && values.MASTER_KEY_COMMAND) found.push('MASTER_KEY and MASTER_KEY_COMMAND exclude each other.');
  for (const other of ['MASTER_KEY', 'MASTER_KEY_COMMAND'])
    if (values.MASTER_KEY_PASSPHRASE_FILE && values[other]) found.push(`MASTER_KEY_PASSPHRASE_FILE and ${other} exclude each other.`);
  for (const [cert, key] of pairs) {
    needs(cert, [key]);
    needs(key, [cert]);
    if (!values[cert] || !values[key]) continue;
    try {
      const [first, second] = [new X509Certificate(readFileSync(values[cert])), createPrivateKey(readFileSync(values[key]))];
      if (!first.checkPrivateKey(second)) found.push(`${key} isn't the key of the certificate in ${cert}.`);
    } catch (error) {
      found.push(`${cert} and ${key} want a certificate and its key as PEM files: ${error.message}.`);
    }
  }
  return found;
}

/**
 * The settings that an environment makes, or what is wrong with them, each by its name.
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function readVariables(env) {
  const wrong = [];
  const values = {};
  for (const [name, { read, normal }] of Object.entries(variables)) {
    const raw = env[name];
    try {
      values[name] = raw ? read(raw) : normal;
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      wrong.push(`${name} ${error.message}`);
    }
  }
  return { values, wrong: wrong.length > 0 ? wrong : wrongTogether(values) };
}
