import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { TrustedProxies } from '../http/forwarded.ts';
import { isNetwork } from '../networks.ts';

const flag = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true');
const proxies = z.string().transform((value, ctx): TrustedProxies => {
  if (value === '0' || value === 'false') return false;
  if (value === 'true') return 1;
  if (/^[1-9]$/.test(value)) return Number(value);
  const networks = value.split(',').map((one) => one.trim());
  if (!networks.every(isNetwork)) ctx.addIssue('a number of proxies, or their networks: 10.0.0.0/8,loopback');
  return networks;
});
const port = z.coerce.number().int().min(0).max(65_535);

/** Every setting of the process. docs/operate.md explains each to the one who runs it. */
const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8080),
  PUBLIC_URL: z.url().optional(),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z.string().optional(),
  /** On few processors more statements at once only wait for each other: a page of ten thousand devices is slower by a quarter with 12 on two. */
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(100)
    .default(Math.min(12, 3 * availableParallelism() + 1)),
  MQTT_URL: z.string().optional(),
  MQTT_HOST: z.string().optional(),
  MQTT_PORT: port.default(1883),
  MQTT_TLS_PORT: port.default(8883),
  /** Whether the embedded broker has a thread of its own; where it isn't said, the size of the fleet decides. */
  MQTT_THREAD: flag.optional(),
  /** Where terminals reach an outside broker; told to them at enrolment. */
  MQTT_DEVICE_URL: z.url({ protocol: /^mqtts?$/ }).optional(),
  /** Files for TLS with an outside broker: its authority, and this server's certificate and key. */
  MQTT_CA: z.string().optional(),
  MQTT_CERT: z.string().optional(),
  MQTT_KEY: z.string().optional(),
  /** Folder with the files of an outside broker: its revocation list is kept fresh there. */
  BROKER_FILES: z.string().optional(),
  /** Command that has the broker read them again. */
  BROKER_RELOAD: z.string().optional(),
  MASTER_KEY: z.string().min(16).optional(),
  S3_ENDPOINT: z.url().optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  /** nginx location that serves blobs for `X-Accel-Redirect`. */
  ACCEL_LOCATION: z.string().optional(),
  /** Stands above the mail server of the settings: `smtps://user:password@host?from=a@b.c`. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Requests a minute of one address, without a session and of terminals; 0 sets no limit. */
  RATE_PUBLIC: z.coerce.number().int().min(0).max(1_000_000).default(1200),
  RATE_DEVICE: z.coerce.number().int().min(0).max(1_000_000).default(6000),
  /** Connections of who has not signed in or proved to be a terminal: in all, of one address, and how long they may take to do it. */
  UNPROVEN_CONNECTIONS: z.coerce.number().int().min(10).max(100_000).default(4000),
  UNPROVEN_PER_ADDRESS: z.coerce.number().int().min(5).max(100_000).default(500),
  UNPROVEN_SECONDS: z.coerce.number().int().min(2).max(300).default(15),
  /** How many proxies stand in front, or their networks. */
  TRUST_PROXY: proxies.default(false),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type Service = 'http' | 'worker' | 'gateway' | 'broker';
export const allServices: readonly Service[] = ['http', 'worker', 'gateway', 'broker'];
export type Config = z.infer<typeof Environment> & { readonly services: readonly Service[]; readonly demo: boolean; readonly dev: boolean };

/** Reads environment and arguments; a wrong one is named, never guessed. */
export function readConfig(env: NodeJS.ProcessEnv, args: readonly string[]): Config {
  const parsed = Environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
  }
  const named = args
    .find((arg) => arg.startsWith('--services='))
    ?.slice('--services='.length)
    .split(',');
  const unknown = named?.filter((one) => !allServices.includes(one as Service)) ?? [];
  if (unknown.length > 0) throw new Error(`--services: unknown ${unknown.join(', ')}; there are ${allServices.join(', ')}`);
  const wanted = (named as Service[] | undefined) ?? allServices;
  const services = parsed.data.MQTT_URL ? wanted.filter((one) => one !== 'broker') : wanted;
  if (parsed.data.S3_ENDPOINT && !(parsed.data.S3_BUCKET && parsed.data.S3_ACCESS_KEY && parsed.data.S3_SECRET_KEY)) {
    throw new Error('S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY');
  }
  if (parsed.data.BROKER_RELOAD && !parsed.data.BROKER_FILES) throw new Error('BROKER_RELOAD needs BROKER_FILES');
  if (Boolean(parsed.data.TLS_CERT) !== Boolean(parsed.data.TLS_KEY)) throw new Error('TLS_CERT and TLS_KEY go together');
  return { ...parsed.data, services, demo: args.includes('--demo'), dev: args.includes('--dev') };
}
