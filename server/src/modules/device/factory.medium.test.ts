import { createPrivateKey, sign } from 'node:crypto';
import { deviceCalls } from '@mooring/contract/device/calls';
import { regCalls } from '@mooring/contract/device/reg-calls';
import { type DeviceKeys, makeDeviceKeys } from '@mooring/terminal/device-keys';
import { enrol, type FactoryIdentity, freshToken } from '@mooring/terminal/enrolment';
import { serverClock } from '@mooring/terminal/server-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { freePort } from '../../platform/free-port.ts';
import type { DeptAt } from '../org/api.ts';
import { factoryText } from './factory-proof.ts';
import { type Maker, makeMaker } from './maker.factory.ts';

let app: TestApp;
let server: string;
let bank: DeptAt;
let admin: Client;
let productId: number;
let maker: Maker;
let authorityId: number;
let serial = 0;

beforeAll(async () => {
  app = await testApp({ realClock: true });
  const port = await freePort();
  await app.http.listen({ host: '127.0.0.1', port });
  server = `http://127.0.0.1:${port}`;
  bank = await app.dept('Harbour Bank');
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, { id: 2, path: '1.2.' }, 'A920');
  maker = await makeMaker();
  ({ id: authorityId } = await admin.call(regCalls.factoryAdd, {
    name: 'Maker',
    certificate: maker.pem,
    snPrefix: 'FAC-',
    productId,
    deptId: bank.id,
  }));
});
afterAll(() => app.stop());

const expected = async (): Promise<string> => {
  const sn = `FAC-${String(++serial).padStart(4, '0')}`;
  await admin.call(deviceCalls.add, { sn, productId, deptId: bank.id });
  return sn;
};
const ask = (sn: string, factory: FactoryIdentity, keys: DeviceKeys = makeDeviceKeys(), product = 'A920') =>
  enrol({ server, sn, keys, product, factory });

test('a terminal with a factory certificate is let in where it is expected, and again with a new key of its own', async () => {
  const sn = await expected();
  const factory = await maker.terminal(sn);
  const first = makeDeviceKeys();
  expect((await ask(sn, factory, first)).state).toBe('enrolled');
  const second = makeDeviceKeys();
  expect((await ask(sn, factory, second)).state).toBe('enrolled');
  expect(await freshToken({ server, sn, keys: first }, serverClock())).toEqual({ error: 'PROOF_WRONG' });
  expect(await freshToken({ server, sn, keys: second }, serverClock())).toHaveProperty('token');
  const [row] = (await admin.call(regCalls.factories, {})).content;
  expect(row).toMatchObject({ name: 'Maker', accepted: 2, snPrefix: 'FAC-', enabled: true, deptName: 'Harbour Bank' });
  expect(row?.subject).toContain('Maker root');
});

test('chains through further authorities, RSA keys, and SNs in the serialNumber attribute hold too', async () => {
  const line = await (await maker.authority({ pathLength: 1 })).authority({ pathLength: 0 });
  const [one, two] = [await expected(), await expected()];
  expect((await ask(one, await line.terminal(one, { rsa: true }))).state).toBe('enrolled');
  expect((await ask(two, await line.terminal(two, { subject: `CN=A920 terminal, 2.5.4.5=${two}` }))).state).toBe('enrolled');
});

test('one that nobody expected asks, and a rule for factory certificates lets it in', async () => {
  const factory = await maker.terminal('FAC-9001');
  const keys = makeDeviceKeys();
  expect((await ask('FAC-9001', factory, keys)).state).toBe('asking');
  expect((await admin.call(regCalls.page, { criteria: { sn: 'FAC-9001' } })).content[0]).toMatchObject({ factory: 'Maker' });
  const rule = { name: 'From the factory', snPrefix: 'FAC-', deptId: bank.id, productId, onlyExpected: false };
  const { id } = await admin.call(regCalls.ruleAdd, { ...rule, onlyFactory: true });
  expect((await enrol({ server, sn: 'FAC-9002', keys: makeDeviceKeys(), product: 'A920' })).state).toBe('asking');
  expect((await ask('FAC-9001', factory, keys)).state).toBe('enrolled');
  expect(await admin.call(regCalls.ruleUpdate, { ...rule, id, onlyFactory: true, enabled: false, remark: 'off for now' })).toMatchObject({
    enabled: false,
    onlyFactory: true,
    remark: 'off for now',
    accepted: 1,
  });
  expect((await ask('FAC-9003', await maker.terminal('FAC-9003'))).state).toBe('asking');
});

