import { createServer } from 'node:net';
import { sql } from 'kysely';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../platform/free-port.ts';
import { openBrokerThread, type ThreadOptions } from '../../platform/gateway/embedded/broker-thread.ts';
import type { MessageHandler, Refused } from '../../platform/gateway/message.ts';
import type { Intake } from '../../platform/gateway/transport.ts';
import { makeModules } from '../modules.ts';
import { beatHandlers } from './beat-handlers.ts';
import { type TestStack, testStack, until } from './device.factory.ts';

const SN = 'VTHREAD-1';
const [PUBLISH, PUBACK] = [0x30, 0x40];
const MANY = 20_000;
/** What may be under way without room, and what one read of a socket brings besides. */
const BOUND = 5000;
const ONE_READ = 2000;
const deaf: Intake = { message() {}, gone() {}, guarded() {}, taken() {}, refused() {} };

let plane: TestStack;
beforeAll(async () => {
  plane = await testStack();
});
afterAll(() => plane.stop());

const opened = async (intake: Partial<Intake>, change: Partial<ThreadOptions> = {}) =>
  openBrokerThread({
    host: '127.0.0.1',
    port: await freePort(),
    admit: async () => ({ ok: true, sn: SN, forMs: 60_000 }),
    intake: { ...deaf, ...intake },
    app: plane.app,
    entry: new URL('./broker.thread.ts', import.meta.url),
    lease() {},
    ...change,
  });
const joined = (port: number, clientId = SN) =>
  mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { clientId, username: SN, protocolVersion: 4, reconnectPeriod: 0 });

