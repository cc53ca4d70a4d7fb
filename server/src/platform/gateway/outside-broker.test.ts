import { createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { joinOutsideBroker } from './outside-broker.ts';

const CONNECT = 0x10;
const CONNACK = Buffer.from([0x20, 3, 0, 0, 0]);
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Lets everybody in; then it goes, or turns away whoever comes. */
async function fickleBroker() {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (!isOpen) return void socket.destroy();
    socket.on('data', (part) => part[0] === CONNECT && socket.write(CONNACK));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const said: string[] = [];
  const transport = joinOutsideBroker({
    url: `mqtt://127.0.0.1:${(server.address() as { port: number }).port}`,
    clients: 1,
    intake: { message() {}, gone() {}, guarded() {}, taken() {}, refused() {} },
    log: pino({ level: 'info' }, { write: (line) => void said.push(line) }),
    takeOver: async () => ({ cert: '', key: '' }),
  });
  stops.push(endAll, () => server.close(), transport.stop);
  return {
    transport,
    said,
    go() {
      server.close();
      endAll();
    },
    turnAway() {
      isOpen = false;
      endAll();
    },
  };
}

test('it is left although it went away', async () => {
  const { transport, said, go } = await fickleBroker();
  await vi.waitFor(() => expect(transport.send('SN1', 'command', '{}')).toBe(true), 5000);
  go();
  // It has tried again in vain, and waits for its next try.
  await vi.waitFor(() => expect(said.join()).toContain('waiting for MQTT_URL'), 5000);
  expect(transport.send('SN1', 'command', '{}')).toBe(false);
  await transport.stop();
});

test('ending a terminal’s session comes to its own end although nobody is let in', async () => {
  const { transport, turnAway } = await fickleBroker();
  turnAway();
  await transport.cut('SN1');
});

test('a broker that is away is waited for: one line when it begins, one when it ends, and it is left at once', async () => {
  let isThere = false;
  let tries = 0;
  const server = createServer((socket) => {
    tries += 1;
    socket.on('error', () => {});
    if (!isThere) return void socket.destroy();
    socket.on('data', (part) => part[0] === CONNECT && socket.write(CONNACK));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const said: { msg: string; broker: string }[] = [];
  const transport = joinOutsideBroker({
    url: `mqtt://anna:hidden@127.0.0.1:${(server.address() as { port: number }).port}`,
    intake: { message() {}, gone() {}, guarded() {}, taken() {}, refused() {} },
    log: pino({ level: 'info' }, { write: (line) => void said.push(JSON.parse(line)) }),
  });
  await vi.waitFor(() => expect(tries).toBeGreaterThanOrEqual(10), 8000);
  expect(said.map(({ msg }) => msg)).toEqual(['waiting for MQTT_URL']);
  expect(JSON.stringify(said)).not.toContain('hidden');
  isThere = true;
  await vi.waitFor(() => expect(said.map(({ msg }) => msg)).toEqual(['waiting for MQTT_URL', 'MQTT_URL answers']), 5000);
  const begun = performance.now();
  await transport.stop();
  expect(performance.now() - begun).toBeLessThan(500);
  server.close();
});
