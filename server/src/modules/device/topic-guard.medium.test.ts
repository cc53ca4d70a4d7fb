import { startFleet } from '@mooring/terminal/start-fleet';
import { sql } from 'kysely';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { brokers, estate, joined, type TestStack, testStack, until } from './device.factory.ts';

/** What holds at every broker, whatever it answers: what isn't one's own is never delivered, in neither direction. */
describe.each(brokers)('%s broker', (kind) => {
  let plane: TestStack;
  let fleet: ReturnType<typeof startFleet>;
  const [MINE, OTHER] = ['VGUARD-000001', 'VGUARD-000002'];
  const clients: MqttClient[] = [];

  beforeAll(async () => {
    plane = await testStack({}, kind);
    const { code } = await plane.app.unscoped((db) => estate(db));
    fleet = startFleet({ server: plane.server, count: 2, seed: 'GUARD', code, over: 'tls' });
    await fleet.whenOnline(2);
    // The first one's certificate is now in other hands.
    await fleet.terminals[0]?.agent()?.stop();
  });
  afterAll(async () => {
    for (const client of clients) client.end(true);
    await fleet.stop();
    await plane.stop();
  });

  const asMine = (clientId: string): Promise<MqttClient> => {
    const terminal = fleet.terminals[0];
    const enrolled = terminal?.enrolled();
    const client = mqtt.connect(`mqtts://127.0.0.1:${plane.mqttTlsPort}`, {
      clientId,
      username: OTHER,
      cert: enrolled?.certificate ?? '',
      key: terminal?.keys.privatePem ?? '',
      ca: enrolled?.root ?? '',
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    clients.push(client);
    return joined(client);
  };

  test('another terminal’s messages, wildcards and $SYS are never delivered', async () => {
    const heard: string[] = [];
    for (const filter of [`d/${OTHER}/down/+`, 'd/+/down/+', 'd/#', '#', '$SYS/#', `d/${OTHER}/up/+`, '$share/mooring/d/+/up/+']) {
      const client = await asMine(MINE);
      client.on('message', (topic) => heard.push(topic));
      await client.subscribeAsync(filter).catch(() => {});
      await plane.app.unscoped(async (db) => {
        const device = await db.selectFrom('device').select('id').where('sn', '=', OTHER).executeTakeFirstOrThrow();
        await sendMessages(db, [
          {
            deviceId: device.id,
            kind: 'command',
            data: { command: 'message', params: { title: filter, text: 'secret' } },
            expiresAt: new Date(Date.now() + 60_000),
          },
        ]);
      });
      await until(() => fleet.terminals[1]?.body.messages.some((one) => one.title === filter));
      client.end(true);
    }
    expect(heard).toEqual([]);
  });

  test('what it says in another’s name is not taken', async () => {
    const client = await asMine(MINE);
    const event = (name: string) => JSON.stringify({ v: 1, id: `x-${name}`, at: new Date().toISOString(), data: { name } });
    client.publish(`d/${MINE}/up/event`, event('own'), { qos: 0 });
    client.publish(`d/${OTHER}/up/event`, event('foreign'), { qos: 0 });
    client.publish(`d/${OTHER}/down/command`, event('order'), { qos: 0 });
    const names = async () =>
      (await plane.app.unscoped((db) => sql<{ name: string }>`select name from device_event`.execute(db))).rows.map((row) => row.name);
    await until(async () => (await names()).includes('own'));
    expect(await names()).not.toContain('foreign');
  });

  test('it does not take over another’s connection', async () => {
    const client = await asMine(OTHER).catch(() => undefined);
    expect(fleet.terminals[1]?.agent()?.isUp()).toBe(true);
    client?.end(true);
  });
});