test('a port that is taken is said with its number', async () => {
  const other = createServer();
  const port = await freePort();
  await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
  await expect(opened({}, { port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  other.close();
});

test('while the server has no room the terminals are held back, and nothing of theirs is lost', async () => {
  const heard: string[] = [];
  let free = () => {};
  const room = new Promise<void>((resolve) => {
    free = resolve;
  });
  let held = () => {};
  const isHeld = new Promise<void>((resolve) => {
    held = resolve;
  });
  const broker = await opened({
    message(_topic, payload) {
      heard.push(payload.toString());
      if (heard.length === BOUND) held();
      return room;
    },
  });
  const client = await joined(broker.port);
  const said = Array.from({ length: MANY }, (_, n) => `Zürich 网 ${n}`);
  const sent = Promise.all(said.map((text) => client.publishAsync(`d/${SN}/up/event`, text, { qos: 1 })));
  await isHeld;
  // Another connection is served meanwhile, and takes its time: more would have come.
  const other = await joined(broker.port, `${SN}.b`);
  expect(heard.length).toBeLessThan(BOUND + ONE_READ);
  free();
  await sent;
  await expect.poll(() => heard.length).toBe(MANY);
  expect(heard).toEqual(said);
  client.end(true);
  other.end(true);
  await broker.stop();
});

test('the PUBACK of a message leaves with our answer in one piece, and without an answer by itself', async () => {
  let heard: (topic: string) => void = () => {};
  const broker = await opened({ message: (topic) => heard(topic) });
  const client = await joined(broker.port);
  await client.subscribeAsync(`d/${SN}/down/+`, { qos: 1 });
  const pieces: Buffer[] = [];
  client.stream.on('data', (piece: Buffer) => void pieces.push(piece));
  heard = () => broker.send(SN, 'ack', '{}');
  await client.publishAsync(`d/${SN}/up/reply`, 'x', { qos: 1 });
  expect(pieces.map((piece) => [piece[0], piece[4]])).toEqual([[PUBACK, PUBLISH]]);
  heard = () => {};
  await client.publishAsync(`d/${SN}/up/reply`, 'y', { qos: 1 });
  expect(pieces.map((piece) => piece[0])).toEqual([PUBACK, PUBACK]);
  client.end(true);
  await broker.stop();
});

test('what is said goes to the terminal that listens, and ends with its connection', async () => {
  let gone: (sn: string) => void = () => {};
  const left = new Promise<string>((resolve) => {
    gone = resolve;
  });
  const broker = await opened({ gone: (sn) => gone(sn) });
  expect(broker.send(SN, 'ack', '{}')).toBe(false);
  const client = await joined(broker.port);
  const first = new Promise<string>((resolve) => client.once('message', (topic, payload) => resolve(`${topic} ${payload}`)));
  await client.subscribeAsync(`d/${SN}/down/+`);
  await expect.poll(() => broker.connections()).toBe(1);
  expect(broker.send(SN, 'command', '{"text":"Zürich 网"}')).toBe(true);
  expect(await first).toBe(`d/${SN}/down/command {"text":"Zürich 网"}`);
  await broker.cut(SN);
  expect(await left).toBe(SN);
  expect(broker.send(SN, 'ack', '{}')).toBe(false);
  await broker.stop();
});

test('beats are taken in the thread: counted, and refused where nobody can read them or knows their terminal', async () => {
  const refused: Refused[] = [];
  let taken = 0;
  const broker = await opened({
    message: () => expect.unreachable(),
    refused: (one) => void refused.push(one),
    taken: (messages) => {
      taken += messages;
    },
  });
  const client = await joined(broker.port);
  await client.publishAsync(`d/${SN}/up/beat`, '{"v":1,"data":网', { qos: 1 });
  await until(async () => refused.length === 1);
  const wire = JSON.stringify({ v: 1, id: 'b1', at: new Date().toISOString(), data: { battery: 5 } });
  await client.publishAsync(`d/${SN}/up/beat`, wire, { qos: 1 });
  await until(async () => refused.length === 2);
  expect(refused[0]).toMatchObject({ sn: SN, kind: 'beat', reason: 'notJson', payload: Buffer.from('{"v":1,"data":网') });
  expect(refused[1]).toMatchObject({ sn: SN, kind: 'beat', reason: 'unknownDevice' });
  await until(async () => taken === 1);
  client.end(true);
  await broker.stop();
});

test('whatever hears beats in the server hears them in the thread too', async () => {
  const beats = (all: readonly MessageHandler[]) => all.filter(({ kind }) => kind === 'beat').length;
  const inServer = makeModules(plane.app).modules.flatMap(({ messages }) => messages ?? []);
  expect(beats(inServer)).toBeGreaterThan(1);
  expect(beats(beatHandlers(() => {}))).toBe(beats(inServer));
});

test('a beat in the thread is held against the geofences', async () => {
  await plane.app.unscoped((db) =>
    sql`with p as (
        insert into product_product (name, code, category, dept_id, dept_path) select 'Thread', 'THREAD', 'smartPos', id, dept_path from org_dept where parent_id is null returning id, dept_id, dept_path
      ), d as (
        insert into device (sn, name, status, product_id, dept_id, dept_path) select ${SN}, 'Here', '3', id, dept_id, dept_path from p returning id, dept_id, dept_path
      ), here as (insert into device_presence (device_id, online) select id, true from d)
      insert into geofence (name, shape, lat, lon, radius, dept_id, dept_path) select 'Here', 'circle', 52, 13, 1000, dept_id, dept_path from d`.execute(
      db,
    ),
  );
  const refused: Refused[] = [];
  const broker = await opened({ refused: (one) => void refused.push(one) });
  const client = await joined(broker.port);
  const data = { position: { lat: 52, lon: 13, accuracy: 5, source: 'gps' } };
  await client.publishAsync(`d/${SN}/up/beat`, JSON.stringify({ v: 1, id: 'g1', at: new Date().toISOString(), data }), { qos: 1 });
  const states = () => plane.app.unscoped((db) => sql<{ state: string }>`select state from geofence_state`.execute(db));
  await expect.poll(async () => [(await states()).rows, refused]).toEqual([[{ state: 'inside' }], []]);
  client.end(true);
  await broker.stop();
});
