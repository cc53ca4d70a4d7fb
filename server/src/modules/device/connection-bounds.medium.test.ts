import { makeLink } from '@mooring/terminal/link';
import { startFleet } from '@mooring/terminal/start-fleet';
import { sql } from 'kysely';
import mqtt, { type IClientOptions, type IConnackPacket, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDeviceToken } from '../../platform/gateway/device-token.ts';
import { makeIdentity } from '../../platform/gateway/identity.ts';
import { estate, joined, ownBrokers, type TestStack, testStack, until } from './device.factory.ts';

/** What one terminal may leave or hold at our broker, and for how long: nothing after its connection, and no connection after its token. */
describe.each(ownBrokers)('%s broker', (kind) => {
  let plane: TestStack;
  let fingerprint = '';
  const SN = 'VB-000001';
  const clients: MqttClient[] = [];

  const tokenFor = (ms: number) => makeDeviceToken(plane.app.masterKey, { sn: SN, gen: 0, expiresAt: new Date(Date.now() + ms) });
  function begin(clientId: string, more: IClientOptions = {}): MqttClient {
    const client = mqtt.connect(`mqtt://127.0.0.1:${plane.mqttPort}`, {
      clientId,
      username: SN,
      password: tokenFor(60_000),
      protocolVersion: 4,
      reconnectPeriod: 0,
      ...more,
    });
    clients.push(client);
    client.on('error', () => {});
    return client;
  }
  const connect = (clientId: string, more: IClientOptions = {}) => joined(begin(clientId, more));
  const closed = (client: MqttClient) =>
    new Promise<void>((resolve) => (client.connected ? client.once('close', () => resolve()) : resolve()));
  const isRefused = (reason: string) =>
    until(async () => {
      const { rows } = await plane.app.unscoped((db) =>
        sql`select 1 from gateway_refused where sn = ${SN} and reason = ${reason}`.execute(db),
      );
      return rows.length > 0;
    });

  beforeAll(async () => {
    plane = await testStack({}, kind);
    const { code } = await plane.app.unscoped((db) => estate(db));
    const fleet = startFleet({ server: plane.server, count: 1, seed: 'B', code });
    await fleet.whenOnline(1);
    await fleet.stop();
    fingerprint = await plane.app.unscoped(
      async (db) => (await db.selectFrom('device_credential').select('fingerprint').executeTakeFirstOrThrow()).fingerprint,
    );
  });
  afterAll(async () => {
    for (const client of clients) client.end(true);
    await plane.stop();
  });

  test('no session is kept for who asks for one, by whatever names', async () => {
    for (const clientId of [SN, `${SN}.1`, `${SN}.2`]) {
      for (const _again of [1, 2]) {
        const client = begin(clientId, { clean: false });
        const connack = await new Promise<IConnackPacket>((resolve) => client.once('connect', resolve));
        expect(connack.sessionPresent).toBe(false);
        await client.subscribeAsync(`d/${SN}/down/+`, { qos: 1 });
        await client.endAsync();
      }
    }
  });

  test('a message with QoS 2 ends the connection before it is kept, and is told with its reason', async () => {
    const client = await connect(SN);
    client.publish(`d/${SN}/up/event`, '{}', { qos: 2 });
    await closed(client);
    await isRefused('qos2');
  });

  test('so many connections of one terminal, and the one that listens is not ended by the others', async () => {
    const listening = await connect(SN);
    await listening.subscribeAsync(`d/${SN}/down/+`, { qos: 1 });
    const others: MqttClient[] = [];
    for (let n = 0; n < 12; n += 1) others.push(await connect(`${SN}.${n}`));
    await until(() => others.filter((one) => one.connected).length <= 3);
    expect(others.at(-1)?.connected).toBe(true);
    expect(listening.connected).toBe(true);
    await isRefused('tooManyConnections');
    for (const one of [listening, ...others]) one.end(true);
  });

  test('so many subscriptions of one connection', async () => {
    const client = await connect(SN);
    const granted: number[] = [];
    for (let n = 0; n < 30; n += 1)
      await client
        .subscribeAsync(`d/${SN}/down/k${n}`, { qos: 1 })
        .then((all) => granted.push(...all.map((one) => one.qos)))
        .catch(() => {});
    expect(granted.filter((qos) => qos < 128)).toHaveLength(16);
    await isRefused('tooManySubscriptions');
    client.end(true);
  });

  test('a connection ends with the token, or the certificate, that it was let in by', async () => {
    const begun = performance.now();
    const client = await connect(SN, { password: tokenFor(2500) });
    const beside = await connect(`${SN}.beside`);
    await closed(client);
    expect(performance.now() - begun).toBeGreaterThan(1000);
    expect(performance.now() - begun).toBeLessThan(6000);
    expect(beside.connected).toBe(true);
    beside.end(true);
    const endsAtMs = plane.app.now().getTime() + 5000;
    const admission = await makeIdentity(plane.app)({ clientId: SN, certificate: { sn: SN, fingerprint, endsAtMs } });
    expect(admission.ok && admission.forMs).toBeGreaterThan(3000);
    expect(admission.ok && admission.forMs).toBeLessThanOrEqual(5000);
  });

  test('the reference agent is back with fresh credentials before its token ends, and waits for no end', async () => {
    const asked: number[] = [];
    const said: string[] = [];
    const link = makeLink({
      sn: SN,
      random: Math.random,
      session: () => 's',
      spreadMs: 1,
      async credentials() {
        asked.push(performance.now());
        return {
          url: `mqtt://127.0.0.1:${plane.mqttPort}`,
          token: tokenFor(60_000 + asked.length * 1000),
          freshInMs: asked.length === 1 ? 1000 : 60_000,
        };
      },
      onUp: () => said.push('up'),
      onDown: () => said.push('down'),
      onMessage: () => {},
    });
    link.open();
    await until(() => said.length === 3);
    expect([said, asked.length]).toEqual([['up', 'down', 'up'], 2]);
    expect(link.isUp()).toBe(true);
    await link.close();
  });
});
