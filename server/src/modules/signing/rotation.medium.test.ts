import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { pem } from '@mooring/apk/cms/der';
import { apksignerSays, lineageSays, missingPrograms } from '@mooring/apk/programs.factory';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingJobCalls, verifyCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import type { KeyAlgorithm } from '@mooring/contract/signing/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { selfSigned } from './api.ts';
import { authorities } from './profile.factory.ts';
import { makeKey, makeProfile, makeStore, newestChange, SUBJECT } from './signing.factory.ts';

const missing = missingPrograms('apksigner');
if (missing.length > 0) process.stderr.write('skipped: apksigner not installed here: nobody else judges what a rotated key signs\n');

let app: TestApp;
let author: Client;
let second: Client;
let store = 0;
let bank = { id: 0, path: '' };
let folder = '';

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  store = await makeStore(author, bank.id);
  folder = mkdtempSync(join(tmpdir(), 'mooring-rotation-'));
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const faultOf = async (sent: ReturnType<Client['send']>) => {
  const { code, body } = await sent;
  return body?.fault ?? code;
};
const key = (algorithm: KeyAlgorithm = 'p256') => makeKey(author, second, store, { algorithm });
const of = (id: number) => author.call(signingKeyCalls.detail, { id });
const agree = async () => second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
async function rotate(id: number, nextId: number): Promise<void> {
  await author.call(signingKeyCalls.next, { id, nextId });
  await agree();
}

