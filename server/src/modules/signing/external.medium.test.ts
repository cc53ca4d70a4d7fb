import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { verifyPackage } from '@mooring/apk/api';
import { makeApk } from '@mooring/apk/apk.factory';
import { apksignerSays, missingPrograms } from '@mooring/apk/programs.factory';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { profilesOf } from './api.ts';
import { derOf } from './certificate.ts';
import { type Authority, authorities, openssl } from './profile.factory.ts';
import { changeProfile, makeKey, makeProfile, makeStore } from './signing.factory.ts';

let app: TestApp;
let author: Client;
let second: Client;
let foreign: Client;
let bank = { id: 0, path: '' };
let folder = '';
let ca: ReturnType<typeof authorities>;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  // Authorities are made by the machine's clock.
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  foreign = await app.person('signingOfficer', await app.dept('Other'));
  folder = mkdtempSync(join(tmpdir(), 'mooring-external-'));
  ca = authorities(folder);
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const answerOf = async (sent: ReturnType<Client['send']>) => {
  const { body } = await sent;
  return body as { fault?: string; fields?: Record<string, unknown> } | null;
};
let made = 0;
type Written = Partial<ParsedInputOf<typeof signingProfileCalls.add>>;
const input = (of: Written) => ({ name: `Profile ${++made}`, deptId: bank.id, kind: 'external' as const, ...of });
const add = (of: Written) => makeProfile(author, second, input(of));

async function upload(bytes: Buffer, as = author): Promise<number> {
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]));
  const values = { kind: '4', name: 'pay.apk', size, sha256, md5, user_id: as.userId, dept_path: bank.path, created_at: app.clock.now };
  return app.context.unscoped(async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id);
}
const bytesOf = async (sha256: string | null): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of await openStore(app.context.config, app.context.counts).read(sha256 ?? '')) parts.push(part as Buffer);
  return Buffer.concat(parts);
};
const detail = (id: number) => author.call(signingJobCalls.detail, { id });

/** Approved, and its checksums are out. */
async function asked(profileId: number, bytes: Buffer, profile: 'apk' | 'cms' = 'apk'): Promise<number> {
  const { id } = await author.call(signingJobCalls.add, { fileId: await upload(bytes), profileId, profile });
  await second.call(signingJobCalls.approve, { id });
  await app.runJobs();
  return id;
}
const deliver = (id: number, signatures: string, as = author) => as.send(signingJobCalls.deliver, { id, signatures });

/** As whoever has the key signs a checksum: it gets nothing else. */
function signedBy({ path }: Authority, { digest, value }: { digest: string; value: string }): string {
  const file = join(folder, 'checksum');
  writeFileSync(file, Buffer.from(value, 'hex'));
  const args = ['pkeyutl', '-sign', '-inkey', `${path}.key`, '-in', file, '-pkeyopt', `digest:${digest}`];
  return execFileSync('openssl', args).toString('base64');
}
async function deliverAll(id: number, by: Authority): Promise<number> {
  const { digests } = await author.call(signingJobCalls.digests, { id });
  const answer = await deliver(id, digests.map((one) => signedBy(by, one)).join('\n'));
  expect(answer.code).toBe(200);
  await app.runJobs();
  return digests.length;
}

test('the certificates of an external key are read: its own first, a line of them, valid now, a key that can sign here', async () => {
  const root = ca.root('Chain');
  const signer = ca.below('Signer', root);
  const refusal = (certificates: string) => answerOf(author.send(signingProfileCalls.add, input({ certificates })));
  for (const [certificates, fault] of [
    ['', 'BAD_INPUT'],
    ['nothing', 'KEY_CHAIN_UNREAD'],
    [`-----BEGIN CERTIFICATE-----\n${Buffer.from('no').toString('base64')}\n-----END CERTIFICATE-----\n`, 'KEY_CHAIN_UNREAD'],
    [signer.pem + ca.root('Another').pem, 'KEY_CHAIN_BROKEN'],
    [ca.below('Short', root, { key: 'rsa:1024' }).pem, 'SIGNING_CERTIFICATE_KEY'],
  ] as const)
    expect(await refusal(certificates)).toMatchObject({ fault, fields: { certificates: expect.anything() } });
  const began = app.clock.now;
  app.clock.now = new Date(began.getTime() + 70 * 86_400_000);
  expect(await refusal(signer.pem)).toMatchObject({ fault: 'KEY_CERTIFICATE_OVER', fields: { certificates: expect.anything() } });
  app.clock.now = began;
  const profile = await add({ certificates: signer.pem + root.pem, keyId: null });
  expect([profile.signerSubject, profile.signerSha256.length, profile.keyId]).toEqual(['CN=Signer, O=Acquirer', 64, null]);
  expect(profile.signerEnds).not.toBeNull();
});

