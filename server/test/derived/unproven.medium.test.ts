import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { startFleet } from '@mooring/terminal/start-fleet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addUser } from '../../src/modules/account/api.ts';
import { openSession } from '../../src/modules/auth/api.ts';
import { estate, ownBrokers, type TestStack, testStack, until } from '../../src/modules/device/device.factory.ts';

/** All bytes that come before it is known who speaks: over each listener, plain and TLS, in each stage. */

const LIMITS = { connections: 30, perAddress: 20, seconds: 2 };
const MB = 1024 * 1024;

describe.each(ownBrokers)('%s broker', (kind) => {
  let plane: TestStack;
  let token: string;
  let httpPort: number;
  const sockets = new Set<Socket>();
  const open = (port: number, tls = false): Promise<Socket> =>
    new Promise((done, fail) => {
      const socket = tls
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
  const answered = (socket: Socket) => new Promise<string>((done) => socket.once('data', (data) => done(data.toString())));
  const head = (path: string, length: number | 'chunked', more = '') =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`}\r\n${more}\r\n`;

  beforeAll(async () => {
    plane = await testStack(
      {
        UNPROVEN_CONNECTIONS: String(LIMITS.connections),
        UNPROVEN_PER_ADDRESS: String(LIMITS.perAddress),
        UNPROVEN_SECONDS: String(LIMITS.seconds),
      },
      kind,
    );
    httpPort = Number(new URL(plane.server).port);
    token = await plane.app.unscoped(async (db) => {
      const person = {
        account: 'clerk',
        name: 'Clerk',
        email: 'clerk@example.com',
        password: 'Good.Word1x',
        userType: '1',
        manager: true,
      } as const;
      const userId = await addUser(db, { ...person, dept: { id: 1, path: '1.' }, roles: ['platformAdmin'] });
      return openSession(db, userId, 'centre', '127.0.0.1', 'test');
    });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await plane.stop();
  });

  /** Every way in, with what a stranger may have said when they fall silent. */
  const ways = (): readonly (readonly [name: string, port: number, tls: boolean, said: string | Buffer])[] => [
    ['http, nothing', httpPort, false, ''],
    ['http, half a header', httpPort, false, 'GET / HTTP/1.1\r\nhost'],
    ['http, a call without its body', httpPort, false, head('/ops/sys/login/auth', 100)],
    ['http, a terminal without its body', httpPort, false, head('/d/enrol', 100)],
    ['http, a body that has no end', httpPort, false, `${head('/d/enrol', 'chunked')}5\r\n{"a":\r\n`],
    ['http, no such page', httpPort, false, head('/nowhere', 100)],
    ['http, a wrong token and a body', httpPort, false, head('/ops/sys/user/info', MB, 'authorization: junk\r\n')],
    [
      'websocket, no hello',
      httpPort,
      false,
      'GET /ops/live HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    ],
    ['mqtt, nothing', plane.mqttPort, false, ''],
    ['mqtt, half a connect', plane.mqttPort, false, Buffer.from([0x10, 0x20, 0, 4, 0x4d])],
    ['mqtt over tls, no handshake', plane.mqttTlsPort, false, ''],
    ['mqtt over tls, half a handshake', plane.mqttTlsPort, false, Buffer.from([0x16, 3, 1, 2, 0, 1])],
    ['mqtt over tls, nothing', plane.mqttTlsPort, true, ''],
    ['mqtt over tls, half a connect', plane.mqttTlsPort, true, Buffer.from([0x10, 0x20, 0, 4, 0x4d])],
  ];

  test('whoever says no more is let go in time, on every way in and at every stage', async () => {
    await Promise.all(
      ways().map(async ([name, port, tls, said]) => {
        const begun = performance.now();
        const socket = await open(port, tls);
        socket.write(said);
        await closed(socket);
        expect(performance.now() - begun, name).toBeLessThan((LIMITS.seconds + 6) * 1000);
      }),
    );
  });

  test('so many strangers and no more; a person and a terminal that proved themselves stay', async () => {
    const { code } = await plane.app.unscoped((db) => estate(db));
    const fleet = startFleet({ server: plane.server, count: 1, seed: 'U', code });
    await fleet.whenOnline(1);
    const person = await open(httpPort);
    const ask = async () => {
      person.write(`${head('/ops/sys/user/info', 2, `authorization: ${token}\r\n`)}{}`);
      return answered(person);
    };
    expect(await ask()).toContain('"code":200');
    for (const [port, tls] of [
      [httpPort, false],
      [plane.mqttPort, false],
      [plane.mqttTlsPort, false],
      [plane.mqttTlsPort, true],
    ] as const) {
      const opened = await Promise.all(Array.from({ length: 80 }, () => open(port, tls).catch(() => undefined)));
      await until(() => opened.filter((one) => one && !one.destroyed).length <= LIMITS.connections, 2);
      for (const one of opened) one?.destroy();
    }
    expect(await ask()).toContain('"code":200');
    expect(person.destroyed).toBe(false);
    expect(fleet.online()).toBe(1);
    await fleet.stop();
  });

  test.each([false, true])('a CONNECT that declares 256 MB, or brings too much, ends when that is read (over TLS: %s)', async (tls) => {
    const port = tls ? plane.mqttTlsPort : plane.mqttPort;
    for (const said of [
      Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]),
      Buffer.concat([Buffer.from([0x10, 0x80, 0x80, 2]), Buffer.alloc(32 * 1024)]),
    ]) {
      const begun = performance.now();
      const socket = await open(port, tls);
      socket.write(said);
      await closed(socket);
      expect(performance.now() - begun).toBeLessThan(1500);
    }
  });

  test('what strangers are turned away for fills neither the log nor the database', async () => {
    const rows = () =>
      plane.app.unscoped((db) =>
        db
          .selectFrom('gateway_refused')
          .select('id')
          .where('kind', '=', 'guard')
          .execute()
          .then((all) => all.length),
      );
    const counted = async () => {
      const figures = await (await fetch(`${plane.server}/metrics`)).text();
      return [...figures.matchAll(/^mooring_messages_refused_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await counted();
    for (let round = 0; round < 10; round += 1) {
      const some = await Promise.all(Array.from({ length: 10 }, () => open(plane.mqttPort)));
      for (const one of some) one.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
      await Promise.all(some.map(closed));
    }
    await until(async () => (await counted()) >= before + 100, 5);
    // What is still to be written is written at the stop.
    await plane.restart();
    expect(await rows()).toBeGreaterThan(0);
    expect(await rows()).toBeLessThanOrEqual(60);
  });

  test('who is not signed in is answered before the body is sent, and may say little', async () => {
    const publish = async (text: string) => {
      const socket = await open(httpPort);
      socket.write(text);
      return answered(socket);
    };
    expect(await publish(head('/ops/sys/user/info', MB, 'authorization: junk\r\n'))).toContain('"NO_SESSION"');
    expect(await publish(head('/ops/file/upload/unified', 60 * MB, 'authorization: junk\r\n'))).toContain('"NO_SESSION"');
    expect(await publish(head('/ops/sys/login/auth', MB))).toContain('HTTP/1.1 413');
    expect(await publish(head('/d/enrol', MB))).toContain('HTTP/1.1 413');
    // What is announced counts as if it were there.
    const many = await Promise.all(Array.from({ length: 20 }, () => open(httpPort)));
    let refused = 0;
    for (const one of many)
      one.once('data', (data) => {
        if (data.toString().startsWith('HTTP/1.1 429')) refused += 1;
      });
    for (const one of many) one.write(head('/ops/sys/login/auth', 64 * 1024));
    await until(() => refused >= 3, 2);
    for (const one of many) one.destroy();
  });

  const tellsEach = async (count: number, text: string) => {
    const many = await Promise.all(Array.from({ length: count }, () => open(httpPort)));
    const said: string[] = [];
    for (const one of many) one.once('data', (data) => said.push(data.toString()));
    for (const one of many) one.write(text);
    return { many, said };
  };
  const calls = (call: string, length: number, as: string) => head(`/ops${call}`, length, `authorization: ${as}\r\n`);

  test('who registered and isn’t let in yet has no more bytes, time or connections than a stranger', async () => {
    const waiting = await plane.app.unscoped(async (db) => {
      const { id } = await db
        .insertInto('account_user')
        .values({ account: 'joiner', name: 'Joiner', dept_id: 1, dept_path: '1.', state: 'joining', user_type: '2' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return openSession(db, id, 'centre', '127.0.0.1', 'test');
    });
    const { many, said } = await tellsEach(1, calls('/sys/user/editAccount', MB - 10, waiting));
    await until(() => said.length === 1, 2);
    expect(said[0]).toContain('HTTP/1.1 413');
    for (const one of many) one.destroy();
    // Neither does what they may say keep a connection, nor what they may not.
    for (const call of ['/sys/user/editAccount', '/device/page']) {
      const socket = await open(httpPort);
      socket.write(calls(call, 1000, waiting));
      const begun = performance.now();
      await closed(socket);
      expect(performance.now() - begun, call).toBeLessThan((LIMITS.seconds + 6) * 1000);
    }
    const crowd = await tellsEach(80, calls('/sys/user/info', 2, waiting));
    await until(() => crowd.many.filter((one) => !one.destroyed).length <= LIMITS.connections, 2);
    for (const one of crowd.many) one.destroy();
  });

  test('a known person has so many bytes on their way and no more, and others have theirs', async () => {
    const { many, said } = await tellsEach(40, calls('/device/page', MB - 10, token));
    await until(() => said.length >= 20, 30);
    expect(said.every((text) => text.startsWith('HTTP/1.1 429'))).toBe(true);
    expect(said.length).toBeLessThan(30);
    const other = await plane.app.unscoped(async (db) => {
      const { id } = await db
        .insertInto('account_user')
        .values({ account: 'beside', name: 'Beside', dept_id: 1, dept_path: '1.', state: '0', user_type: '2' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return openSession(db, id, 'centre', '127.0.0.1', 'test');
    });
    const ask = async (as: string) => {
      const socket = await open(httpPort);
      socket.write(`${calls('/sys/user/info', 2, as)}{}`);
      return answered(socket);
    };
    expect(await ask(other)).toContain('"code":200');
    for (const one of many) one.destroy();
    await until(async () => (await ask(token)).includes('"code":200'), 30);
  });
});