async function upload(minSdk: number, bytes?: Buffer): Promise<number> {
  const apk = bytes ?? (await makeApk({ packageName: 'com.acme.pay', minSdk, signers: [] }));
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([apk]));
  const values = { kind: '4', name: 'pay.apk', size, sha256, md5, user_id: author.userId, dept_path: bank.path, created_at: app.clock.now };
  return app.context.unscoped(async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id);
}
const job = (id: number) => author.call(signingJobCalls.detail, { id });
async function signed(keyId: number, minSdk: number, rotation = true) {
  const { id } = await author.call(signingJobCalls.add, { keyId, fileId: await upload(minSdk), profile: 'apk', rotation });
  await second.call(signingJobCalls.approve, { id });
  await app.runJobs();
  return job(id);
}
async function fileOf(id: number): Promise<string> {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/ops${signingJobCalls.download.path}`,
    headers: { authorization: author.token, 'accept-platform': 'centre', 'accept-deptid': '0', 'content-type': 'application/json' },
    payload: { id },
  });
  const path = join(folder, `${id}.apk`);
  writeFileSync(path, answer.rawPayload);
  return path;
}
async function verdictOf(id: number) {
  return (await author.call(verifyCalls.verify, { fileId: await upload(0, readFileSync(await fileOf(id))) })).signature;
}

test('two people name the next key, and both keys say so', async () => {
  const [old, now] = [await key(), await key('rsa2048')];
  await author.call(signingKeyCalls.next, { id: old, nextId: now });
  const change = await newestChange(second);
  expect(change).toMatchObject({ target: 'keyNext', keyId: old });
  expect(change.changes.every(({ before }) => before === null)).toBe(true);
  const { name, certificateSha256, storeName, exportable } = await of(now);
  expect(Object.fromEntries(change.changes.map(({ field, after }) => [field, after]))).toEqual({
    next: name,
    nextCertificate: certificateSha256,
    nextStore: storeName,
    nextKind: 'software',
    nextExportable: exportable,
    nextPackageNames: [],
    nextProducts: [],
  });
  expect(await faultOf(author.send(keyChangeCalls.approve, { id: change.id }))).toBe('CHANGE_OWN');
  expect((await of(now)).follows).toBe(null);
  await second.call(keyChangeCalls.approve, { id: change.id });
  expect([(await of(old)).followedBy?.id, (await of(now)).follows?.id]).toEqual([now, old]);
  expect([(await of(old)).allowedActions.includes('next'), (await of(old)).allowedActions.includes('dropNext')]).toEqual([false, true]);
});

test.skipIf(missing.length > 0)('what the newest of three keys signs carries the proof, and Android’s own tools agree', async () => {
  const [old, middle, now] = [await key('rsa2048'), await key('p256'), await key('p384')];
  await rotate(old, middle);
  await rotate(middle, now);
  const line = [await of(old), await of(middle), await of(now)].map((one) => one.certificateSha256);
  const done = await signed(now, 21);
  expect([done.state, done.reason, done.rotation, done.oldestKeyName]).toEqual(['signed', null, true, (await of(old)).name]);
  const verified = await apksignerSays(await fileOf(done.id));
  expect(verified, verified.text).toMatchObject({ ok: true, schemes: ['v1', 'v2', 'v3'] });
  expect(await lineageSays(await fileOf(done.id))).toEqual(line);
  expect((await verdictOf(done.id)).lineage).toEqual(line);
  expect([(await of(old)).uses, (await of(middle)).uses, (await of(now)).uses]).toEqual([1, 0, 1]);
});

test('for Androids that know rotation the new key signs alone, whatever became of the old one', async () => {
  const [old, now] = [await key(), await key()];
  await rotate(old, now);
  await author.call(signingKeyCalls.retire, { id: old });
  await agree();
  const done = await signed(now, 28);
  expect([done.state, done.rotation, done.oldestKeyName]).toEqual(['signed', true, null]);
  expect(await verdictOf(done.id)).toMatchObject({
    wrong: null,
    schemes: ['v3'],
    lineage: [(await of(old)).certificateSha256, (await of(now)).certificateSha256],
  });
  const asked = { keyId: now, fileId: await upload(21), profile: 'apk' } as const;
  const refused = await author.send(signingJobCalls.add, asked);
  expect([refused.body?.fault, refused.body?.fields]).toEqual([
    'KEY_EARLIER',
    { rotation: expect.objectContaining({ message: expect.stringContaining('Android 9') }) },
  ]);
  const alone = await signed(now, 21, false);
  expect([alone.state, alone.rotation]).toEqual(['signed', false]);
  expect((await verdictOf(alone.id)).lineage).toEqual([(await of(now)).certificateSha256]);
});

test('the policy of the old key holds for what it signs beside the new one', async () => {
  const [old, now] = [await key(), await key()];
  await rotate(old, now);
  await author.call(signingKeyCalls.policy, { id: old, packageNames: ['com.other.*'] });
  await agree();
  expect(await faultOf(author.send(signingJobCalls.add, { keyId: now, fileId: await upload(21), profile: 'apk' }))).toBe('KEY_EARLIER');
  await author.call(signingKeyCalls.policy, { id: old, packageNames: [], mostUses: 1 });
  await agree();
  expect((await signed(now, 21)).state).toBe('signed');
  expect(await faultOf(author.send(signingJobCalls.add, { keyId: now, fileId: await upload(21), profile: 'apk' }))).toBe('KEY_EARLIER');
});

test('an old key that is stopped after the approval ends the signature, and its use counts for neither', async () => {
  const [old, now] = [await key(), await key()];
  await rotate(old, now);
  const { id } = await author.call(signingJobCalls.add, { keyId: now, fileId: await upload(21), profile: 'apk' });
  await second.call(signingJobCalls.approve, { id });
  expect([(await of(old)).uses, (await of(now)).uses]).toEqual([1, 1]);
  await author.call(signingKeyCalls.suspend, { id: old });
  await app.runJobs();
  expect(await job(id)).toMatchObject({ state: 'failed', reason: 'KEY_EARLIER' });
  expect([(await of(old)).uses, (await of(now)).uses]).toEqual([0, 0]);
});

test('what is no next key is refused by name: of another organisation, itself, stopped, named already, not for packages', async () => {
  const other = await app.dept('Other');
  const [theirs, alsoTheirs] = [await app.person('signingOfficer', other), await app.person('signingOfficer', other)];
  const foreign = await makeKey(theirs, alsoTheirs, await makeStore(theirs, other.id));
  const [old, now, third] = [await key(), await key(), await key()];
  const name = (id: number, nextId: number) => faultOf(author.send(signingKeyCalls.next, { id, nextId }));
  expect(await name(old, foreign)).toBe('NOT_FOUND');
  expect(await name(old, old)).toBe('KEY_NEXT_OTHER');
  await rotate(old, now);
  expect(await name(old, third)).toBe('KEY_NEXT_THERE');
  expect(await name(third, now)).toBe('KEY_NEXT_TAKEN');
  expect(await name(now, old)).toBe('KEY_NEXT_TAKEN');
  await author.call(signingKeyCalls.policy, { id: third, profiles: ['cms'] });
  await agree();
  expect(await name(now, third)).toBe('KEY_PROFILE');
  const stopped = await key();
  await author.call(signingKeyCalls.suspend, { id: stopped });
  expect([await name(now, stopped), await name(stopped, third)]).toEqual(['KEY_NOT_ACTIVE', 'KEY_NOT_ACTIVE']);
});

test('a next key that is stopped before the approval is named by nobody', async () => {
  const [old, now] = [await key(), await key()];
  await author.call(signingKeyCalls.next, { id: old, nextId: now });
  const { id } = await newestChange(second);
  await author.call(signingKeyCalls.suspend, { id: now });
  expect(await faultOf(second.send(keyChangeCalls.approve, { id }))).toBe('CHANGE_OUTDATED');
  expect((await of(now)).follows).toBe(null);
});

test('the next key that is approved is the one that was read: of another certificate, policy or with the same one as before it isn’t named', async () => {
  const [old, now] = [await key(), await key()];
  await author.call(signingKeyCalls.next, { id: old, nextId: now });
  const { id } = await newestChange(second);
  const set = (values: object) => app.context.unscoped((db) => db.updateTable('signing_key').set(values).where('id', '=', now).execute());
  const { certificateSha256 } = await of(now);
  for (const values of [{ certificate_sha256: 'f'.repeat(64) }, { package_names: ['com.acme.*'] }]) {
    await set(values);
    expect(await faultOf(second.send(keyChangeCalls.approve, { id }))).toBe('CHANGE_OUTDATED');
    await set({ certificate_sha256: certificateSha256, package_names: [] });
  }
  await second.call(keyChangeCalls.approve, { id });
  expect((await of(now)).follows?.id).toBe(old);
  const twin = await key();
  await app.context.unscoped((db) =>
    db.updateTable('signing_key').set({ certificate_sha256: certificateSha256 }).where('id', '=', twin).execute(),
  );
  const refused = await author.send(signingKeyCalls.next, { id: now, nextId: twin });
  expect([refused.body?.fault, Object.keys(refused.body?.fields ?? {})]).toEqual(['KEY_NEXT_SAME', ['nextId']]);
});

test('a limited key names none that is let further, and what follows it isn’t let further later', async () => {
  const [old, now] = [await key(), await key()];
  await author.call(signingKeyCalls.policy, { id: old, packageNames: ['com.acme.*'] });
  await agree();
  const named = () => faultOf(author.send(signingKeyCalls.next, { id: old, nextId: now }));
  expect(await named()).toBe('KEY_NEXT_WIDER');
  await author.call(signingKeyCalls.policy, { id: now, packageNames: ['com.acme.pay', 'com.other'] });
  await agree();
  expect(await named()).toBe('KEY_NEXT_WIDER');
  await author.call(signingKeyCalls.policy, { id: now, packageNames: ['com.acme.pay', 'com.acme.shop.*'] });
  await agree();
  await rotate(old, now);
  expect((await of(now)).follows?.id).toBe(old);
  const widened = await author.send(signingKeyCalls.policy, { id: now, packageNames: [] });
  expect([widened.body?.fault, Object.keys(widened.body?.fields ?? {})]).toEqual(['KEY_NEXT_WIDER', ['packageNames']]);
});

test('a request is of the proof that it was made under, for Androids that know rotation too', async () => {
  const [first, old, now] = [await key(), await key(), await key()];
  await rotate(first, now);
  const { id } = await author.call(signingJobCalls.add, { keyId: now, fileId: await upload(28), profile: 'apk' });
  await author.call(signingKeyCalls.dropNext, { id: first });
  await agree();
  await rotate(old, now);
  expect((await job(id)).outdated).toBe('rotation');
  expect(await faultOf(second.send(signingJobCalls.approve, { id }))).toBe('KEY_ROTATION_CHANGED');
});

/** Another certificate for the same public half: whose signature it bears doesn't matter here. */
async function otherCertificate(id: number): Promise<string> {
  const signer = await app.context.unscoped((db) =>
    db.selectFrom('signing_key').select('public_key').where('id', '=', id).executeTakeFirstOrThrow(),
  );
  const made = { algorithm: 'p256' as const, publicKey: signer.public_key };
  const raw = await selfSigned(made as never, { subject: SUBJECT, years: 3, now: app.clock.now }, async () => Buffer.alloc(70, 1));
  return pem('CERTIFICATE', raw);
}

test('another certificate of a key that signed apps is asked for with the word that it cuts these off', async () => {
  const [used, fresh] = [await key(), await key()];
  expect((await signed(used, 30)).state).toBe('signed');
  expect([(await of(used)).signedApps, (await of(fresh)).signedApps]).toEqual([true, false]);
  const asked = async (id: number, certificates: string) => {
    await author.call(signingKeyCalls.chain, { id, certificates });
    const change = await newestChange(second);
    await second.call(keyChangeCalls.refuse, { id: change.id, remark: 'not needed' });
    return change.changes.some(({ field }) => field === 'cutsOff');
  };
  expect(await asked(used, await otherCertificate(used))).toBe(true);
  expect(await asked(fresh, await otherCertificate(fresh))).toBe(false);
  expect(await asked(used, (await of(used)).chain.join(''))).toBe(false);
});

test('messages about changes of keys say which key it is', async () => {
  const id = await key();
  const { name } = await of(id);
  await author.call(signingKeyCalls.policy, { id, mostUses: 3 });
  await second.call(keyChangeCalls.refuse, { id: (await newestChange(second)).id, remark: 'not needed' });
  const { rows } = await app.context.unscoped((db) =>
    sql<{ text_key: string; key: string }>`select text_key, params ->> 'subject' as key from message_message
      where text_key like '%hange%' order by id desc limit 2`.execute(db),
  );
  expect(rows).toEqual([
    { text_key: 'keyChangeRefused', key: name },
    { text_key: 'keyChangeWaiting', key: name },
  ]);
});

test('the certificate of a key in a rotation stays', async () => {
  const [old, now] = [await key(), await key()];
  await rotate(old, now);
  const signer = await app.context.unscoped((db) =>
    db.selectFrom('signing_key').select('chain').where('id', '=', now).executeTakeFirstOrThrow(),
  );
  const certificates = await otherCertificate(now);
  expect(await faultOf(author.send(signingKeyCalls.chain, { id: now, certificates }))).toBe('KEY_IN_ROTATION');
  await author.call(signingKeyCalls.chain, { id: now, certificates: signer.chain.join('') });
  await second.call(keyChangeCalls.refuse, { id: (await newestChange(second)).id, remark: 'not needed' });
});

test('the next key is withdrawn by two people, and what waited under the proof is not signed', async () => {
  const [old, now, third] = [await key(), await key(), await key()];
  await rotate(old, now);
  await rotate(now, third);
  expect(await faultOf(author.send(signingKeyCalls.dropNext, { id: old }))).toBe('KEY_NEXT_HANDED_ON');
  const { id } = await author.call(signingJobCalls.add, { keyId: third, fileId: await upload(28), profile: 'apk' });
  await author.call(signingKeyCalls.dropNext, { id: now });
  await agree();
  expect([(await of(now)).followedBy, (await of(third)).follows]).toEqual([null, null]);
  expect((await job(id)).outdated).toBe('rotation');
  expect(await faultOf(second.send(signingJobCalls.approve, { id }))).toBe('KEY_ROTATION_CHANGED');
  const { rows } = await app.context.unscoped((db) =>
    sql<{ n: number }>`select count(*)::int as n from signing_key where proof is not null and id = ${third}`.execute(db),
  );
  expect(rows).toEqual([{ n: 0 }]);
});

test('a profile’s root holds for the oldest key too, where that one signs for older Androids', async () => {
  // Authorities are made by the machine's clock.
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  const ca = authorities(folder);
  const root = ca.root('root');
  const [old, now] = [await key(), await key()];
  const { pem: request } = await author.call(signingKeyCalls.request, { id: now, subject: SUBJECT });
  await author.call(signingKeyCalls.chain, { id: now, certificates: ca.sign('now', root, request) });
  await agree();
  await rotate(old, now);
  const profile = { name: 'Acquirer', deptId: bank.id, kind: 'chain' as const, root: root.pem };
  const { id: profileId } = await makeProfile(author, second, profile);
  const asked = async (minSdk: number) =>
    author.send(signingJobCalls.add, { keyId: now, profileId, fileId: await upload(minSdk), profile: 'apk' });
  expect(await faultOf(asked(21))).toBe('KEY_EARLIER');
  expect(await faultOf(asked(28))).toBe(200);
});
