import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { appCallbackCalls } from '@mooring/contract/app/callback';
import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { allCalls } from '@mooring/contract/index';
import { syncSourceCalls } from '@mooring/contract/inventory/sync';
import type { Call } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { Syslog } from '@mooring/contract/settings/kinds';
import { MapTiles } from '@mooring/contract/settings/map-tiles';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { askDomain } from '../../src/engines/rollout/places/ask-place.ts';
import { discover } from '../../src/modules/auth/api.ts';
import { sendByLine } from '../../src/modules/customer/lines.factory.ts';
import { readFeed } from '../../src/modules/inventory/inventory.factory.ts';
import { insertProfile, stampOf, TimeAway } from '../../src/modules/signing/signing.factory.ts';
import { mailTransport, reasonOf, smsTransport } from '../../src/platform/mail/transports.ts';
import { sendAll, sendOutside } from '../../src/platform/outbound/door.ts';
import { writeSetting } from '../../src/platform/settings.ts';
import { t } from '../../src/platform/texts/translate.ts';
import { makeAppRow } from '../apps.ts';
import { type Client, type TestApp, testApp } from '../test-app.ts';

/** Every connection to an address that people enter: none reaches this machine or its networks unless an administrator's list says so. */

const BANNER = 'SSH-2.0-OpenSSH_9.2p1 secret-of-this-host';
let app: TestApp;
let admin: Client;
/** Keeps the lists of alarm receivers, which belong to the centre. */
let keeper: Client;
let inside: Server;
let port = 0;
let reached = 0;
let hook = 0;
let own = 0;
let register = 0;
let platform = 0;
let receivers = 0;
let profile = 0;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  keeper = await app.person('platformAdmin', app.root, 'centre');
  inside = createServer((socket) => {
    reached += 1;
    socket.on('error', () => {});
    socket.end(`${BANNER}\r\n`, () => socket.destroy());
  });
  await new Promise<void>((done) => inside.listen(0, '127.0.0.1', done));
  port = (inside.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise((done) => inside.close(done));
  await app.stop();
});
beforeEach(() => {
  reached = 0;
});

const parcel = { id: '<1@a>', to: 'ann@example.com', subject: 'a', text: 'a', html: 'a' };
const smtp = (host: string) =>
  ({ host, port, security: 'none', user: '', password: '', fromName: 'a', fromAddress: 'a@example.com' }) as const;
