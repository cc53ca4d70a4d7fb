import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { addUser } from '../../modules/account/api.ts';
import { sharedRate } from '../rate.ts';

let app: TestApp | undefined;
afterEach(() => app?.stop());
const count = (all: readonly number[], what: number) => all.filter((one) => one === what).length;
const LIMIT = { most: 10, perMs: 60_000 };

test('two processes share one bucket: exactly what it holds is granted, and it fills again', async () => {
  app = await testApp();
  const { unscoped } = app.context;
  const [one, two] = [sharedRate(app.context), sharedRate(app.context)];
  const waits = await Promise.all(Array.from({ length: 14 }, (_, at) => (at % 2 === 0 ? one : two)('shop', LIMIT)));
  expect(count(waits, 0)).toBe(10);
  for (const wait of waits.filter((seconds) => seconds > 0)) expect(wait).toBeLessThanOrEqual(6);
  expect(await one('shop', LIMIT, 0)).toBeGreaterThan(0);
  expect(await one('another', LIMIT)).toBe(0);
  // Twelve seconds later two have dripped in.
  await unscoped((db) => sql`update http_rate set full_until = full_until - 12 where key = 'shop'`.execute(db));
  expect(await two('shop', LIMIT, 0)).toBe(0);
  expect(count(await Promise.all([two('shop', LIMIT), one('shop', LIMIT), two('shop', LIMIT)]), 0)).toBe(2);
  await app.context.unscoped((db) => sql`update http_rate set full_until = 0 where key = 'another'`.execute(db));
  await unscoped((db) => app?.context.enqueue(db, 'retention:prune', {}) ?? Promise.resolve());
  await app.runJobs();
  const kept = await unscoped((db) => db.selectFrom('http_rate').select('key').execute());
  expect(kept.map((row) => row.key)).toEqual(['shop']);
});

test('who floods public calls waits, is told how long, and holds up neither who is signed in nor another address', async () => {
  app = await testApp({ env: { RATE_PUBLIC: '20', RATE_DEVICE: '30' } });
  const { http } = app;
  const admin = await app.person('platformAdmin', app.root);
  const captcha = (remoteAddress?: string) =>
    http.inject({
      url: `/ops${signInCalls.captcha.path}?purpose=code`,
      headers: { 'accept-language': 'en' },
      ...(remoteAddress ? { remoteAddress } : {}),
    });
  const answers = await Promise.all(Array.from({ length: 30 }, () => captcha()));
  expect(
    count(
      answers.map((one) => one.statusCode),
      200,
    ),
  ).toBe(20);
  const refused = answers.find((one) => one.statusCode === 429);
  const { code, body, message } = JSON.parse(refused?.body ?? '') as {
    code: number;
    body: { fault: string; wait: number };
    message: string;
  };
  expect([code, body.fault]).toEqual([429, 'TOO_MANY']);
  expect(refused?.headers['retry-after']).toBe(String(body.wait));
  expect(body.wait).toBeGreaterThan(0);
  expect(message).toContain('Try again');
  // A call without a token is as public as any.
  expect((await http.inject({ method: 'POST', url: `/ops${deviceCalls.page.path}`, payload: {} })).statusCode).toBe(429);
  expect((await captcha('10.0.0.9')).statusCode).toBe(200);
  expect((await admin.send(deviceCalls.page, {})).code).toBe(200);

  const nonce = (sn: string) => http.inject({ method: 'POST', url: '/d/nonce', payload: { sn } });
  const terminals = await Promise.all(Array.from({ length: 40 }, (_, at) => nonce(`RATE-${at}`)));
  expect(
    count(
      terminals.map((one) => one.statusCode),
      200,
    ),
  ).toBe(30);
  const late = terminals.find((one) => one.statusCode === 429);
  expect(JSON.parse(late?.body ?? '')).toMatchObject({ error: 'TOO_MANY' });
  expect(Number(late?.headers['retry-after'])).toBeGreaterThan(0);
});

test('two hundred sign-ins at once: some wait and are told so, and nobody is locked out', async () => {
  app = await testApp({ realClock: true });
  const { http } = app;
  const nobody = clientOf(http, '', 0, 'centre', 0);
  const password = 'Good.Word3x';
  await app.context.unscoped((db) =>
    addUser(db, {
      account: 'crowd',
      name: 'Crowd',
      email: 'crowd@example.com',
      password,
      dept: { id: 1, path: '1.' },
      roles: ['platformAdmin'],
    }),
  );
  const sealed = async () => {
    const { pubKey, keyId, nonce } = await nobody.call(loginCalls.random);
    const key = createPublicKey({ key: Buffer.from(pubKey, 'base64'), format: 'der', type: 'spki' });
    const how = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: Buffer.from(`login:${nonce}`) };
    return { keyId, nonce, data: publicEncrypt(how, Buffer.from(password)).toString('base64') };
  };
  const secrets = await Promise.all(Array.from({ length: 200 }, sealed));
  const answers = await Promise.all(secrets.map((secret) => nobody.send(loginCalls.account, { account: 'crowd', password: secret })));
  const waiting = answers.filter((one) => one.code === 429);
  // Those under way count as tries until they turn out right: who comes meanwhile waits, or is asked for work.
  const isAskedForWork = (one: (typeof answers)[number]) => one.body?.fault === 'CAPTCHA_REQUIRED';
  expect(answers.filter((one) => one.code !== 200 && one.code !== 429 && !isAskedForWork(one))).toEqual([]);
  expect(waiting.length).toBeGreaterThan(0);
  for (const one of waiting) expect((one.body as unknown as { wait: number }).wait).toBeGreaterThan(0);
  expect((await nobody.send(loginCalls.account, { account: 'crowd', password: await sealed() })).code).toBe(200);
});

test('a made-up token doesn’t go round the limit; whoever is signed in goes on from the same address', async () => {
  app = await testApp({ env: { RATE_PUBLIC: '20' } });
  const admin = await app.person('platformAdmin', app.root);
  expect((await admin.send(deviceCalls.page)).code).toBe(200);
  const guess = (at: number) => clientOf(app?.http as never, `guess-${at}`, 0, 'centre', 0).send(deviceCalls.page);
  const codes: number[] = [];
  for (let at = 0; at < 40; at += 1) codes.push((await guess(at)).code);
  expect(count(codes, 401)).toBeLessThanOrEqual(23);
  expect(count(codes, 429)).toBeGreaterThanOrEqual(17);
  expect((await admin.send(deviceCalls.page)).code).toBe(200);
});

test('the addresses of one IPv6 network are counted as one, by people and by terminals', async () => {
  app = await testApp({ env: { RATE_PUBLIC: '5', RATE_DEVICE: '5' } });
  const { http } = app;
  const of = (network: string, at: number) => `${network}::${(at + 1).toString(16)}`;
  const ask = async (network: string, url: string) => {
    const all = Array.from({ length: 12 }, (_, at) => http.inject({ url, remoteAddress: of(network, at) }));
    return count(
      (await Promise.all(all)).map((one) => one.statusCode),
      429,
    );
  };
  const captcha = `/ops${signInCalls.captcha.path}?purpose=code`;
  expect([await ask('2001:db8:1:1', captcha), await ask('2001:db8:1:2', captcha)]).toEqual([7, 7]);
  expect((await http.inject({ url: captcha, remoteAddress: '2001:db8:1:3::1' })).statusCode).toBe(200);
  expect(await ask('2001:db8:2:1', '/d/files/x')).toBe(7);
});
