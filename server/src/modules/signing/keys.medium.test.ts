import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPrograms } from '@mooring/apk/programs.factory';
import { allCalls } from '@mooring/contract/index';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { keyAlgorithms } from '@mooring/contract/signing/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { makeKey, makeStore, newestChange, SUBJECT } from './signing.factory.ts';

const DAY = 86_400_000;
let app: TestApp;
let author: Client;
let second: Client;
let third: Client;
let foreign: Client;
let store = 0;
let folder = '';

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  const [bank, other] = [await app.dept('Bank'), await app.dept('Other')];
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  third = await app.person('signingOfficer', bank);
  foreign = await app.person('signingOfficer', other);
  store = await makeStore(author, bank.id);
  folder = mkdtempSync(join(tmpdir(), 'mooring-signing-'));
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});
const faultOf = async (sent: ReturnType<Client['send']>) => {
  const { code, body } = await sent;
  return body?.fault ?? code;
};
const stateOf = async (id: number) => (await author.call(signingKeyCalls.detail, { id })).state;
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const hasKeytool = missingPrograms('keytool').length === 0;
if (!hasKeytool) process.stderr.write('skipped: keytool is not installed here: it reads neither requests nor exported keys\n');
const keytool = (...args: string[]) => execFileSync('keytool', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const openssl = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const generate = (as: Client, name: string) =>
  as.call(signingKeyCalls.generate, { storeId: store, name, algorithm: 'p256', subject: SUBJECT });

test.each(keyAlgorithms)('two people make a key of %s, whose certificate and request others read', async (algorithm) => {
  const id = await makeKey(author, second, store, { algorithm, name: `Of ${algorithm}` });
  const key = await author.call(signingKeyCalls.detail, { id });
  expect([key.state, key.algorithm, key.subject]).toEqual(['active', algorithm, 'CN=Acme Pay, O=Acme, C=GB']);
  const certificate = file('own.pem', key.chain[0] ?? '');
  expect(openssl('verify', '-CAfile', certificate, '-partial_chain', certificate)).toContain('OK');
  expect(openssl('x509', '-in', certificate, '-noout', '-text')).toContain('Code Signing');
  const { pem } = await author.call(signingKeyCalls.request, { id, subject: 'CN=Other, O=Acme' });
  expect(spawnSync('openssl', ['req', '-in', file('own.csr', pem), '-noout', '-verify'], { encoding: 'utf8' }).stderr).toContain(
    'verify OK',
  );
});

test('one person alone makes no key: their own approval is refused, and without a second person nothing is begun', async () => {
  await generate(author, 'Alone');
  const { id, keyId } = await newestChange(author);
  expect(await faultOf(author.send(keyChangeCalls.approve, { id }))).toBe('CHANGE_OWN');
  expect(await stateOf(keyId)).toBe('waiting');
  expect(await faultOf(author.send(signingKeyCalls.request, { id: keyId, subject: SUBJECT }))).toBe('KEY_NOT_ACTIVE');
  const keys = (await author.call(signingKeyCalls.page, {})).total;
  const write = (statement: string) => app.context.unscoped((db) => sql.raw(statement).execute(db));
  await write(`update account_user set state = '1' where id in (${second.userId}, ${third.userId})`);
  expect(
    await faultOf(author.send(signingKeyCalls.generate, { storeId: store, name: 'Nobody', algorithm: 'p256', subject: SUBJECT })),
  ).toBe('DUAL_NOBODY');
  await write(`update account_user set state = '0' where id in (${second.userId}, ${third.userId})`);
  expect((await author.call(signingKeyCalls.page, {})).total).toBe(keys);
  await second.call(keyChangeCalls.refuse, { id, remark: 'no need' });
  expect(await stateOf(keyId)).toBe('destroyed');
});

test('of two who approve at once one does, and the other is told', async () => {
  await generate(author, 'Twice');
  const { id, keyId } = await newestChange(second);
  const codes = await Promise.all([second, third].map(async (one) => (await one.send(keyChangeCalls.approve, { id })).code));
  expect(codes.sort()).toEqual([200, 409]);
  expect(await stateOf(keyId)).toBe('active');
});

test('a request that nobody decides on leaves nothing', async () => {
  await generate(author, 'Forgotten');
  const { keyId } = await newestChange(second);
  const before = app.clock.now;
  app.clock.now = new Date(before.getTime() + 8 * DAY);
  await app.context.unscoped((db) => app.context.enqueue(db, 'change-request:expire', {}));
  await app.runJobs();
  app.clock.now = before;
  expect(await stateOf(keyId)).toBe('destroyed');
  const { rows } = await app.context.unscoped((db) => sql`select from signing_secret where key_id = ${keyId}`.execute(db));
  expect(rows).toEqual([]);
  // Its name is free again.
  await generate(author, 'Forgotten');
});

test('a key is stopped by one, and goes on, retires and is destroyed by two', async () => {
  const id = await makeKey(author, second, store);
  expect((await author.call(signingKeyCalls.suspend, { id })).state).toBe('suspended');
  for (const [act, state] of [
    ['resume', 'active'],
    ['retire', 'retired'],
    ['destroy', 'destroyed'],
  ] as const) {
    expect(await author.call(signingKeyCalls[act], { id })).toEqual({ changeRequestId: expect.any(Number) });
    expect(await stateOf(id)).not.toBe(state);
    await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
    expect(await stateOf(id)).toBe(state);
  }
  expect(await faultOf(author.send(signingKeyCalls.resume, { id }))).toBe('OVERTAKEN');
  const { rows } = await app.context.unscoped((db) => sql`select from signing_secret where key_id = ${id}`.execute(db));
  expect(rows).toEqual([]);
});

test('a policy takes effect with the second person, and not where it was changed meanwhile', async () => {
  const id = await makeKey(author, second, store);
  const policy = { id, packageNames: ['com.acme.*'], profiles: ['apk' as const], mostUses: 3, hourFrom: 8, hourTo: 18 };
  await author.call(signingKeyCalls.policy, policy);
  expect((await author.call(signingKeyCalls.detail, { id })).packageNames).toEqual([]);
  const first = await newestChange(second);
  expect(first.changes.map(({ field }) => field).sort()).toEqual(['hourFrom', 'hourTo', 'mostUses', 'packageNames', 'profiles']);
  await second.call(keyChangeCalls.approve, { id: first.id });
  expect(await author.call(signingKeyCalls.detail, { id })).toMatchObject({ packageNames: ['com.acme.*'], mostUses: 3, hourTo: 18 });
  expect(await faultOf(author.send(signingKeyCalls.policy, { ...policy, hourTo: null }))).toBe('KEY_HOURS');
  expect((await author.send(signingKeyCalls.policy, { ...policy, packageNames: ['*'] })).code).toBe(400);
});

test('a chain is taken for the right key, in any order, and each link is checked', async () => {
  const id = await makeKey(author, second, store);
  const root = join(folder, 'root');
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${root}.key`,
    '-out',
    `${root}.pem`,
    '-subj',
    '/CN=Root',
    '-days',
    '9',
  );
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${root}2.key`,
    '-out',
    `${root}2.pem`,
    '-subj',
    '/CN=Root',
    '-days',
    '9',
  );
  const { pem } = await author.call(signingKeyCalls.request, { id, subject: 'CN=Leaf' });
  const csr = file('leaf.csr', pem);
  const leaf = openssl('x509', '-req', '-in', csr, '-CA', `${root}.pem`, '-CAkey', `${root}.key`, '-days', '8');
  const [own, other] = [openssl('x509', '-in', `${root}.pem`), openssl('x509', '-in', `${root}2.pem`)];
  for (const [certificates, fault] of [
    ['nothing', 'KEY_CHAIN_UNREAD'],
    [own, 'KEY_CHAIN_OTHER_KEY'],
    [leaf + other, 'KEY_CHAIN_BROKEN'],
    [leaf.repeat(9), 'KEY_CHAIN_LONG'],
  ] as const)
    expect(await faultOf(author.send(signingKeyCalls.chain, { id, certificates }))).toBe(fault);
  await author.call(signingKeyCalls.chain, { id, certificates: own + leaf });
  await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
  const key = await author.call(signingKeyCalls.detail, { id });
  expect([key.chain.length, key.subject, key.issuer]).toEqual([2, 'CN=Leaf', 'CN=Root']);
});