const issuer = (host: string) => ({
  enabled: true,
  name: 'a',
  issuer: `http://${host}:${port}`,
  clientId: 'a',
  scopes: 'openid',
  groupsClaim: 'groups',
  provision: false,
  linkByEmail: false,
  rules: [],
});
/** A message over a line to an outside platform, which answers how it went and never throws. */
async function overLine(kind: 'aws' | 'https' | 'mqtt', endpoint: string, allowed: readonly string[]): Promise<never> {
  const outcome = await sendByLine({ kind, endpoint, allowed, now: app.context.now });
  throw new Fault('reason' in outcome ? outcome.reason : outcome.fate);
}
const outcomeOf = (isInside: boolean, said: string) => new Fault(isInside ? 'ADDRESS_NOT_PUBLIC' : said);
/** A place that a package is downloaded from, asked before it is published. */
async function fromDomain(url: string, allowed: readonly string[]): Promise<never> {
  const parts = [{ start: 0, end: 0, bytes: Buffer.of(1) }];
  const found = await askDomain(url, { sha256: 'a', size: 1 }, parts, { allowed, onward: [] }, 2000);
  throw outcomeOf(found?.problem === 'inside', `${found?.problem} ${found?.detail}`);
}
async function stamped(url: string, allowed: readonly string[]): Promise<unknown> {
  await admin.call(systemSettingCalls.outbound, { allowed: [], timestamps: [...allowed] });
  return stampOf(app.context as never, { time_url: url, time_root: '' }, Buffer.alloc(32)).catch((error: unknown) => {
    throw error instanceof TimeAway ? outcomeOf(error.message === 'Fault', error.message) : error;
  });
}
async function tile(origin: string, allowed: readonly string[]): Promise<never> {
  await admin.call(systemSettingCalls.outbound, { allowed: [...allowed] });
  const tiles = { url: `${origin}/{z}/{x}/{y}.png`, key: '', attribution: '', maxZoom: 19 };
  // Some hosts it can't be set to.
  if (!MapTiles.safeParse(tiles).success) throw outcomeOf(true, '');
  await app.context.unscoped((db) => writeSetting(db, app.context.masterKey, 'map', tiles, app.clock.now));
  const { error } = await admin.call(systemSettingCalls.testMap);
  throw outcomeOf(error === t('en', 'fault.ADDRESS_NOT_PUBLIC'), `${error}`);
}
/** Each way out, tried towards a host with what is allowed. */
const ways: Readonly<Record<string, (host: string, allowed: readonly string[]) => Promise<unknown>>> = {
  webhook: (host, allowed) => sendOutside({ url: `http://${host}:${port}/`, headers: {}, body: '{}', allowed, timeoutMs: 2000 }),
  mail: async (host, allowed) => app.context.unscoped(async (db) => (await mailTransport(smtp(host), db, allowed))?.carry(parcel)),
  sms: async (host, allowed) => smsTransport({ url: `http://${host}:${port}/`, secret: 'a' }, app.context.now, allowed)?.carry(parcel),
  syslog: (host, allowed) => sendAll({ host, port, allowed, bytes: Buffer.from('5 hello'), timeoutMs: 2000 }),
  'syslog over TLS': (host, allowed) => sendAll({ host, port, allowed, bytes: Buffer.from('5 hello'), tls: {}, timeoutMs: 2000 }),
  'single sign-on': (host, allowed) => discover(`http://${host}:${port}`, 'a', '', allowed),
  'IoT over HTTPS': (host, allowed) => overLine('https', `https://${host}:${port}/`, allowed),
  'IoT over MQTT': (host, allowed) => overLine('mqtt', `mqtts://${host}:${port}`, allowed),
  'AWS IoT': (host, allowed) => overLine('aws', `https://${host}:${port}`, allowed),
  'asset register': (host, allowed) => readFeed({ url: `http://${host}:${port}/`, token: 'a', allowed }, null),
  'time stamp': (host, allowed) => stamped(`http://${host}:${port}/`, allowed),
  'download domain': (host, allowed) => fromDomain(`http://${host}:${port}/a`, allowed),
  'map tile': (host, allowed) => tile(`https://${host}:${port}`, allowed),
};
/** Who opens a connection, and the ways that it is tried by. */
const openers: Readonly<Record<string, readonly string[]>> = {
  'engines/rollout/places/ask-place.ts': ['download domain'],
  'modules/audit-log/forward/forward.ts': ['syslog', 'syslog over TLS'],
  'modules/auth/sso/provider.ts': ['single sign-on'],
  'modules/customer/aws-line.ts': ['AWS IoT'],
  'modules/customer/https-line.ts': ['IoT over HTTPS'],
  'modules/customer/mqtt-line.ts': ['IoT over MQTT'],
  'modules/inventory/sync/read-feed.ts': ['asset register'],
  'modules/settings/test-tiles.ts': ['map tile'],
  'modules/settings/webhooks/deliver.ts': ['webhook'],
  'modules/signing/ask-time.ts': ['time stamp'],
  'platform/mail/transports.ts': ['mail', 'sms'],
};
const all = Object.entries(ways);

test('whoever opens a connection through the door has a way here', () => {
  const source = join(import.meta.dirname, '../../src');
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) =>
      /import \{[^}]*\b(?:sendOutside|connectOutside|sendAll)\b[^}]*\} from '[^']*door\.ts'/.test(readFileSync(join(source, path), 'utf8')),
    );
  expect(found.sort()).toEqual(Object.keys(openers).sort());
  expect(Object.values(openers).flat().sort()).toEqual(Object.keys(ways).sort());
});

test.each(all)('%s reaches nothing inside, by number or by name', async (_, go) => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '[::ffff:7f00:1]'])
    await expect(go(host, []), host).rejects.toMatchObject({ fault: 'ADDRESS_NOT_PUBLIC' });
  expect(reached).toBe(0);
});

test.each(all)('%s reaches what the installation’s list allows, and shows nothing of what it says', async (_, go) => {
  const error = await go('127.0.0.1', ['127.0.0.0/8']).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(reached).toBeGreaterThan(0);
  expect(error).toBeDefined();
  expect(reasonOf(error)).not.toContain('secret-of-this-host');
});

