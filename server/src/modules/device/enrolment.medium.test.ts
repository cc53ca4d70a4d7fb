import { X509Certificate } from 'node:crypto';
import { deviceCalls } from '@mooring/contract/device/calls';
import { regCalls } from '@mooring/contract/device/reg-calls';
import { makeDeviceKeys } from '@mooring/terminal/device-keys';
import { enrol, freshToken, renew } from '@mooring/terminal/enrolment';
import { serverClock } from '@mooring/terminal/server-clock';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { freePort } from '../../platform/free-port.ts';
import { readDeviceToken } from '../../platform/gateway/device-token.ts';
import type { DeptAt } from '../org/api.ts';
import { enrolText } from './enrol-once.ts';
import { proofText } from './prove-device.ts';

let app: TestApp;
let server: string;
let bank: DeptAt;
let admin: Client;
let productId: number;

beforeAll(async () => {
  app = await testApp({ realClock: true });
  const port = await freePort();
  await app.http.listen({ host: '127.0.0.1', port });
  server = `http://127.0.0.1:${port}`;
  bank = await app.dept('Harbour Bank');
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, { id: 2, path: '1.2.' }, 'A920');
});
afterAll(() => app.stop());

const ask = (sn: string, keys = makeDeviceKeys(), code?: string) => enrol({ server, sn, keys, product: 'A920', ...(code ? { code } : {}) });

test('a terminal asks, a person lets it in, and it gets a certificate for its own key and SN', async () => {
  const keys = makeDeviceKeys();
  expect((await ask('ASK-0001', keys)).state).toBe('asking');
  const [asking] = (await admin.call(regCalls.page, {})).content;
  expect(asking).toMatchObject({
    sn: 'ASK-0001',
    state: 'asking',
    expected: false,
    productCode: 'A920',
    allowedActions: ['accept', 'refuse'],
  });
  const id = asking?.id ?? 0;
  const of = { ids: [id] };
  const needsDept = { total: 1, done: 0, refused: 1, failed: [{ label: 'ASK-0001', fault: 'PENDING_NEEDS_DEPT' }] };
  expect(await admin.call(regCalls.accept, { of, preview: true })).toMatchObject(needsDept);
  expect(await admin.call(regCalls.accept, { of })).toMatchObject(needsDept);
  expect(await admin.call(regCalls.accept, { of, preview: true, deptId: bank.id })).toMatchObject({ total: 1, done: 0, refused: 0 });
  expect((await admin.call(regCalls.page, {})).content[0]).toMatchObject({ state: 'asking' });
  expect(await admin.call(regCalls.accept, { of, deptId: bank.id })).toMatchObject({ done: 1, refused: 0 });
  // Another key that says it is the same terminal gains nothing by this.
  expect((await ask('ASK-0001')).state).toBe('asking');
  const answer = await ask('ASK-0001', keys);
  if (answer.state !== 'enrolled') throw new Error(answer.state);
  const certificate = new X509Certificate(answer.enrolled.certificate);
  expect(certificate.subject).toContain('CN=ASK-0001');
  expect(certificate.ca).toBe(false);
  expect(readDeviceToken(app.context.masterKey, answer.enrolled.token, new Date())?.sn).toBe('ASK-0001');
  expect((await admin.call(regCalls.expected, { criteria: { sn: 'ASK-0001' } })).content).toHaveLength(1);
});

test('who is refused stays out until a person lets it in', async () => {
  const keys = makeDeviceKeys();
  await ask('BAD-0001', keys);
  const [asking] = (await admin.call(regCalls.page, { criteria: { sn: 'BAD-0001' } })).content;
  await admin.call(regCalls.refuse, { of: { ids: [asking?.id ?? 0] }, reason: 'not ours' });
  expect(await ask('BAD-0001', keys)).toMatchObject({ state: 'refused', error: 'ENROLMENT_REFUSED', status: 403 });
});

test('many are decided about at once, by what the list shows; who is decided already is named', async () => {
  for (const sn of ['MANY-0001', 'MANY-0002', 'MANY-0003']) await ask(sn);
  const of = { criteria: { sn: 'MANY-' } };
  const first = (await admin.call(regCalls.page, of)).content.find((one) => one.sn === 'MANY-0001')?.id ?? 0;
  await admin.call(regCalls.accept, { of: { ids: [first] }, deptId: bank.id });
  expect(await admin.call(regCalls.accept, { of, deptId: bank.id })).toMatchObject({
    total: 3,
    done: 2,
    refused: 1,
    failed: [{ label: 'MANY-0001', fault: 'DEVICE_STATE' }],
  });
});

