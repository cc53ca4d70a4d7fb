import { mostBytes } from '@mooring/contract/device/limits';
import { upMessages } from '@mooring/contract/device/messages';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { type UpKind, upKinds } from '@mooring/contract/device/topics';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { startFleet } from '@mooring/terminal/start-fleet';
import fc from 'fast-check';
import { sql } from 'kysely';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { estate, type TestStack, testStack, until } from '../../src/modules/device/device.factory.ts';
import { makeDeviceToken } from '../../src/platform/gateway/device-token.ts';
import { inputsOf, spoiledOf } from './inputs.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 40);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const [MINE, OTHER] = ['VF-000001', 'VF-000002'];
let plane: TestStack;
let client: MqttClient;
let count = 0;

const connect = async () => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  client = await mqtt.connectAsync(`mqtt://127.0.0.1:${plane.mqttPort}`, {
    clientId: MINE,
    username: MINE,
    password: makeDeviceToken(plane.app.masterKey, { sn: MINE, gen: 0, expiresAt }),
    protocolVersion: 4,
    reconnectPeriod: 0,
  });
};
beforeAll(async () => {
  plane = await testStack();
  const { code } = await plane.app.unscoped((db) => estate(db));
  const fleet = startFleet({ server: plane.server, count: 2, seed: 'F', code });
  await fleet.whenOnline(2);
  // What they said when they came is written a moment later, too.
  await until(async () => (await rows(sql`select from device where activated_at is not null`)).length === 2);
  await fleet.stop();
  // Their leaving is heard a moment later, and would count as something that this terminal did.
  await until(async () => (await rows(sql`select from device where status = ${codeOf(deviceMachine, 'online')}`)).length === 0);
  await connect();
});
afterAll(async () => {
  client.end(true);
  await plane.stop();
});

const rows = <T>(query: ReturnType<typeof sql<T>>) => plane.app.unscoped(async (db) => (await query.execute(db)).rows);
/** What a terminal has no say in: of itself its place and identity, of another everything. */
const fixed = () =>
  rows(sql`
    select id, sn, dept_id, dept_path, product_id, lock_status, tags, config, credential_gen, case when sn = ${OTHER} then to_jsonb(d) end as whole
    from device d order by id`);
const wire = (data: unknown) => {
  count += 1;
  return JSON.stringify({ v: 1, id: `fuzz-${SEED}-${count}`, at: new Date().toISOString(), data });
};
/** Answered when it is kept: what is sent without waiting for that goes in order, and is kept together. */
const send = async (kind: string, payload: string | Buffer) => {
  if (payload.length > mostBytes(kind)) return;
  await client.publishAsync(`d/${MINE}/up/${kind}`, payload, { qos: 1 });
};
/** The queue goes in order: an event that comes through says that all before it did. */
const sync = async () => {
  count += 1;
  const name = `sync-${count}`;
  await send('event', wire({ name }));
  await until(async () => (await rows(sql`select 1 from device_event where name = ${name}`)).length > 0);
};
const failures = () => rows<{ kind: string; reason: string }>(sql`select kind, reason from gateway_refused where reason like 'handler:%'`);

describe.each(upKinds)('%s', (kind: UpKind) => {
  test(`spoiled and good messages (seed ${SEED})`, async () => {
    const before = await fixed();
    const failed = await failures();
    const good = inputsOf(upMessages[kind]);
    const samples = [
      ...fc.sample(spoiledOf(good), { numRuns: RUNS, seed: SEED }),
      ...fc.sample(good, { numRuns: Math.ceil(RUNS / 3), seed: SEED }),
    ];
    await Promise.all(samples.map((data) => send(kind, wire(data))));
    await sync();
    expect(await failures()).toEqual(failed);
    expect(await fixed()).toEqual(before);
  });
});

test('envelopes, bytes and depths that no terminal makes', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const good = JSON.parse(wire({ name: 'odd' })) as Record<string, unknown>;
  const payloads = [
    ...fc.sample(spoiledOf(fc.constant(good)), { numRuns: RUNS, seed: SEED }).map((one) => JSON.stringify(one) ?? ''),
    ...fc.sample(fc.uint8Array({ maxLength: 300 }), { numRuns: RUNS, seed: SEED }).map((one) => Buffer.from(one)),
    deep(30_000),
    JSON.stringify({ ...good, data: { values: 0 } }).replace('0}', `{"a":${deep(20_000)}}}`),
    JSON.stringify({ ...good, id: 'x'.repeat(65) }),
    JSON.stringify({ ...good, at: '9999-12-31T23:59:59.999Z' }),
    JSON.stringify({ ...good, at: '0001-01-01T00:00:00.000Z' }),
  ];
  await Promise.all(payloads.flatMap((payload) => ['event', 'property'].map((kind) => send(kind, payload))));
  await sync();
  expect(await failures()).toEqual([]);
  expect((await fetch(`${plane.server}/readyz`)).status).toBe(200);
});