const missing = missingPrograms('apksigner');
if (missing.length > 0) process.stderr.write(`skipped: packages signed by an external key, because of missing ${missing.join(', ')}\n`);

test.skipIf(missing.length > 0)('a package is signed by a key that is elsewhere, in two steps where older Androids need it', async () => {
  const root = ca.root('Acquirer');
  for (const [name, key] of [
    ['Rsa', 'rsa:2048'],
    ['Ec', 'p256'],
  ] as const) {
    const signer = ca.below(name, root, { key });
    const other = ca.below(`${name}Other`, root, { key });
    const profile = await add({ certificates: signer.pem + root.pem });
    const store = await makeStore(author, bank.id);
    const named = await makeKey(author, second, store);
    const bytes = await makeApk({ packageName: 'com.acme.pay', signers: [] });
    const fileId = await upload(bytes);
    expect(await answerOf(author.send(signingJobCalls.add, { fileId, profileId: profile.id, keyId: named }))).toMatchObject({
      fault: 'SIGNING_PROFILE_KEY',
    });
    const id = await asked(profile.id, bytes);
    const waiting = await detail(id);
    expect(waiting).toMatchObject({ state: 'waiting', keyId: null, profileKind: 'external', certificateSha256: profile.signerSha256 });
    const { digests, subject } = await author.call(signingJobCalls.digests, { id });
    expect([digests.length, subject]).toEqual([1, `CN=${name}, O=Acquirer`]);
    const [first] = digests;
    if (!first) throw new Error('nothing is asked for');

    // Wrong in number, no signature at all, by another key, of another checksum: nothing of it is kept.
    expect(await answerOf(deliver(id, `${signedBy(signer, first)}\n${signedBy(signer, first)}`))).toMatchObject({
      fault: 'SIGNING_DELIVERED_COUNT',
      fields: { signatures: expect.anything() },
    });
    for (const wrong of ['no signature!', 'AAAA', signedBy(other, first), signedBy(signer, { ...first, value: '0'.repeat(64) })])
      expect(await answerOf(deliver(id, wrong))).toMatchObject({
        fault: 'SIGNING_DELIVERED_WRONG',
        fields: { signatures: expect.anything() },
      });
    expect(await answerOf(deliver(id, 'AAAA', foreign))).toMatchObject({ fault: 'NOT_FOUND' });
    expect(await answerOf(foreign.send(signingJobCalls.digests, { id }))).toMatchObject({ fault: 'NOT_FOUND' });
    expect((await detail(id)).state).toBe('waiting');

    expect(await deliverAll(id, signer)).toBe(1);
    expect((await detail(id)).state).toBe('waiting');
    expect(await deliverAll(id, signer)).toBe(2);
    const done = await detail(id);
    expect(done).toMatchObject({ state: 'signed', deliveredBy: expect.any(String), certificateSha256: profile.signerSha256 });
    expect(await answerOf(deliver(id, 'AAAA'))).toMatchObject({ fault: 'SIGNING_NOT_OUTSIDE' });
    const path = join(folder, 'signed.apk');
    writeFileSync(path, await bytesOf(done.sha256After));
    expect(await verifyPackage(path)).toMatchObject({ wrong: null, certificate: { sha256: profile.signerSha256 } });
    expect(await apksignerSays(path)).toMatchObject({ ok: true, sha256: profile.signerSha256 });
    // Newer Androids need one step.
    const once = await asked(profile.id, await makeApk({ packageName: 'com.acme.pay', signers: [], minSdk: 24 }));
    expect(await deliverAll(once, signer)).toBe(2);
    expect((await detail(once)).state).toBe('signed');
  }
});