test('a rule lets in whom it fits, from where it says', async () => {
  await admin.call(regCalls.ruleAdd, {
    name: 'Shop floor',
    snPrefix: 'SHOP-',
    deptId: 2,
    productId,
    network: '127.1.2.3/8',
    onlyExpected: false,
  });
  await admin.call(regCalls.ruleAdd, { name: 'Elsewhere', snPrefix: 'FAR-', deptId: 2, network: '10.0.0.0/8', onlyExpected: false });
  expect((await ask('SHOP-0001')).state).toBe('enrolled');
  expect((await ask('FAR-0001')).state).toBe('asking');
  expect((await admin.call(regCalls.rules, { criteria: { name: 'Shop' } })).content[0]).toMatchObject({
    accepted: 1,
    network: '127.0.0.0/8',
  });
});

test('a code is used as often as it allows, and a refusal uses up nothing', async () => {
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, maxUses: 2 });
  expect(await enrol({ server, sn: 'CODE-0000', keys: makeDeviceKeys(), product: 'UNKNOWN', code })).toMatchObject({
    error: 'PRODUCT_UNKNOWN',
  });
  const answers = await Promise.all(['CODE-0001', 'CODE-0002', 'CODE-0003'].map((sn) => ask(sn, makeDeviceKeys(), code)));
  expect(answers.map((one) => one.state).sort()).toEqual(['enrolled', 'enrolled', 'refused']);
  expect((await admin.call(regCalls.codes, {})).content[0]).toMatchObject({ uses: 2, maxUses: 2 });
});

test('a code that was used as often as it allows says so', async () => {
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 8 });
  const states: string[] = [];
  for (let use = 1; use <= 8; use += 1) {
    expect((await ask(`EIGHT-000${use}`, makeDeviceKeys(), code)).state).toBe('enrolled');
    const [row] = (await admin.call(regCalls.codes, {})).content;
    states.push(`${row?.uses} of ${row?.maxUses}: ${row?.status}`);
  }
  expect(states.slice(6)).toEqual(['7 of 8: active', '8 of 8: used']);
});

test('a terminal that names another product than its code, or than the one expected, is refused and uses up nothing', async () => {
  await makeProduct(app, { id: 2, path: '1.2.' }, 'B100');
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 1 });
  const of = (sn: string, product: string) => enrol({ server, sn, keys: makeDeviceKeys(), product, code });
  for (const product of ['UNKNOWN', 'B100'])
    expect(await of('PROD-0001', product)).toMatchObject({ error: 'PRODUCT_UNKNOWN', status: 403 });
  await admin.call(deviceCalls.add, { sn: 'PROD-0002', productId, deptId: bank.id });
  expect(await of('PROD-0002', 'B100')).toMatchObject({ error: 'PRODUCT_UNKNOWN' });
  expect((await of('PROD-0002', 'A920')).state).toBe('enrolled');
});

test('a SN that a key holds is given away by a code for it, and then the old key is worth nothing', async () => {
  const first = makeDeviceKeys();
  const second = makeDeviceKeys();
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 10 });
  await ask('HELD-0001', first, code);
  expect(await ask('HELD-0001', second, code)).toMatchObject({ error: 'ALREADY_ENROLLED' });
  expect((await ask('HELD-0001', first)).state).toBe('enrolled');
  const own = await admin.call(regCalls.code, { deptId: bank.id, sn: 'HELD-0001' });
  expect((await ask('HELD-0001', second, own.code)).state).toBe('enrolled');
  expect(await freshToken({ server, sn: 'HELD-0001', keys: first }, serverClock())).toEqual({ error: 'PROOF_WRONG' });
  expect(await freshToken({ server, sn: 'HELD-0001', keys: second }, serverClock())).toHaveProperty('token');
});

test('a certificate is renewed by its key; a foreign one, another SN or a wrong clock is not taken', async () => {
  const keys = makeDeviceKeys();
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 10 });
  await ask('RENEW-01', keys, code);
  await ask('RENEW-02', makeDeviceKeys(), code);
  const renewed = await renew({ server, sn: 'RENEW-01', keys }, serverClock());
  expect(renewed.state).toBe('enrolled');
  expect(await renew({ server, sn: 'RENEW-02', keys }, serverClock())).toMatchObject({ error: 'PROOF_WRONG' });
  expect(await renew({ server, sn: 'RENEW-01', keys: makeDeviceKeys() }, serverClock())).toMatchObject({ error: 'PROOF_WRONG' });
  const wrong = { now: () => new Date(Date.now() - 3_600_000) };
  expect(await renew({ server, sn: 'RENEW-01', keys }, { ...wrong, observe() {} })).toMatchObject({ error: 'CLOCK' });
});