test('another organisation sees no store, no key and no request', async () => {
  const id = await makeKey(author, second, store);
  await generate(author, 'Hidden');
  const change = await newestChange(second);
  expect((await foreign.call(keyStoreCalls.page, {})).content).toEqual([]);
  expect((await foreign.call(signingKeyCalls.page, {})).content).toEqual([]);
  expect((await foreign.call(keyChangeCalls.page, {})).content).toEqual([]);
  expect(await faultOf(foreign.send(signingKeyCalls.destroy, { id }))).toBe('NOT_FOUND');
  expect(await faultOf(foreign.send(keyChangeCalls.approve, { id: change.id }))).toBe('NOT_FOUND');
  expect(await faultOf(foreign.send(signingKeyCalls.generate, { storeId: store, name: 'X', algorithm: 'p256', subject: SUBJECT }))).toBe(
    'NOT_FOUND',
  );
});

test('every call that changes a key waits for a second person, or says why one is enough', () => {
  const alone: Readonly<Record<string, string>> = {
    '/api/keystore/key/suspend': 'the brake',
    '/api/keystore/key/exportFile': 'one’s half of what two people agreed to',
    '/api/keystore/key/exportPassword': 'likewise',
    '/api/keystore/key/request': 'answers what is public',
    '/api/keystore/key/export': 'of the list, which has nothing private',
  };
  const calls = allCalls.filter(({ group, reads }) => group === '/api/keystore/key' && !reads);
  expect(
    calls
      .filter(({ dual, stepUp }) => !(dual && stepUp))
      .map(({ path }) => path)
      .sort(),
  ).toEqual(Object.keys(alone).sort());
});

