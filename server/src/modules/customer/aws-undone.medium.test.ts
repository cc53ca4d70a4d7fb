import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { awsCalls } from '@mooring/contract/customer/registration';
import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { AWS_OTHER_POLICY, type Aws, awsServer, refused } from './aws.factory.ts';
import { awsWords } from './aws-words.factory.ts';
import { type IotBench, iotBench, type Row } from './customer.factory.ts';
import { followDevices } from './follow-devices.ts';
import { registerDue } from './register.ts';

let bench: IotBench;
let aws: Aws;
beforeAll(async () => {
  bench = await iotBench();
  aws = await awsServer();
});
afterAll(async () => {
  await bench.stop();
  await aws.receiver.stop();
});
beforeEach(() => {
  aws.things.clear();
  aws.certificates.clear();
  aws.isLate = false;
  aws.trouble = undefined;
});
afterEach(() => bench.app.context.unscoped((db) => db.deleteFrom('customer_iot').execute()));

const { platform, enrolled, certify, register, states, work, ids } = awsWords(() => ({ bench, aws }));
const revokeAll = (of: Row) => bench.keeper.call(awsCalls.revoke, { of: { criteria: { customerId: of.id }, except: [] } });
const follow = async () => {
  await followDevices(bench.app.context);
  await work();
};
const statuses = () => [...aws.certificates.values()].map(({ status }) => status);
const one = async () => {
  const [device] = await enrolled();
  if (!device) throw new Error('no terminal');
  return device;
};

test('credentials that are revoked here let nobody in there', async () => {
  const of = await bench.add(platform());
  const [lost, renewed] = await enrolled(bench.bank, 2);
  if (!lost || !renewed) throw new Error('no terminals');
  await register(of, ids([lost, renewed]));
  await work();
  await bench.keeper.call(deviceCalls.revoke, { id: lost.id });
  await follow();
  expect((await states(of))[lost.sn]).toEqual(['revoked', 'IOT_NO_CERTIFICATE']);
  expect(statuses().toSorted()).toEqual(['ACTIVE', 'INACTIVE']);
  // Another one in the same breath: the old one is out, even where the new one isn't taken.
  await bench.keeper.call(deviceCalls.revoke, { id: renewed.id });
  await certify(renewed.id);
  aws.trouble = ({ url }) =>
    url.startsWith('/things') ? undefined : url.includes('register-no-ca') ? refused(410, 'LimitExceededException') : undefined;
  await follow();
  expect((await states(of))[renewed.sn]).toEqual(['failed', 'IOT_LIMIT']);
  expect(statuses()).toEqual(['INACTIVE', 'INACTIVE']);
  aws.trouble = undefined;
  await bench.keeper.call(awsCalls.retry, { of: { criteria: { customerId: of.id }, except: [] } });
  await work();
  expect(statuses()).toEqual(['INACTIVE', 'INACTIVE', 'ACTIVE']);
});

test('credentials that are revoked while a terminal is being registered let nobody in either', async () => {
  const of = await bench.add(platform());
  const device = await one();
  await register(of, [device.id]);
  let asked = 0;
  aws.trouble = async ({ url }) => {
    if (!url.includes('register-no-ca') || asked++ > 0) return undefined;
    await bench.keeper.call(deviceCalls.revoke, { id: device.id });
    await followDevices(bench.app.context);
    return undefined;
  };
  await work();
  await follow();
  expect((await states(of))[device.sn]).toEqual(['revoked', 'IOT_NO_CERTIFICATE']);
  expect(statuses()).toEqual(['INACTIVE']);
});

test('a platform is not deleted while anything at the other side stands', async () => {
  const of = await bench.add(platform());
  const device = await one();
  const remove = async () => (await bench.keeper.send(iotCustomerCalls.delete, { id: of.id })).body?.fault;
  await register(of, [device.id]);
  expect(await remove()).toBe('IOT_CUSTOMER_REGISTERED');
  await work();
  await certify(device.id);
  aws.trouble = () => refused(410, 'LimitExceededException');
  await follow();
  expect((await states(of))[device.sn]?.[0]).toBe('failed');
  expect(await remove()).toBe('IOT_CUSTOMER_REGISTERED');
  await revokeAll(of);
  expect(await remove()).toBe('IOT_CUSTOMER_REGISTERED');
  await work();
  expect((await states(of))[device.sn]?.[0]).toBe('stuck');
  expect(await remove()).toBe('IOT_CUSTOMER_REGISTERED');
  aws.trouble = undefined;
  await bench.keeper.call(awsCalls.retry, { of: { criteria: { customerId: of.id }, except: [] } });
  await work();
  expect(statuses()).toEqual(['INACTIVE']);
  expect(await remove()).toBeUndefined();
});

