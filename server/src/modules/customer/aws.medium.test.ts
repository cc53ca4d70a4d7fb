import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { awsCalls } from '@mooring/contract/customer/registration';
import { deviceCalls } from '@mooring/contract/device/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { AWS_POLICY, AWS_SECRET, type Aws, awsServer, refused, signatureOf } from './aws.factory.ts';
import { awsWords } from './aws-words.factory.ts';
import { type IotBench, iotBench } from './customer.factory.ts';
import { followDevices } from './follow-devices.ts';

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
  aws.wrong.length = 0;
  aws.asked.length = 0;
  aws.receiver.got.length = 0;
  aws.trouble = undefined;
});
afterEach(() => bench.app.context.unscoped((db) => db.deleteFrom('customer_iot').execute()));

const { platform, enrolled, certify, register, states, work, ids } = awsWords(() => ({ bench, aws }));

test('terminals become things with their own certificates; only they are forwarded, to their topics', async () => {
  const of = await bench.add(platform());
  const devices = await enrolled(bench.branch, 12);
  const [one, two, ...rest] = devices;
  if (!one || !two) throw new Error('no terminals');
  expect(await bench.keeper.call(awsCalls.register, { customerId: of.id, of: { ids: ids(devices) }, preview: true })).toMatchObject({
    total: 12,
    done: 0,
  });
  expect(await register(of, ids([one, ...rest]))).toMatchObject({ total: 11, done: 11, refused: 0 });
  await work();
  expect(aws.wrong).toEqual([]);
  expect(aws.things).toEqual(new Set([one, ...rest].map(({ sn }) => sn)));
  expect(
    [...aws.certificates.values()].every(
      ({ status, things, policies }) => status === 'ACTIVE' && things.size === 1 && policies.has(AWS_POLICY),
    ),
  ).toBe(true);
  expect((await states(of))[one.sn]).toEqual(['registered', null]);
  expect(await bench.keeper.call(awsCalls.counts, { customerId: of.id })).toMatchObject({
    counts: { registered: 11, waiting: 0 },
    capped: false,
  });
  expect(await bench.keeper.call(iotCustomerCalls.detail, { id: of.id })).toMatchObject({ registered: 11 });
  // Once more is no more.
  expect(await register(of, ids([one, ...rest]))).toMatchObject({ total: 11, done: 0, refused: 11 });
  aws.receiver.got.length = 0;
  await bench.event([one, two]);
  expect(await bench.forward()).toBe(1);
  expect(aws.receiver.got[0]).toMatchObject({ method: 'POST', url: `/topics/mooring/A920/${one.sn}/event?qos=1` });
  expect(JSON.parse(aws.receiver.got[0]?.body ?? '')).toMatchObject({ sn: one.sn, kind: 'event', seq: 1 });
});

