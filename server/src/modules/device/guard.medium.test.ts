import { MESSAGE_MAX } from '@mooring/contract/device/limits';
import { startFleet } from '@mooring/terminal/start-fleet';
import { sql } from 'kysely';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDeviceToken } from '../../platform/gateway/device-token.ts';
import { estate, joined, ownBrokers, type TestStack, testStack, until } from './device.factory.ts';

describe.each(ownBrokers)('%s broker', (kind) => {
  let plane: TestStack;
  const [MINE, OTHER] = ['VG-000001', 'VG-000002'];
  const clients: MqttClient[] = [];

  async function connect(
    sn: string,
    change: { clientId?: string; username?: string; gen?: number; expired?: boolean } = {},
  ): Promise<MqttClient> {
    const expiresAt = new Date(Date.now() + (change.expired ? -1 : 60_000));
    const client = mqtt.connect(`mqtt://127.0.0.1:${plane.mqttPort}`, {
      clientId: change.clientId ?? sn,
      username: change.username ?? sn,
      password: makeDeviceToken(plane.app.masterKey, { sn, gen: change.gen ?? 0, expiresAt }),
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    clients.push(client);
    return joined(client);
  }
  const refusals = async (sn: string) =>
    (
      await plane.app.unscoped((db) =>
        sql<{ kind: string; reason: string }>`select kind, reason from gateway_refused where sn = ${sn} order by id`.execute(db),
      )
    ).rows;
  const closed = (client: MqttClient) =>
    new Promise<void>((resolve) => (client.connected ? client.once('close', () => resolve()) : resolve()));
  const wire = (data: unknown, more: object = {}) =>
    JSON.stringify({ v: 1, id: `m-${Math.random()}`, at: new Date().toISOString(), data, ...more });

  beforeAll(async () => {
    plane = await testStack({}, kind);
    const { code } = await plane.app.unscoped((db) => estate(db));
    const fleet = startFleet({ server: plane.server, count: 2, seed: 'G', code });
    await fleet.whenOnline(2);
    await fleet.stop();
  });
  afterAll(async () => {
    for (const client of clients) client.end(true);
    await plane.stop();
  });

  test('another terminal’s topic is not written, and the connection ends', async () => {
    const client = await connect(MINE);
    client.publish(`d/${OTHER}/up/event`, wire({ name: 'tamper', level: 'alarm' }), { qos: 0 });
    await closed(client);
    await until(async () => (await refusals(MINE)).some((one) => one.reason === `publish d/${OTHER}/up/event`));
    const events = await plane.app.unscoped((db) => sql`select 1 from device_event`.execute(db));
    expect(events.rows).toHaveLength(0);
  });

  test.each([`d/${OTHER}/down/+`, 'd/+/down/+', 'd/#', '#', '$SYS/#', `d/${MINE}/up/+`])(
    'a subscription to %s delivers nothing',
    async (filter) => {
      const client = await connect(MINE);
      const heard: string[] = [];
      client.on('message', (topic) => heard.push(topic));
      await client.subscribeAsync(filter).catch(() => {});
      const other = await connect(OTHER);
      other.publish(`d/${OTHER}/up/event`, wire({ name: 'boot' }), { qos: 1 });
      await until(async () => (await plane.app.unscoped((db) => sql`select 1 from device_event`.execute(db))).rows.length > 0);
      expect(heard).toEqual([]);
      client.end(true);
      other.end(true);
    },
  );

  test('a terminal can not take over another’s connection, nor speak for it', async () => {
    await expect(connect(MINE, { clientId: OTHER })).rejects.toThrow(/Not authorized/i);
    await expect(connect(MINE, { username: OTHER })).rejects.toThrow(/Not authorized/i);
    await expect(connect(MINE, { gen: 7 })).rejects.toThrow(/Not authorized/i);
    await expect(connect(MINE, { expired: true })).rejects.toThrow(/Not authorized/i);
    await expect(connect('VG-999999')).rejects.toThrow(/Not authorized/i);
  });

  test('what can not be read is kept with its reason and harms nothing', async () => {
    const client = await connect(MINE);
    const send = (kind: string, payload: string | Buffer) => client.publish(`d/${MINE}/up/${kind}`, payload, { qos: 1 });
    send('dance', wire({}));
    send('beat', '{"v":1');
    send('beat', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    send('beat', wire({ battery: 101 }));
    send('beat', wire({}, { v: 99 }));
    send('beat', '[[[[]]]]');
    const kept = await until(async () => {
      const rows = (await refusals(MINE)).filter((one) => one.kind !== 'guard');
      return rows.length >= 6 && rows;
    });
    expect(kept.map((one) => one.reason.split(/[: ]/)[0])).toEqual(['unknownKind', 'notJson', 'notUtf8', 'data', 'version', 'envelope']);
    expect(client.connected).toBe(true);
    client.end(true);
  });

  test('a message above the limit ends the connection before it is gathered', async () => {
    const client = await connect(MINE);
    client.publish(`d/${MINE}/up/event`, Buffer.alloc(MESSAGE_MAX * 8, 0x20), { qos: 0 });
    await closed(client);
    await until(async () => (await refusals(MINE)).some((one) => one.reason === 'tooLarge'));
  });

  test('a hello may be as long as 300 apps make it, and is taken whatever they are called; another message may not', async () => {
    const name = '收'.repeat(60);
    const apps = Array.from({ length: 300 }, (_, at) => ({
      id: `com.bank.n${at}`,
      name,
      version: '1.0',
      code: at,
      certificate: 'ab'.repeat(32),
    }));
    apps.push({ ...(apps[0] as (typeof apps)[0]), id: 'no package' });
    Object.assign(apps[0] as object, { name: `Pay\0${'x'.repeat(5000)}`, version: 'v'.repeat(200) });
    const hello = wire({ product: 'A920', firmware: '1.0', agent: 'x', capabilities: [], timeZone: 'UTC', apps });
    expect(Buffer.byteLength(hello)).toBeGreaterThan(MESSAGE_MAX);
    const client = await connect(MINE);
    const before = (await refusals(MINE)).length;
    client.publish(`d/${MINE}/up/hello`, hello, { qos: 1 });
    const kept = () =>
      plane.app.unscoped((db) =>
        sql<{ name: string; version: string; n: number }>`
          select max(a.name) filter (where a.package_name = 'com.bank.n0') as name, max(a.version_name) filter (where a.package_name = 'com.bank.n0') as version, count(*)::int as n
          from device_app a join device d on d.id = a.device_id where d.sn = ${MINE}`.execute(db),
      );
    await until(async () => (await kept()).rows[0]?.n === 300);
    expect((await kept()).rows[0]).toEqual({ name: `Pay${'x'.repeat(252)}`, version: 'v'.repeat(200), n: 300 });
    expect(await refusals(MINE)).toHaveLength(before);
    client.publish(`d/${MINE}/up/event`, Buffer.alloc(MESSAGE_MAX + 1, 0x20), { qos: 0 });
    await until(async () => (await refusals(MINE)).some((one) => one.kind === 'event' && one.reason === 'tooLarge'));
    expect(client.connected).toBe(true);
    client.end(true);
  });

  test('who speaks without end is held to its budget: one is kept, all are counted, and the connection stays', async () => {
    const client = await connect(OTHER);
    for (let n = 0; n < 6500; n += 1) client.publish(`d/${OTHER}/up/progress`, wire({ offer: 'none', phase: 'downloading' }), { qos: 0 });
    await until(async () => (await refusals(OTHER)).some((one) => one.reason === 'overBudget'));
    const counted = async () =>
      /refused_total\{reason="overBudget"\} (\d+)/.exec(await (await fetch(`${plane.server}/metrics`)).text())?.[1];
    await until(async () => Number(await counted()) > 300);
    expect((await refusals(OTHER)).filter((one) => one.reason === 'overBudget')).toHaveLength(1);
    expect(client.connected).toBe(true);
    client.end(true);
  });

  test('all of it is counted for the operator', async () => {
    const metrics = await (await fetch(`${plane.server}/metrics`)).text();
    expect(metrics).toMatch(/mooring_messages_refused_total\{reason="unknownKind"\} 1\n/);
    expect(metrics).toMatch(/mooring_messages_refused_total\{reason="tooLarge"\} 2\n/);
    expect(metrics).toMatch(/mooring_messages_taken_total [1-9]/);
  });
});
