import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { missingPrograms, until } from '../device/device.factory.ts';
import { type IotBench, iotBench } from './customer.factory.ts';
import { type Mosquitto, MQTT_PASSWORD, MQTT_USER, startMosquitto } from './receivers.factory.ts';

if (missingPrograms('mosquitto').length > 0) process.stderr.write('skipped: IoT platforms over MQTT, because mosquitto is not installed\n');

describe.skipIf(missingPrograms('mosquitto').length > 0)('a Mosquitto over TLS, by MQTT 5', () => {
  let bench: IotBench;
  let broker: Mosquitto;
  beforeAll(async () => {
    bench = await iotBench();
    broker = await startMosquitto();
  });
  afterAll(async () => {
    await bench.stop();
    await broker.stop();
  });
  beforeEach(() => {
    broker.got.length = 0;
  });
  afterEach(() => bench.app.context.unscoped((db) => db.deleteFrom('customer_iot').execute()));

  const platform = () => ({
    kind: 'mqtt',
    endpoint: broker.url,
    ca: broker.ca,
    signIn: 'password',
    userName: MQTT_USER,
    secret: MQTT_PASSWORD,
  });
  const detail = (id: number) => bench.keeper.call(iotCustomerCalls.detail, { id });

  test('messages arrive at their topics with id and number beside them', async () => {
    await bench.add(platform());
    const [one] = await bench.terminals(bench.bank);
    if (!one) throw new Error('no terminal');
    await bench.event([one], 'tamper');
    await bench.property([one], { fan: 3 });
    expect(await bench.forward()).toBe(2);
    await until(() => broker.got.length === 2);
    expect(broker.got[0]).toMatchObject({ topic: `mooring/A920/${one.sn}/event`, body: { name: 'tamper', seq: 1 } });
    expect(broker.got[1]).toMatchObject({ topic: `mooring/A920/${one.sn}/property`, body: { values: { fan: 3 }, seq: 2 } });
    expect(broker.got[0]?.properties).toEqual({ id: broker.got[0]?.body.id, seq: '1' });
  });

  test('a broker that is killed gets everything afterwards, in order', async () => {
    const all = await bench.add(platform());
    const devices = await bench.terminals(bench.bank, 3);
    await bench.event(devices, 'before');
    await bench.forward();
    await until(() => broker.got.length === 3);
    await broker.down();
    for (let n = 0; n < 3; n += 1) await bench.event(devices, `e${n}`);
    await bench.forward();
    expect(await detail(all.id)).toMatchObject({ state: 'failing', waiting: 9 });
    await broker.up();
    bench.later();
    await bench.forward();
    await until(() => broker.got.length === 12);
    for (const { sn } of devices)
      expect(broker.got.filter(({ body }) => body.sn === sn).map(({ body }) => body.name)).toEqual(['before', 'e0', 'e1', 'e2']);
    expect(await detail(all.id)).toMatchObject({ state: 'active', waiting: 0 });
  });

  test('a hostile product code makes neither a level nor a wildcard', async () => {
    await bench.add(platform());
    const [one] = await bench.terminals(bench.bank);
    if (!one) throw new Error('no terminal');
    await bench.app.context.unscoped((db) => sql`update product_product set code = 'A/+#9' where id = ${bench.productId}`.execute(db));
    await bench.event([one]);
    await bench.forward();
    await bench.app.context.unscoped((db) => sql`update product_product set code = 'A920' where id = ${bench.productId}`.execute(db));
    await until(() => broker.got.length === 1);
    expect(broker.got[0]?.topic).toBe(`mooring/A___9/${one.sn}/event`);
  });

  test('wrong passwords, forbidden topics, untrusted certificates and silence are said in words', async () => {
    const tried = async (more: object) => {
      const { id } = await bench.add({ ...platform(), ...more });
      return (await bench.keeper.call(iotCustomerCalls.test, { id })).reason;
    };
    expect(await tried({})).toBeNull();
    await until(() => broker.got.length === 1);
    expect(broker.got[0]).toMatchObject({ topic: 'mooring/TEST/TEST/test', body: { kind: 'test' } });
    expect(await tried({ secret: 'wrong' })).toBe('IOT_SIGN_IN');
    expect(await tried({ topic: 'forbidden/{sn}' })).toBe('IOT_FORBIDDEN');
    expect(await tried({ ca: '' })).toBe('IOT_TLS');
    expect(await tried({ endpoint: 'mqtts://127.0.0.1:9' })).toBe('IOT_UNREACHABLE');
    const add = (more: object) => bench.keeper.send(iotCustomerCalls.add, { name: 'x', deptId: bench.bank.id, ...platform(), ...more });
    expect((await add({ endpoint: 'https://127.0.0.1/' })).body?.fields).toHaveProperty('endpoint');
    expect((await add({ topic: 'a/#' })).body?.fields).toHaveProperty('topic');
    expect((await add({ topic: '' })).body?.fields).toHaveProperty('topic');
  });

  test('a message that is too large for the broker holds nothing up', async () => {
    const all = await bench.add(platform());
    const [one] = await bench.terminals(bench.bank);
    if (!one) throw new Error('no terminal');
    await bench.event([one], 'huge', { params: { text: 'x'.repeat(61_000) } });
    await bench.event([one], 'small');
    await bench.forward();
    await until(() => broker.got.length === 1);
    expect(broker.got[0]?.body).toMatchObject({ name: 'small', seq: 2 });
    expect(await detail(all.id)).toMatchObject({ state: 'active', waiting: 0 });
  });

  test('a broker has no more under way than it said', async () => {
    const narrow = await startMosquitto('max_inflight_messages 2\n');
    const all = await bench.add({ ...platform(), endpoint: narrow.url, ca: narrow.ca });
    await bench.event(await bench.terminals(bench.bank, 16));
    expect(await bench.forward()).toBe(16);
    await until(() => narrow.got.length === 16);
    await narrow.stop();
    expect(await detail(all.id)).toMatchObject({ state: 'active', waiting: 0 });
  });

  test('a topic that one terminal may not have holds up that one alone', async () => {
    const all = await bench.add({ ...platform(), topic: '{product}/{sn}' });
    const [one] = await bench.terminals(bench.bank);
    if (!one) throw new Error('no terminal');
    await bench.app.context.unscoped((db) => sql`update product_product set code = 'forbidden' where id = ${bench.productId}`.execute(db));
    await bench.event([one]);
    await bench.app.context.unscoped((db) => sql`update product_product set code = 'A920' where id = ${bench.productId}`.execute(db));
    await bench.event(await bench.terminals(bench.bank, 20));
    await bench.forward();
    await until(() => broker.got.length === 20);
    expect(await detail(all.id)).toMatchObject({ state: 'active', waiting: 1 });
  });

  test('a client certificate needs the key that is its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mooring-iot-key-'));
    const make = (name: string) => {
      const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-subj', '/CN=m', '-days', '2'],
        { stdio: 'ignore' },
      );
      return { key: readFileSync(key, 'utf8').trim(), cert: readFileSync(cert, 'utf8').trim() };
    };
    const [mine, other] = [make('mine'), make('other')];
    rmSync(folder, { recursive: true });
    const own = { ...platform(), signIn: 'certificate', certificate: mine.cert };
    const add = async (more: object) =>
      (await bench.keeper.send(iotCustomerCalls.add, { name: 'x', deptId: bench.bank.id, ...own, ...more })).body?.fields;
    expect(await add({ secret: 'no key' })).toMatchObject({ secret: { key: 'invalid.iotKey' } });
    expect(await add({ secret: other.key })).toMatchObject({ secret: { key: 'fault.IOT_CREDENTIALS' } });
    const { id } = await bench.add({ ...own, secret: mine.key });
    // This broker asks for a password beside it: the handshake passed.
    expect((await bench.keeper.call(iotCustomerCalls.test, { id })).reason).toBe('IOT_SIGN_IN');
  });
});