test('a terminal whose clock is off by years proves itself in the time that the server gives', async () => {
  const keys = makeDeviceKeys();
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 10 });
  await ask('YEARS-01', keys, code);
  const clock = serverClock();
  clock.observe('1999-01-01T00:00:00Z');
  expect(await freshToken({ server, sn: 'YEARS-01', keys }, clock)).toHaveProperty('token');
  expect((await renew({ server, sn: 'YEARS-01', keys }, serverClock())).state).toBe('enrolled');
  clock.observe('2049-01-01T00:00:00Z');
  expect((await renew({ server, sn: 'YEARS-01', keys }, clock)).state).toBe('enrolled');
});

/** As terminals from before nonces ask. */
const plain = async (body: object) => {
  const answer = await app.http.inject({ method: 'POST', url: '/d/enrol', payload: { product: 'A920', ...body } });
  return {
    status: answer.statusCode,
    body: JSON.parse(answer.body) as { error?: string; state?: string; token?: string; certificate?: string },
  };
};
/** The same request with the other of the two signatures that anybody can make of one. */
function written(request: string): string {
  const der = Buffer.from(request.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
  const tlv = (tag: number, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    const length =
      body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
    return Buffer.concat([Buffer.from([tag, ...length]), body]);
  };
  // At the end: a bit string with the two numbers.
  let at = der.length - 80;
  while (!(der[at] === 0x03 && der[at + 1] === der.length - at - 2 && der[at + 3] === 0x30)) at += 1;
  const first = der.subarray(at + 5, at + 7 + (der[at + 6] ?? 0));
  const second = der.subarray(at + 5 + first.length + 2);
  const other = (order - BigInt(`0x${second.toString('hex')}`)).toString(16).padStart(64, '0');
  const number = tlv(0x02, Buffer.from(Number.parseInt(other.slice(0, 2), 16) > 127 ? `00${other}` : other, 'hex'));
  const head = der[1] === 0x82 ? 4 : der[1] === 0x81 ? 3 : 2;
  const made = tlv(0x30, der.subarray(head, at), tlv(0x03, Buffer.from([0]), tlv(0x30, first, number)));
  return `-----BEGIN CERTIFICATE REQUEST-----\n${made.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}

test('a request that was overheard opens nothing: it counts once, however it is written', async () => {
  const keys = makeDeviceKeys();
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 10 });
  const request = await keys.request('HEARD-01');
  const first = await plain({ sn: 'HEARD-01', request, code });
  expect([first.status, first.body.state]).toEqual([200, 'enrolled']);
  expect(readDeviceToken(app.context.masterKey, first.body.token ?? '', new Date())?.sn).toBe('HEARD-01');
  for (const again of [request, `${request}\n`, request.replace(/\n/g, '\r\n'), written(request)])
    expect(await plain({ sn: 'HEARD-01', request: again, code }), again).toMatchObject({ status: 403, body: { error: 'REQUEST_USED' } });
  // A released terminal that begins anew makes a new one: it is let in, and proves its key for a token.
  const anew = await plain({ sn: 'HEARD-01', request: await keys.request('HEARD-01') });
  expect(anew).toMatchObject({ status: 200, body: { state: 'enrolled', token: '' } });
  expect(await freshToken({ server, sn: 'HEARD-01', keys }, serverClock())).toHaveProperty('token');
});

test('a terminal that proves its key for a nonce has its token at once; the proof counts once and for its request alone', async () => {
  const keys = makeDeviceKeys();
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 10 });
  const nonceFor = async (sn: string) =>
    (JSON.parse((await app.http.inject({ method: 'POST', url: '/d/nonce', payload: { sn } })).body) as { nonce: string }).nonce;
  const [request, nonce] = [await keys.request('PROVE-01'), await nonceFor('PROVE-01')];
  const proof = { nonce, signature: keys.sign(enrolText('PROVE-01', nonce, request)) };
  expect(await plain({ sn: 'PROVE-01', request, code, proof: { ...proof, signature: makeDeviceKeys().sign('a') } })).toMatchObject({
    body: { error: 'PROOF_WRONG' },
  });
  expect(await plain({ sn: 'PROVE-01', request: await keys.request('PROVE-01'), code, proof })).toMatchObject({
    body: { error: 'PROOF_WRONG' },
  });
  const foreign = await nonceFor('PROVE-02');
  const other = { nonce: foreign, signature: keys.sign(enrolText('PROVE-01', foreign, request)) };
  expect(await plain({ sn: 'PROVE-01', request, code, proof: other })).toMatchObject({ body: { error: 'NONCE_WRONG' } });
  expect((await plain({ sn: 'PROVE-01', request, code, proof })).body.token).not.toBe('');
  expect(await plain({ sn: 'PROVE-01', request, code, proof })).toMatchObject({ status: 403, body: { error: 'NONCE_WRONG' } });
  // The same request again, as makers send it who sign the same each time.
  const next = await nonceFor('PROVE-01');
  const again = await plain({
    sn: 'PROVE-01',
    request,
    proof: { nonce: next, signature: keys.sign(enrolText('PROVE-01', next, request)) },
  });
  expect(again.body.token).not.toBe('');
});

test('a token renews nothing, ends soon, and its proof counts once', async () => {
  const keys = makeDeviceKeys();
  const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 10 });
  await ask('TOKEN-01', keys, code);
  const post = async (payload: object, headers = {}) => app.http.inject({ method: 'POST', url: '/d/token', payload, headers });
  const at = new Date().toISOString();
  const proof = { sn: 'TOKEN-01', at, signature: keys.sign(`mooring:token:TOKEN-01:${at}:`) };
  const given = await post(proof);
  const { token, tokenExpiresAt } = JSON.parse(given.body) as { token: string; tokenExpiresAt: string };
  expect(Date.parse(tokenExpiresAt) - Date.now()).toBeLessThan(2 * 3_600_000);
  expect((await post(proof)).statusCode).toBe(403);
  expect((await post({}, { authorization: `Bearer ${token}` })).statusCode).toBe(400);
  // Where no plain broker is offered, there is no token.
  const far = await app.http.inject({
    method: 'POST',
    url: '/d/enrol',
    headers: { host: 'mooring.example.com' },
    payload: { sn: 'TOKEN-02', product: 'A920', code, request: await makeDeviceKeys().request('TOKEN-02') },
  });
  expect(JSON.parse(far.body)).toMatchObject({ state: 'enrolled', token: '', mqtt: { plain: null } });
});

/** A signature's other form, and other spellings of the same bytes. */
function respelt(signature: string): string[] {
  const der = Buffer.from(signature, 'base64');
  const r = der.subarray(2, 4 + (der[3] ?? 0));
  const s = der.subarray(4 + r.length);
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
  const other = (order - BigInt(`0x${s.toString('hex')}`)).toString(16).padStart(64, '0');
  const number = Buffer.from(Number.parseInt(other.slice(0, 2), 16) > 127 ? `00${other}` : other, 'hex');
  const turned = Buffer.concat([r, Buffer.from([2, number.length]), number]);
  const bare = signature.replace(/=+$/, '');
  return [
    signature,
    `${signature} `,
    `${signature}\n`,
    `${bare}!`,
    bare,
    `=${signature}`,
    signature.replaceAll('+', '-').replaceAll('/', '_'),
    Buffer.concat([Buffer.from([0x30, turned.length]), turned]).toString('base64'),
  ];
}

test.each(['token', 'renew'] as const)(
  'what a terminal signed to %s counts once, however the signature is written; its next try gets on',
  async (what) => {
    const sn = `SPELT-${what.toUpperCase()}`;
    const keys = makeDeviceKeys();
    const { code } = await admin.call(regCalls.code, { deptId: bank.id, productId, maxUses: 10 });
    await ask(sn, keys, code);
    const request = what === 'renew' ? await keys.request(sn) : undefined;
    const signed = (at: string) => {
      const proof = { sn, at, signature: keys.sign(proofText(what, { sn, at }, request)) };
      return request ? { ...proof, request } : proof;
    };
    const remoteAddress = what === 'token' ? '192.0.2.1' : '192.0.2.2';
    const post = async (payload: object) =>
      (await app.http.inject({ method: 'POST', url: `/d/${what}`, payload, remoteAddress })).statusCode;
    const proof = signed(new Date().toISOString());
    expect(await post(proof)).toBe(200);
    for (const signature of respelt(proof.signature)) expect(await post({ ...proof, signature }), signature).toBe(403);
    // The same words, signed again: that is no new word either.
    expect(await post(signed(proof.at))).toBe(403);
    // Whose answer was lost asks anew; line breaks are what some libraries put into base64.
    const next = signed(new Date(Date.parse(proof.at) + 1).toISOString());
    expect(await post({ ...next, signature: `${next.signature.slice(0, 76)}\n${next.signature.slice(76)}\n` })).toBe(200);
  },
);

test('where the setting says so, only who proves its key is let in', async () => {
  const strict = await testApp({ env: { ENROL_NONCE: '1' }, realClock: true });
  try {
    const request = await makeDeviceKeys().request('STRICT-01');
    const answer = await strict.http.inject({ method: 'POST', url: '/d/enrol', payload: { sn: 'STRICT-01', product: 'A920', request } });
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([403, expect.objectContaining({ error: 'NONCE_NEEDED' })]);
    const port = await freePort();
    await strict.http.listen({ host: '127.0.0.1', port });
    expect((await enrol({ server: `http://127.0.0.1:${port}`, sn: 'STRICT-01', keys: makeDeviceKeys(), product: 'A920' })).state).toBe(
      'asking',
    );
  } finally {
    await strict.stop();
  }
});

