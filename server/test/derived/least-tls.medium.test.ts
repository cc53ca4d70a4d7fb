import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { type ConnectionOptions, connect, createServer as createTlsServer } from 'node:tls';
import { secureAgent, trustSystem } from '@mooring/terminal/trust';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { discover } from '../../src/modules/auth/api.ts';
import { ownBrokers, type TestStack, testStack } from '../../src/modules/device/device.factory.ts';
import { localCertificate } from '../../src/platform/config/local-certificate.ts';
import { openPools } from '../../src/platform/db/pools.ts';
import { s3Client } from '../../src/platform/files/s3-client.ts';
import { joinOutsideBroker } from '../../src/platform/gateway/outside-broker.ts';
import { leastTls } from '../../src/platform/least-tls.ts';
import { mailTransport } from '../../src/platform/mail/transports.ts';
import { sendAll, sendOutside } from '../../src/platform/outbound/door.ts';

/** Everything that speaks TLS takes 1.2 at least, where the system itself would take what is older. */

const OLD = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const before = { least: tls.DEFAULT_MIN_VERSION, ciphers: tls.DEFAULT_CIPHERS };
/** As `NODE_OPTIONS=--tls-min-v1.0 --tls-cipher-list=…` have it. */
function loosen(): void {
  tls.DEFAULT_MIN_VERSION = OLD.minVersion;
  tls.DEFAULT_CIPHERS = OLD.ciphers;
}

let folder: string;
let pair: { cert: string; key: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-tls-'));
  pair = await localCertificate(folder, '127.0.0.1');
});
beforeEach(loosen);
afterAll(() => {
  tls.DEFAULT_MIN_VERSION = before.least;
  tls.DEFAULT_CIPHERS = before.ciphers;
  rmSync(folder, { recursive: true });
});

/** The version that was agreed on, or why there is none. */
const agreed = (port: number, options: ConnectionOptions): Promise<string> =>
  new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      done(socket.getProtocol() ?? '');
      socket.destroy();
    });
    socket.once('error', (error) => done((error as { code?: string }).code ?? error.message));
  });

interface OldServer {
  readonly port: number;
  /** What the first who comes agrees to, or why they don't. */
  readonly first: Promise<string>;
  stop(): Promise<void>;
}
/** A server that has nothing better than TLS 1.1, after what is said in the clear. */
async function oldServer(greet: (socket: Socket) => Promise<void> = async () => {}): Promise<OldServer> {
  const { promise: first, resolve } = Promise.withResolvers<string>();
  const secure = createTlsServer({ ...pair, ...OLD }, (socket) => {
    socket.on('error', () => {});
    resolve(socket.getProtocol() ?? '');
    socket.end();
  });
  secure.on('tlsClientError', (error) => resolve((error as { code?: string }).code ?? error.message));
  const server = createServer((socket) => {
    socket.on('error', () => {});
    void greet(socket).then(() => secure.emit('connection', socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { port, first, stop: () => new Promise((done) => void server.close(() => done())) };
}
const hears = (socket: Socket) =>
  new Promise<void>((done) =>
    socket.once('data', () => {
      socket.pause();
      done();
    }),
  );

test('here a client and a server may agree on TLS 1.1, so what refuses it below is ours', async () => {
  const server = await oldServer();
  expect(await agreed(server.port, OLD)).toBe('TLSv1.1');
  expect(await server.first).toBe('TLSv1.1');
  await server.stop();
});

describe.each(ownBrokers)('with the %s broker', (kind) => {
  let plane: TestStack;
  beforeAll(async () => {
    loosen();
    plane = await testStack({ TLS_CERT: join(folder, 'local-tls.crt'), TLS_KEY: join(folder, 'local-tls.key') }, kind);
  });
  afterAll(() => plane.stop());

  test('what listens takes 1.2 and 1.3, and nothing older', async () => {
    for (const port of [Number(new URL(plane.server).port), plane.mqttTlsPort]) {
      expect(await agreed(port, OLD)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
      expect(await agreed(port, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
      expect(await agreed(port, { minVersion: 'TLSv1.3' })).toBe('TLSv1.3');
    }
  });
});

const local = ['127.0.0.0/8'];
const mailTo = (port: number, security: 'tls' | 'starttls') =>
  mailTransport(
    { host: '127.0.0.1', port, security, user: '', password: '', fromName: 'a', fromAddress: 'a@example.com' },
    undefined as never,
    local,
  ).then((transport) => transport?.carry({ id: '<1@a>', to: 'ann@example.com', subject: 'a', text: 'a', html: 'a' }));
const log = pino({ level: 'silent' });

interface Way {
  readonly go: (port: number, first: Promise<string>) => Promise<unknown>;
  /** What is said before TLS begins. */
  readonly greet?: (socket: Socket) => Promise<void>;
  /** How its process begins. */
  readonly begin?: () => void;
}
const ways: Readonly<Record<string, Way>> = {
  webhook: { go: (port) => sendOutside({ url: `https://127.0.0.1:${port}/`, headers: {}, body: '{}', allowed: local }) },
  mail: { go: (port) => mailTo(port, 'tls') },
  'mail by STARTTLS': {
    go: (port) => mailTo(port, 'starttls'),
    async greet(socket) {
      for (const said of ['220 here\r\n', '250-here\r\n250 STARTTLS\r\n', '220 now\r\n']) {
        socket.write(said);
        if (!said.includes('now')) await hears(socket);
        socket.resume();
      }
      socket.pause();
    },
  },
  syslog: { go: (port) => sendAll({ host: '127.0.0.1', port, allowed: local, bytes: Buffer.from('1 a'), tls: {} }) },
  'single sign-on': { go: (port) => discover(`https://127.0.0.1:${port}`, 'a', '', local) },
  'object store': {
    go: (port) =>
      s3Client({ endpoint: `https://127.0.0.1:${port}`, bucket: 'a', region: 'a', accessKey: 'a', secretKey: 'a' }).ask('GET', 'a'),
  },
  'outside broker': {
    async go(port, first) {
      const intake = { message() {}, gone() {}, guarded() {}, taken() {}, refused() {} };
      const transport = joinOutsideBroker({ url: `mqtts://127.0.0.1:${port}`, clients: 1, intake, log });
      await first;
      await transport.stop();
    },
  },
  database: {
    async go(port) {
      const pools = openPools(`postgres://a:a@127.0.0.1:${port}/a?sslmode=no-verify`);
      await pools.owner.query('select').finally(() => pools.end());
    },
    async greet(socket) {
      await hears(socket);
      socket.write('S');
    },
  },
  'a terminal’s download': {
    begin: () => trustSystem(),
    go: (port) =>
      new Promise((done) => void get(`https://127.0.0.1:${port}/`, { agent: secureAgent(undefined) }, done).once('error', done)),
  },
};

test.each(Object.entries(ways))('%s talks to nothing older', async (_name, { go, greet, begin = leastTls }) => {
  begin();
  const server = await oldServer(greet);
  const going = go(server.port, server.first).catch(() => {});
  expect(await server.first).toBe('ERR_SSL_UNSUPPORTED_PROTOCOL');
  await going;
  await server.stop();
});