/** Each call of the contract that says it, with an address inside: the field that names it, and the rest of the input. */
const iot = () => ({ endpoint: `https://127.0.0.1:${port}/`, signIn: 'token', secret: 'a' }) as const;
const hearing = () => ({ webhookUrl: `https://127.0.0.1:${port}/`, webhookSecret: 'a secret of the desk' }) as const;
const saves = (): readonly (readonly [call: Call, field: string, input: object])[] => {
  const { fromName, fromAddress, security } = smtp('127.0.0.1');
  const webhook = { name: 'a', url: `http://127.0.0.1:${port}/`, events: ['*'], deptId: 1 };
  return [
    [systemSettingCalls.mail, 'host', { host: '127.0.0.1', port, security, fromName, fromAddress, user: '' }],
    [systemSettingCalls.sms, 'url', { url: `http://127.0.0.1:${port}/` }],
    [systemSettingCalls.singleSignOn, 'issuer', issuer('127.0.0.1')],
    [systemSettingCalls.syslog, 'host', Syslog.parse({ enabled: true, host: '127.0.0.1', port })],
    [webhookCalls.add, 'url', webhook],
    [webhookCalls.update, 'url', { id: hook, ...webhook }],
    [iotCustomerCalls.add, 'endpoint', { name: 'a', deptId: 1, kind: 'https', ...iot() }],
    [iotCustomerCalls.update, 'endpoint', { id: platform, name: 'b', ...iot() }],
    [alarmReceiverCalls.add, 'webhookUrl', { name: 'a', deptId: 1, ...hearing() }],
    [alarmReceiverCalls.update, 'webhookUrl', { id: receivers, name: 'b', ...hearing() }],
    [appCallbackCalls.set, 'url', { appId: own, url: `https://127.0.0.1:${port}/` }],
    [syncSourceCalls.add, 'url', { name: 'a', url: webhook.url, deptId: 1 }],
    [syncSourceCalls.update, 'url', { id: register, name: 'b', url: webhook.url }],
    [signingProfileCalls.add, 'timeUrl', { name: 'a', deptId: 1, kind: 'cms', timeUrl: webhook.url }],
    [signingProfileCalls.update, 'timeUrl', { id: profile, name: 'b', timeUrl: webhook.url }],
  ];
};

test('each is said at its field when it is saved, with what to do, and only platform administrators widen the list', async () => {
  await admin.call(systemSettingCalls.outbound, {
    allowed: [],
    webhooks: ['127.0.0.0/8'],
    alarms: ['127.0.0.0/8'],
    registers: ['127.0.0.0/8'],
    iot: ['127.0.0.0/8'],
    timestamps: ['127.0.0.0/8'],
    callbacks: ['127.0.0.0/8'],
  });
  profile = await insertProfile(app, 'cms');
  platform = (await admin.call(iotCustomerCalls.add, { name: 'b', deptId: 1, kind: 'https', ...iot() })).id;
  register = (await admin.call(syncSourceCalls.add, { name: 'b', url: `http://127.0.0.1:${port}/`, deptId: 1 })).id;
  receivers = (await keeper.call(alarmReceiverCalls.add, { name: 'b', deptId: 1, ...hearing() })).id;
  const { row } = await admin.call(webhookCalls.add, { name: 'b', url: `http://127.0.0.1:${port}/`, events: ['*'], deptId: 1 });
  hook = row.id;
  own = (await makeAppRow(app, app.root, 'App')).app;
  await admin.call(systemSettingCalls.outbound, { allowed: [] });
  const told = allCalls.filter((call) => call.faults.includes('ADDRESS_NOT_PUBLIC'));
  expect(
    saves()
      .map(([call]) => call.path)
      .sort(),
  ).toEqual(told.map((call) => call.path).sort());
  for (const [call, field, input] of saves()) {
    const answer = await (/^\/(alarmReceiverConfig|api\/keystore|app\/url)\//.test(call.path) ? keeper : admin).send(call, input);
    expect([call.path, answer.body]).toMatchObject([
      call.path,
      { fault: 'ADDRESS_NOT_PUBLIC', fields: { [field]: { message: expect.stringContaining('Reachable private networks') } } },
    ]);
  }
  expect(reached).toBe(0);
});