test('what is no request is refused plainly', async () => {
  const post = (body: unknown) => app.http.inject({ method: 'POST', url: '/d/enrol', payload: body as object });
  expect((await post({ sn: 'A-0001', product: 'A920', request: 'nothing' })).statusCode).toBe(400);
  expect((await post({ sn: '../etc', product: 'A920', request: '-----BEGIN CERTIFICATE REQUEST-----' })).statusCode).toBe(400);
  const forged = (await makeDeviceKeys().request('A-0001')).replace(/.{4}\n-----END/, 'AAAA\n-----END');
  expect((await post({ sn: 'A-0001', product: 'A920', request: forged })).statusCode).toBe(403);
  expect((await app.http.inject({ url: '/d/ca.pem' })).body).toContain('BEGIN CERTIFICATE');
  expect((await app.http.inject({ url: '/d/crl.pem' })).body).toContain('BEGIN X509 CRL');
});

test('who guesses codes waits', async () => {
  // What a minute allows comes back as it passes: the last of a fixed number of tries may be let in again.
  const asked: Awaited<ReturnType<typeof ask>>[] = [];
  while (asked.length < 40 && !asked.some((one) => 'status' in one && one.status === 429))
    asked.push(await ask('GUESS-01', makeDeviceKeys(), `WRONG-${asked.length}`));
  expect(asked.at(-1)).toMatchObject({ status: 429 });
  const kept = await app.context.unscoped((db) => sql`select 1 from device where sn = 'GUESS-01'`.execute(db));
  expect(kept.rows).toHaveLength(0);
});