test('what does not lead to a trusted authority is refused with its reason, and nothing is kept of it', async () => {
  const sn = await expected();
  const refused = (error: string) => ({ state: 'refused', error, status: 403, time: expect.any(String) });
  const outsider = await makeMaker();
  expect(await ask(sn, await outsider.terminal(sn))).toEqual(refused('FACTORY_UNTRUSTED'));
  expect(await ask(sn, await maker.terminal(sn, { ends: -1 }))).toEqual(refused('FACTORY_EXPIRED'));
  expect(await ask(sn, await (await maker.authority({ ends: -1 })).terminal(sn))).toEqual(refused('FACTORY_EXPIRED'));
  expect(await ask(sn, await maker.terminal('FAC-0000'))).toEqual(refused('FACTORY_SN_WRONG'));
  // A terminal's own certificate is no authority, and an authority is bound by its length.
  expect(await ask(sn, await (await maker.authority({ ca: false })).terminal(sn))).toEqual(refused('FACTORY_UNTRUSTED'));
  expect(await ask(sn, await (await (await maker.authority({ pathLength: 0 })).authority()).terminal(sn))).toEqual(
    refused('FACTORY_UNTRUSTED'),
  );
  const right = await maker.terminal(sn);
  expect(await ask(sn, { ...right, privatePem: (await maker.terminal(sn)).privatePem })).toEqual(refused('FACTORY_PROOF_WRONG'));
  expect(await ask(sn, right, makeDeviceKeys(), 'OTHER')).toEqual(refused('FACTORY_UNTRUSTED'));
  expect((await admin.call(regCalls.page, { criteria: { sn } })).content).toEqual([]);
  expect((await ask(sn, right)).state).toBe('enrolled');
});

test('a proof counts once, for its SN and its request, and not after its time', async () => {
  const [sn, other] = [await expected(), await expected()];
  const factory = await maker.terminal(sn);
  const post = async (url: string, payload: object) => {
    const answer = await app.http.inject({ method: 'POST', url, payload });
    return { status: answer.statusCode, ...(JSON.parse(answer.body) as { error?: string; nonce: string; state?: string }) };
  };
  const proof = async (of: string, request: string) => {
    const { nonce } = await post('/d/nonce', { sn: of });
    const signature = sign('sha256', Buffer.from(factoryText(sn, nonce, request)), createPrivateKey(factory.privatePem)).toString('base64');
    return { chain: factory.chain, nonce, signature };
  };
  const request = await makeDeviceKeys().request(sn);
  const once = await proof(sn, request);
  const body = { sn, product: 'A920', request, factory: once };
  expect(await post('/d/enrol', body)).toMatchObject({ status: 200, state: 'enrolled' });
  expect(await post('/d/enrol', body)).toMatchObject({ status: 403, error: 'NONCE_WRONG' });
  expect(await post('/d/enrol', { ...body, request: await makeDeviceKeys().request(sn), factory: await proof(sn, request) })).toMatchObject(
    {
      error: 'FACTORY_PROOF_WRONG',
    },
  );
  expect(await post('/d/enrol', { ...body, factory: await proof(other, request) })).toMatchObject({ error: 'NONCE_WRONG' });
  expect(await post('/d/enrol', { ...body, factory: { ...once, nonce: `1.${once.nonce.split('.').slice(1).join('.')}` } })).toMatchObject({
    error: 'NONCE_WRONG',
  });
  expect(await post('/d/enrol', { ...body, factory: { ...once, chain: 'no BEGIN CERTIFICATE' } })).toMatchObject({ status: 403 });
  expect(await post('/d/nonce', { sn: '../etc' })).toMatchObject({ status: 400 });
});

test('an authority or a certificate that counts no longer lets nobody in; who is in stays', async () => {
  const [sn, later] = [await expected(), await expected()];
  const keys = makeDeviceKeys();
  const factory = await maker.terminal(sn);
  expect((await ask(sn, factory, keys)).state).toBe('enrolled');
  const authority = { name: 'Maker', certificate: maker.pem, snPrefix: 'FAC-', productId, deptId: bank.id, id: authorityId };
  await admin.call(regCalls.factoryUpdate, { ...authority, revoked: [factory.serial.toUpperCase()] });
  expect(await ask(sn, factory)).toMatchObject({ error: 'FACTORY_REVOKED' });
  expect((await ask(later, await maker.terminal(later))).state).toBe('enrolled');
  await admin.call(regCalls.factoryUpdate, { ...authority, enabled: false });
  expect(await ask(later, await maker.terminal(later))).toMatchObject({ error: 'FACTORY_UNTRUSTED' });
  await admin.call(regCalls.factoryDelete, { id: authorityId });
  expect(await ask(later, await maker.terminal(later))).toMatchObject({ error: 'FACTORY_UNTRUSTED' });
  expect(await freshToken({ server, sn, keys }, serverClock())).toHaveProperty('token');
});

test('an authority vouches within its organisation only', async () => {
  const other = await app.dept('Other Bank');
  const elsewhere = await makeMaker();
  const sn = await expected();
  await admin.call(regCalls.factoryAdd, { name: 'Elsewhere', certificate: elsewhere.pem, deptId: other.id });
  expect((await ask(sn, await elsewhere.terminal(sn))).state).toBe('asking');
});

test.each([
  ['CERTIFICATE_UNREADABLE', async () => 'no certificate'],
  ['CERTIFICATE_UNREADABLE', async () => `${maker.pem}\n${maker.pem}`],
  ['CERTIFICATE_NO_AUTHORITY', async () => (await maker.terminal('FAC-1')).chain.split('\n\n')[0] ?? ''],
  ['CERTIFICATE_EXPIRED', async () => (await makeMaker({ ends: -1 })).pem],
])('%s is said of what can not be trusted', async (fault, certificate) => {
  const { code, body } = await admin.send(regCalls.factoryAdd, { name: 'x', certificate: await certificate(), deptId: bank.id });
  expect({ code, body }).toMatchObject({ code: 400, body: { fault, fields: { certificate: { key: `fault.${fault}` } } } });
});
