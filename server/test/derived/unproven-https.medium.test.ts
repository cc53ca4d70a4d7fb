import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStack, testStack, until } from '../../src/modules/device/device.factory.ts';
import { localCertificate } from '../../src/platform/config/local-certificate.ts';

/** As unproven.medium.test.ts, where the server itself speaks TLS to browsers and terminals (`TLS_CERT`). */

const LIMITS = { connections: 30, perAddress: 20, seconds: 2 };
let plane: TestStack;
let folder = '';
let port = 0;
const sockets = new Set<Socket>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-tls-'));
  await localCertificate(folder, '127.0.0.1');
  plane = await testStack({
    TLS_CERT: join(folder, 'local-tls.crt'),
    TLS_KEY: join(folder, 'local-tls.key'),
    UNPROVEN_CONNECTIONS: String(LIMITS.connections),
    UNPROVEN_PER_ADDRESS: String(LIMITS.perAddress),
    UNPROVEN_SECONDS: String(LIMITS.seconds),
  });
  port = Number(new URL(plane.server).port);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const open = (tls: boolean): Promise<Socket> =>
  new Promise((done, fail) => {
    const socket: Socket = tls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => done(socket))
      : connect(port, '127.0.0.1', () => done(socket));
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.once('error', fail);
    socket.on('error', () => {});
  });
const closed = (socket: Socket) =>
  new Promise<void>((done) => {
    if (socket.destroyed) return done();
    socket.once('close', () => done());
    socket.resume();
  });
const hello = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const post = (path: string) => `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`;

/** What a stranger may have said when they fall silent: before TLS stands, and over it. */
const ways: readonly (readonly [name: string, tls: boolean, said: string | Buffer])[] = [
  ['no handshake', false, ''],
  ['half a handshake', false, Buffer.from([0x16, 3, 1, 2, 0, 1])],
  ['nothing after the handshake', true, ''],
  ['half a header', true, 'GET / HTTP/1.1\r\nhost'],
  ['a call without its body', true, post('/ops/sys/login/auth')],
  ['a terminal without its body', true, post('/d/enrol')],
  ['a websocket without a hello', true, `GET /ops/live HTTP/1.1\r\nhost: a\r\n${hello}\r\n`],
];
test('whoever says no more is let go in time, at every stage', async () => {
  await Promise.all(
    ways.map(async ([name, tls, said]) => {
      const begun = performance.now();
      const socket = await open(tls);
      socket.write(said);
      await closed(socket);
      expect(performance.now() - begun, name).toBeLessThan((LIMITS.seconds + 6) * 1000);
    }),
  );
});

test.each([false, true])('so many strangers and no more (handshake done: %s)', async (tls) => {
  const opened = await Promise.all(Array.from({ length: 80 }, () => open(tls).catch(() => undefined)));
  await until(() => opened.filter((one) => one && !one.destroyed).length <= LIMITS.connections, 2);
  for (const one of opened) one?.destroy();
});