test('a signature beside a file is made by a key that is elsewhere, and openssl reads it', async () => {
  const root = ca.root('Beside');
  const signer = ca.below('BesideSigner', root);
  const profile = await add({ certificates: signer.pem + root.pem });
  const content = await makeApk({ packageName: 'com.acme.pay', signers: [] });
  const id = await asked(profile.id, content, 'cms');
  // Hours later it is the same signature that was asked for.
  const began = app.clock.now;
  app.clock.now = new Date(began.getTime() + 20 * 3_600_000);
  expect(await deliverAll(id, signer)).toBe(1);
  app.clock.now = began;
  const done = await detail(id);
  expect(done).toMatchObject({ state: 'signed', resultName: 'pay.apk.p7s' });
  const [cms, file] = [join(folder, 'pay.p7s'), join(folder, 'content')];
  writeFileSync(cms, await bytesOf(done.sha256After));
  writeFileSync(file, content);
  openssl('cms', '-verify', '-binary', '-inform', 'DER', '-in', cms, '-content', file, '-noverify', '-out', join(folder, 'out'));
});

test('what waits elsewhere is taken back, expires, or is outdated by another certificate; nothing of it stays', async () => {
  const root = ca.root('Ends');
  const [signer, next] = [ca.below('Ends1', root), ca.below('Ends2', root)];
  const bytes = await makeApk({ packageName: 'com.acme.pay', signers: [], minSdk: 24 });
  const profile = await add({ certificates: signer.pem });
  const [back, late, changed] = [await asked(profile.id, bytes), await asked(profile.id, bytes), await asked(profile.id, bytes)];
  await author.call(signingJobCalls.withdraw, { id: back });
  const { id, name, productIds, remark } = profile;
  const update = (certificates: string) =>
    changeProfile(author, second, { id, name, productIds, remark, keyId: null, root: '', certificates });
  await update(next.pem);
  expect(await answerOf(author.send(signingJobCalls.digests, { id: changed }))).toMatchObject({ fault: 'SIGNING_PROFILE_CHANGED' });
  expect(await answerOf(deliver(changed, 'AAAA'))).toMatchObject({ fault: 'SIGNING_PROFILE_CHANGED' });
  await update(signer.pem);
  // Delivered when the approval is long over, it is still signed.
  const began = app.clock.now;
  app.clock.now = new Date(began.getTime() + 20 * 86_400_000);
  const { digests } = await author.call(signingJobCalls.digests, { id: changed });
  expect((await deliver(changed, digests.map((one) => signedBy(signer, one)).join('\n'))).code).toBe(200);
  const sweep = () => app.context.unscoped((db) => app.context.enqueue(db, 'signing:sweep', {}));
  await sweep();
  await app.runJobs();
  expect((await detail(changed)).state).toBe('signed');
  app.clock.now = new Date(began.getTime() + 31 * 86_400_000);
  await sweep();
  await app.runJobs();
  expect((await detail(late)).state).toBe('expired');
  await sweep();
  await app.runJobs();
  // Its requester hears of it, once.
  const told = await app.context.unscoped((db) =>
    db
      .selectFrom('message_message')
      .select('id')
      .where('text_key', '=', 'signingUndelivered')
      .where('link', '=', `/apkTool?job=${late}`)
      .execute(),
  );
  expect(told).toHaveLength(1);
  app.clock.now = began;
  const left = await app.context.unscoped((db) =>
    db.selectFrom('signing_ask').select('id').where('job_id', 'in', [back, late, changed]).execute(),
  );
  expect(left).toEqual([]);
});

test('a product’s profile is met by a package of its external key, or by a signature beside it', async () => {
  const root = ca.root('Met');
  const signer = ca.below('MetSigner', root);
  const productId = await makeProduct(app, bank, 'A77');
  const profile = await add({ certificates: signer.pem, productIds: [productId] });
  const bytes = await makeApk({ packageName: 'com.acme.other', minSdk: 24 });
  const sha256 = (await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]))).sha256;
  const met = (certificates: readonly Buffer[] | null) =>
    app.context.unscoped(async (db) => (await profilesOf(db, [productId], { sha256, certificates }, bank.path, app.clock.now))[0]);
  expect(await met(null)).toMatchObject({ kind: 'external', satisfied: null, rootSubject: 'CN=MetSigner, O=Acquirer' });
  expect(await met(derOf([root.pem]))).toMatchObject({ satisfied: false });
  expect(await met(derOf([signer.pem]))).toMatchObject({ satisfied: true });
  const id = await asked(profile.id, bytes, 'cms');
  await deliverAll(id, signer);
  expect(await met(derOf([root.pem]))).toMatchObject({ satisfied: true });
});