async function exportedFile(id: number): Promise<Buffer> {
  const headers = { authorization: author.token, 'accept-platform': 'centre', 'accept-deptid': '0', 'content-type': 'application/json' };
  return (await app.http.inject({ method: 'POST', url: `/ops${signingKeyCalls.exportFile.path}`, headers, payload: { id } })).rawPayload;
}

test('an exportable key leaves in two halves, for a day; any other one never does', async () => {
  const fixed = await makeKey(author, second, store);
  expect(await faultOf(author.send(signingKeyCalls.exportKey, { id: fixed }))).toBe('KEY_NOT_EXPORTABLE');
  const id = await makeKey(author, second, store, { exportable: true, name: 'Leaving' });
  await author.call(signingKeyCalls.exportKey, { id });
  await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
  const halfOf = async (as: Client) => (await as.call(signingKeyCalls.detail, { id })).exportHalf;
  expect([await halfOf(author), await halfOf(second), await halfOf(third)]).toEqual(['file', 'password', null]);
  expect(await faultOf(author.send(signingKeyCalls.exportPassword, { id }))).toBe('KEY_NO_EXPORT');
  expect(await faultOf(third.send(signingKeyCalls.exportPassword, { id }))).toBe('KEY_NO_EXPORT');
  expect(await faultOf(second.send(signingKeyCalls.exportFile, { id }))).toBe('KEY_NO_EXPORT');
  const { password } = await second.call(signingKeyCalls.exportPassword, { id });
  const path = join(folder, 'leaving.p12');
  writeFileSync(path, await exportedFile(id));
  const plain = openssl('pkcs12', '-in', path, '-passin', `pass:${password}`, '-nodes');
  const { chain, fingerprint } = await author.call(signingKeyCalls.detail, { id });
  expect(plain).toContain((chain[0] ?? '').split('\n')[1]);
  const spki = execFileSync('openssl', ['pkey', '-in', file('leaving.pem', plain), '-pubout', '-outform', 'DER']);
  expect(createHash('sha256').update(spki).digest('hex')).toBe(fingerprint);
  expect(() => openssl('pkcs12', '-in', path, '-passin', 'pass:wrong', '-nodes')).toThrow();
  const began = app.clock.now;
  app.clock.now = new Date(began.getTime() + DAY + 1000);
  expect(await faultOf(second.send(signingKeyCalls.exportPassword, { id }))).toBe('KEY_NO_EXPORT');
  app.clock.now = began;
});

test.skipIf(!hasKeytool).each(keyAlgorithms)('keytool reads a key that left, and a request that one signed: %s', async (algorithm) => {
  const id = await makeKey(author, second, store, { algorithm, exportable: true, name: `For Java ${algorithm}` });
  const { pem } = await author.call(signingKeyCalls.request, { id, subject: 'CN=Other, O=Acme' });
  // It sees to the signature before it prints anything.
  expect(keytool('-printcertreq', '-file', file('java.csr', pem))).toContain('Subject: CN=Other, O=Acme');
  await author.call(signingKeyCalls.exportKey, { id });
  await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
  const path = join(folder, 'java.p12');
  writeFileSync(path, await exportedFile(id));
  const { password } = await second.call(signingKeyCalls.exportPassword, { id });
  const listed = keytool('-list', '-v', '-keystore', path, '-storetype', 'PKCS12', '-storepass', password);
  expect(listed).toContain('Entry type: PrivateKeyEntry');
  expect(listed.replaceAll(':', '').toLowerCase()).toContain((await author.call(signingKeyCalls.detail, { id })).certificateSha256);
  expect(() => keytool('-list', '-keystore', path, '-storetype', 'PKCS12', '-storepass', 'wrong-one')).toThrow();
});