test('the published example of Signature Version 4 is computed as it is published', () => {
  // AWS General Reference, "get-vanilla" of the signature test suite.
  const authorization =
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31';
  const request = {
    method: 'GET',
    url: '/',
    headers: { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', authorization },
    body: '',
  };
  expect(signatureOf(request, AWS_SECRET)).toMatchObject({ fits: true, service: 'service' });
  expect(signatureOf({ ...request, body: 'x' }, AWS_SECRET)).toMatchObject({ fits: false });
});

test('a terminal without a certificate fails with what to do, and is retried', async () => {
  const of = await bench.add(platform());
  const [bare] = await bench.terminals(bench.bank);
  if (!bare) throw new Error('no terminal');
  await register(of, [bare.id]);
  await work();
  expect((await states(of))[bare.sn]).toEqual(['failed', 'IOT_NO_CERTIFICATE']);
  await certify(bare.id);
  await bench.keeper.call(awsCalls.retry, { of: { criteria: { customerId: of.id }, except: [] } });
  await work();
  expect((await states(of))[bare.sn]).toEqual(['registered', null]);
});

test('wrong keys, a policy that isn’t there and limits say so; what passes by itself is tried again', async () => {
  const [one, two, three, four] = await enrolled(bench.bank, 4);
  if (!one || !two || !three || !four) throw new Error('no terminals');
  const denied = await bench.add({ ...platform(), secret: 'wrong' });
  const unknown = await bench.add({ ...platform(), policy: 'other' });
  const limited = await bench.add(platform());
  await register(denied, [one.id]);
  await register(unknown, [two.id]);
  await work();
  expect((await states(denied))[one.sn]).toEqual(['failed', 'IOT_SIGN_IN']);
  expect((await states(unknown))[two.sn]).toEqual(['failed', 'IOT_NO_POLICY']);
  aws.trouble = () => refused(429, 'ThrottlingException');
  await register(limited, [three.id]);
  await work();
  expect((await states(limited))[three.sn]).toEqual(['waiting', 'IOT_THROTTLED']);
  aws.trouble = undefined;
  bench.later(20);
  await work();
  expect((await states(limited))[three.sn]).toEqual(['registered', null]);
  aws.trouble = () => refused(410, 'LimitExceededException');
  await register(limited, [four.id]);
  await work();
  expect((await states(limited))[four.sn]).toEqual(['failed', 'IOT_LIMIT']);
});

test('killed in the middle it is done again: what was made already counts as done', async () => {
  const of = await bench.add(platform());
  const [one] = await enrolled();
  if (!one) throw new Error('no terminal');
  await register(of, [one.id]);
  let asked = 0;
  aws.trouble = () => (++asked > 2 ? refused(503, 'ServiceUnavailableException') : undefined);
  await work();
  expect(aws.certificates.size).toBe(1);
  aws.trouble = undefined;
  bench.later(20);
  await work();
  expect((await states(of))[one.sn]).toEqual(['registered', null]);
  expect([aws.things.size, aws.certificates.size]).toEqual([1, 1]);
});

test('taken back, the certificate is inactive and the thing gone; asked for again it is active again', async () => {
  const of = await bench.add(platform());
  const [one] = await enrolled();
  if (!one) throw new Error('no terminal');
  await register(of, [one.id]);
  await work();
  expect((await bench.keeper.send(iotCustomerCalls.delete, { id: of.id })).body?.fault).toBe('IOT_CUSTOMER_REGISTERED');
  aws.trouble = ({ method }) => (method === 'DELETE' ? refused(401, 'UnauthorizedException') : undefined);
  expect(await bench.keeper.call(awsCalls.revoke, { of: { criteria: { customerId: of.id }, except: [] } })).toMatchObject({
    total: 1,
    done: 1,
  });
  await work();
  expect((await states(of))[one.sn]).toEqual(['stuck', 'IOT_SIGN_IN']);
  aws.trouble = undefined;
  await bench.keeper.call(awsCalls.retry, { of: { criteria: { customerId: of.id }, except: [] } });
  await work();
  expect((await states(of))[one.sn]).toEqual(['revoked', null]);
  expect([...aws.certificates.values()]).toMatchObject([{ status: 'INACTIVE', things: new Set() }]);
  expect(aws.things.size).toBe(0);
  await bench.event([one]);
  expect(await bench.forward()).toBe(0);
  await register(of, [one.id]);
  await work();
  expect((await states(of))[one.sn]).toEqual(['registered', null]);
  expect([...aws.certificates.values()]).toMatchObject([{ status: 'ACTIVE' }]);
});

test('a terminal that is moved out, disabled or deleted is taken back; a renewed certificate takes the place of the old one', async () => {
  const of = await bench.add(platform());
  const [moved, disabled, deleted, renewed] = await enrolled(bench.bank, 4);
  if (!moved || !disabled || !deleted || !renewed) throw new Error('no terminals');
  await register(of, ids([moved, disabled, deleted, renewed]));
  await work();
  await bench.admin.call(deviceCalls.move, { of: { ids: [moved.id] }, deptId: bench.other.id });
  await bench.app.context.unscoped(async (db) => {
    await sql`update device set status = '4' where id = ${disabled.id}`.execute(db);
    await sql`update device set deleted_at = ${bench.app.clock.now} where id = ${deleted.id}`.execute(db);
  });
  await certify(renewed.id);
  await followDevices(bench.app.context);
  await work();
  const now = await states(of);
  for (const { sn } of [moved, disabled, deleted]) expect(now[sn], sn).toEqual(['revoked', 'IOT_DEVICE_GONE']);
  expect(now[renewed.sn]).toEqual(['registered', null]);
  expect([...aws.certificates.values()].filter(({ status }) => status === 'ACTIVE')).toHaveLength(1);
  expect(aws.things).toEqual(new Set([renewed.sn]));
  // Nothing else is done for the same change.
  aws.asked.length = 0;
  await followDevices(bench.app.context);
  await work();
  expect(aws.asked).toEqual([]);
});

test('a terminal of another organisation is never registered, and another organisation sees and does nothing', async () => {
  const of = await bench.add(platform());
  const [mine] = await enrolled();
  const [foreign] = await enrolled(bench.other);
  expect(await register(of, [foreign?.id ?? 0])).toMatchObject({ total: 0, done: 0 });
  expect(await bench.admin.call(awsCalls.register, { customerId: of.id, of: { ids: [foreign?.id ?? 0, mine?.id ?? 0] } })).toMatchObject({
    total: 2,
    done: 1,
    refused: 1,
    failed: [{ id: foreign?.id, label: foreign?.sn, fault: 'IOT_DEVICE_GONE' }],
  });
  expect((await bench.outsider.send(awsCalls.register, { customerId: of.id, of: { ids: [foreign?.id] } })).code).toBe(404);
  expect((await bench.outsider.call(awsCalls.page, {})).content).toEqual([]);
  expect(await bench.outsider.call(awsCalls.revoke, { of: { criteria: { customerId: of.id }, except: [] } })).toMatchObject({
    total: 0,
    done: 0,
  });
  const https = await bench.add({ kind: 'https', endpoint: aws.receiver.url, ca: aws.receiver.ca, signIn: 'token', secret: 'a' });
  expect((await bench.keeper.send(awsCalls.register, { customerId: https.id, of: { ids: [mine?.id] } })).body?.fault).toBe('IOT_NOT_AWS');
});

test('two processes at once, and a control address inside', async () => {
  const of = await bench.add(platform());
  const devices = await enrolled(bench.bank, 16);
  await Promise.all([register(of, ids(devices)), register(of, ids(devices))]);
  await Promise.all([work(), work()]);
  expect(aws.things.size).toBe(16);
  expect(aws.asked.filter((one) => one.startsWith('POST /things/'))).toHaveLength(16);
  await bench.admin.call(systemSettingCalls.outbound, { iot: [] });
  const input = { name: 'x', deptId: bench.bank.id, ...platform(), endpoint: 'https://1.1.1.1' };
  expect((await bench.keeper.send(iotCustomerCalls.add, input)).body?.fields).toHaveProperty('controlEndpoint');
  await bench.admin.call(systemSettingCalls.outbound, { iot: ['127.0.0.1'] });
});

test('a region, a policy and an access key are asked for at their fields', async () => {
  const add = async (more: object) =>
    Object.keys(
      (await bench.keeper.send(iotCustomerCalls.add, { name: 'x', deptId: bench.bank.id, ...platform(), ...more })).body?.fields ?? {},
    );
  expect(await add({ region: '' })).toEqual(['region']);
  expect(await add({ region: 'eu-central-1.evil.com' })).toEqual(['region']);
  expect(await add({ policy: '' })).toEqual(['policy']);
  expect(await add({ userName: '' })).toEqual(['userName']);
  expect(await add({ topic: '$aws/things/{sn}/shadow' })).toEqual(['topic']);
});