test('so many terminals begin to wait by one key, and from one address, as people can read; those that wait already go on', async () => {
  for (const table of ['device_pending', 'http_rate']) await app.context.unscoped((db) => sql`delete from ${sql.table(table)}`.execute(db));
  const keys = makeDeviceKeys();
  const answers = [];
  for (let at = 1; at <= 6; at += 1) answers.push(await ask(`FLOOD-000${at}`, keys));
  expect(answers.map((one) => one.state)).toEqual(['asking', 'asking', 'asking', 'asking', 'asking', 'refused']);
  expect(answers[5]).toMatchObject({ error: 'TOO_MANY_WAIT' });
  expect((await ask('FLOOD-0001', keys)).state).toBe('asking');
  const home = '127.0.0.1';
  await app.context.unscoped((db) =>
    sql`insert into device_pending (sn, key_hash, product_code, ip, home, dept_path, first_at, last_at)
      select 'MANY-' || n, 'key-' || n, 'A920', ${home}, ${home}, '1.', ${app.clock.now}, ${app.clock.now} from generate_series(1, 300) n`.execute(
      db,
    ),
  );
  expect((await ask('LATE-0001')).state).toBe('refused');
  await app.context.unscoped((db) => sql`update device_pending set first_at = first_at - interval '61 minutes'`.execute(db));
  expect((await ask('LATE-0001')).state).toBe('asking');
  await app.context.unscoped((db) => sql`delete from device_pending`.execute(db));
});
