import { createServer } from 'node:net';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { freePort } from '../../free-port.ts';
import { openBrokerThread } from './broker-thread.ts';

const SN = 'VTHREAD-1';
const MANY = 20_000;
/** What may be under way without room, and what one read of a socket brings besides. */
const BOUND = 5000;
const ONE_READ = 2000;
const nobody = { admit: async () => ({ ok: true, sn: SN }) as const, intake: { message() {}, gone() {}, guarded() {} } };

test('a port that is taken is said with its number', async () => {
  const other = createServer();
  const port = await freePort();
  await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
  await expect(openBrokerThread({ host: '127.0.0.1', port, ...nobody })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  other.close();
});

test('while the house has no room the terminals are held back, and nothing of theirs is lost', async () => {
  const heard: string[] = [];
  let free = () => {};
  const room = new Promise<void>((resolve) => {
    free = resolve;
  });
  let held = () => {};
  const isHeld = new Promise<void>((resolve) => {
    held = resolve;
  });
  const broker = await openBrokerThread({
    host: '127.0.0.1',
    port: await freePort(),
    admit: nobody.admit,
    intake: {
      ...nobody.intake,
      message(_topic, payload) {
        heard.push(payload.toString());
        if (heard.length === BOUND) held();
        return room;
      },
    },
  });
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { clientId: SN, username: SN, protocolVersion: 4 });
  const said = Array.from({ length: MANY }, (_, n) => `Zürich 网 ${n}`);
  const sent = Promise.all(said.map((text) => client.publishAsync(`d/${SN}/up/event`, text, { qos: 1 })));
  await isHeld;
  // Another connection is served meanwhile, and takes its time: more would have come.
  const other = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { clientId: `${SN}.b`, username: SN, protocolVersion: 4 });
  expect(heard.length).toBeLessThan(BOUND + ONE_READ);
  free();
  await sent;
  await expect.poll(() => heard.length).toBe(MANY);
  expect(heard).toEqual(said);
  client.end(true);
  other.end(true);
  await broker.stop();
});

test('what is said goes to the terminal that listens, and ends with its connection', async () => {
  let gone: (sn: string) => void = () => {};
  const left = new Promise<string>((resolve) => {
    gone = resolve;
  });
  const broker = await openBrokerThread({
    host: '127.0.0.1',
    port: await freePort(),
    admit: nobody.admit,
    intake: { ...nobody.intake, gone: (sn) => gone(sn) },
  });
  expect(broker.send(SN, 'ack', '{}')).toBe(false);
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    clientId: SN,
    username: SN,
    protocolVersion: 4,
    reconnectPeriod: 0,
  });
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