test.each(['/target-policies/', '/principals', 'newStatus=ACTIVE'])('what was made before %s failed is undone', async (step) => {
  const of = await bench.add(platform());
  const device = await one();
  await register(of, [device.id]);
  await work();
  await certify(device.id);
  aws.trouble = ({ url }) => (url.includes(step) ? refused(410, 'LimitExceededException') : undefined);
  await follow();
  expect((await states(of))[device.sn]).toEqual(['failed', 'IOT_LIMIT']);
  expect(statuses()).toEqual(['ACTIVE', 'INACTIVE']);
  aws.trouble = undefined;
  await revokeAll(of);
  await work();
  expect((await states(of))[device.sn]).toEqual(['revoked', null]);
  expect([...aws.certificates.values()]).toMatchObject([
    { status: 'INACTIVE', things: new Set(), policies: new Set() },
    { status: 'INACTIVE', things: new Set(), policies: new Set() },
  ]);
});

test.each([0, 3])('taken back while it is being registered, %i minutes later, it is taken back in the end', async (minutes) => {
  const of = await bench.add(platform());
  const device = await one();
  await register(of, [device.id]);
  let asked = 0;
  aws.trouble = async ({ url }) => {
    if (!url.includes('newStatus=ACTIVE') || asked++ > 0) return undefined;
    await revokeAll(of);
    bench.later(minutes);
    await registerDue(bench.app.context);
    expect((await states(of))[device.sn]?.[0]).toBe(minutes === 0 ? 'revoking' : 'revoked');
    return undefined;
  };
  await registerDue(bench.app.context);
  expect(statuses()).toEqual(['ACTIVE']);
  await work();
  expect((await states(of))[device.sn]?.[0]).toBe('revoked');
  expect([...aws.certificates.values()]).toMatchObject([{ status: 'INACTIVE', things: new Set() }]);
  expect(aws.things.size).toBe(0);
});

test('the place of a platform stays while terminals are registered there; another policy takes the place of the old one', async () => {
  const of = await bench.add(platform());
  const device = await one();
  await register(of, [device.id]);
  await work();
  const { id, revision, name } = of;
  const { kind: _kind, ...same } = platform();
  const change = async (more: object) => bench.keeper.send(iotCustomerCalls.update, { id, revision, name, ...same, ...more });
  for (const [field, value] of [
    ['region', 'eu-west-1'],
    ['controlEndpoint', ''],
    ['endpoint', 'https://1.1.1.1'],
  ] as const)
    expect((await change({ [field]: value })).body?.fields, field).toMatchObject({ [field]: { key: 'fault.IOT_CUSTOMER_REGISTERED' } });
  expect((await change({ policy: AWS_OTHER_POLICY })).code).toBe(200);
  await follow();
  expect((await states(of))[device.sn]).toEqual(['registered', null]);
  expect([...aws.certificates.values()]).toMatchObject([{ status: 'ACTIVE', policies: new Set([AWS_OTHER_POLICY]) }]);
  await revokeAll(of);
  await work();
  const { revision: next } = await bench.keeper.call(iotCustomerCalls.detail, { id });
  expect((await change({ revision: next, controlEndpoint: '', policy: AWS_OTHER_POLICY })).code).toBe(200);
});

test('a certificate may be let go of late, and a thing of somebody else stays', async () => {
  const of = await bench.add(platform());
  const [ours, theirs] = await enrolled(bench.bank, 2);
  if (!ours || !theirs) throw new Error('no terminals');
  aws.things.add(theirs.sn);
  aws.isLate = true;
  await register(of, ids([ours, theirs]));
  await work();
  await revokeAll(of);
  await work();
  expect((await states(of))[ours.sn]).toEqual(['revoking', 'IOT_STATUS']);
  bench.later();
  await work();
  expect((await states(of))[ours.sn]).toEqual(['revoked', null]);
  expect((await states(of))[theirs.sn]).toEqual(['revoked', null]);
  expect(aws.things).toEqual(new Set([theirs.sn]));
  expect(statuses()).toEqual(['INACTIVE', 'INACTIVE']);
});

test('what is said while a certificate is renewed is forwarded', async () => {
  const of = await bench.add(platform());
  const device = await one();
  await register(of, [device.id]);
  await bench.event([device], 'before');
  await work();
  await certify(device.id);
  await followDevices(bench.app.context);
  await bench.event([device], 'meanwhile');
  aws.trouble = ({ method }) => (method === 'GET' ? undefined : refused(410, 'LimitExceededException'));
  await work();
  expect((await states(of))[device.sn]?.[0]).toBe('failed');
  await bench.event([device], 'failed');
  aws.trouble = undefined;
  const { rows } = await bench.app.context.unscoped((db) =>
    sql<{ name: string }>`select name from customer_message where customer_id = ${of.id} order by id`.execute(db),
  );
  expect(rows.map((row) => row.name)).toEqual(['meanwhile', 'failed']);
});

test('a platform that doesn’t answer isn’t asked about each of its terminals', async () => {
  const of = await bench.add(platform());
  await register(of, ids(await enrolled(bench.bank, 20)));
  aws.asked.length = 0;
  aws.trouble = () => refused(503, 'ServiceUnavailableException');
  await work();
  expect(aws.asked.length).toBeLessThanOrEqual(8);
  aws.trouble = undefined;
  for (let n = 0; n < 3; n += 1) {
    bench.later(20);
    await work();
  }
  expect(aws.things.size).toBe(20);
});
