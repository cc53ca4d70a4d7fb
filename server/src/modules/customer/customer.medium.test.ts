import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { iotMessageCalls } from '@mooring/contract/customer/message';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type IotBench, iotBench } from './customer.factory.ts';
import { type HttpsReceiver, httpsReceiver } from './receivers.factory.ts';

let bench: IotBench;
let receiver: HttpsReceiver;
beforeAll(async () => {
  bench = await iotBench();
  receiver = await httpsReceiver();
});
afterAll(async () => {
  await bench.stop();
  await receiver.stop();
});
beforeEach(() => {
  receiver.got.length = 0;
  receiver.answer = () => 200;
});
afterEach(() => bench.app.context.unscoped((db) => db.deleteFrom('customer_iot').execute()));

const token = () => ({ kind: 'https', endpoint: `${receiver.url}/in`, ca: receiver.ca, signIn: 'token', secret: 'token-1' });
const detail = (id: number) => bench.keeper.call(iotCustomerCalls.detail, { id });

test('an address inside is refused when it is saved and when it is used; plain ones are never taken', async () => {
  const all = await bench.add(token());
  const devices = await bench.terminals(bench.bank);
  await bench.event(devices);
  expect(await bench.forward()).toBe(1);
  // A connection that stands doesn't outlive the list.
  receiver.got.length = 0;
  await bench.event(devices);
  await bench.admin.call(systemSettingCalls.outbound, { iot: [] });
  await bench.forward();
  expect(receiver.got).toEqual([]);
  expect(await detail(all.id)).toMatchObject({ state: 'failing', reason: 'ADDRESS_NOT_PUBLIC', waiting: 1 });
  const add = (more: object) => bench.keeper.send(iotCustomerCalls.add, { name: 'x', deptId: bench.bank.id, ...token(), ...more });
  expect((await add({})).body?.fault).toBe('ADDRESS_NOT_PUBLIC');
  await bench.admin.call(systemSettingCalls.outbound, { iot: ['127.0.0.1'] });
  for (const endpoint of ['http://127.0.0.1/in', 'mqtt://127.0.0.1', 'mqtts://127.0.0.1', 'https://a:b@127.0.0.1/', 'ftp://127.0.0.1/'])
    expect((await add({ endpoint })).body?.fields, endpoint).toHaveProperty('endpoint');
});

test('the secret is sealed, never answered or exported, and goes to the address alone that it was entered for', async () => {
  const all = await bench.add({ ...token(), secret: 'very-secret-words' });
  const stored = await bench.app.context.unscoped((db) => db.selectFrom('customer_iot').selectAll().executeTakeFirstOrThrow());
  expect(stored.secret_sealed.toString('latin1')).not.toContain('very-secret');
  const audit = await bench.app.context.unscoped((db) =>
    sql<{ all: string }>`select string_agg(a::text, ' ') as all from audit_entry a`.execute(db),
  );
  expect(audit.rows[0]?.all).not.toContain('very-secret');
  const shown = await detail(all.id);
  expect(JSON.stringify(shown)).not.toContain('very-secret');
  const { id, revision, name } = shown;
  const { kind: _kind, secret: _secret, ...same } = token();
  const change = (more: object) => bench.keeper.send(iotCustomerCalls.update, { id, revision, name, ...same, ...more });
  expect((await change({ endpoint: 'https://1.1.1.1/in' })).body?.fields?.secret).toMatchObject({ key: 'invalid.iotSecretAgain' });
  expect((await change({ signIn: 'hmac' })).body?.fields?.secret).toMatchObject({ key: 'invalid.iotSecretAgain' });
  expect((await change({ endpoint: `${receiver.url}/other` })).code).toBe(200);
  await bench.event(await bench.terminals(bench.bank));
  await bench.forward();
  expect(receiver.got[0]).toMatchObject({ url: '/other', headers: { authorization: 'Bearer very-secret-words' } });
});

test('another organisation sees nothing of it, and who is above sees it', async () => {
  const all = await bench.add(token());
  await bench.event(await bench.terminals(bench.bank));
  expect((await bench.outsider.call(iotCustomerCalls.page, {})).content).toEqual([]);
  expect((await bench.outsider.call(iotMessageCalls.page, {})).content).toEqual([]);
  for (const call of [iotCustomerCalls.detail, iotCustomerCalls.pause, iotCustomerCalls.delete, iotCustomerCalls.overview])
    expect((await bench.outsider.send(call, { id: all.id })).code, call.path).toBe(404);
  expect((await bench.admin.call(iotCustomerCalls.page, {})).content).toHaveLength(1);
});

test('what is wrong is said at its field; an organisation has ten platforms at most', async () => {
  const add = async (more: object) =>
    Object.keys(
      (await bench.keeper.send(iotCustomerCalls.add, { name: 'x', deptId: bench.bank.id, ...token(), ...more })).body?.fields ?? {},
    );
  expect(await add({ signIn: 'password' })).toEqual(['signIn']);
  expect(await add({ secret: '' })).toEqual(['secret']);
  expect(await add({ events: 'some' })).toEqual(['eventNames']);
  expect(await add({ properties: 'some' })).toEqual(['propertyNames']);
  expect(await add({ ca: 'no certificate' })).toEqual(['ca']);
  expect(await add({ backlogDays: 0 })).toEqual(['backlogDays']);
  expect((await bench.keeper.send(iotCustomerCalls.add, { name: 'x', ...token(), deptId: bench.other.id })).code).toBe(404);
  for (let n = 0; n < 10; n += 1) await bench.add(token());
  expect((await bench.keeper.send(iotCustomerCalls.add, { name: 'one more', deptId: bench.bank.id, ...token() })).body?.fault).toBe(
    'IOT_CUSTOMERS_MANY',
  );
});
