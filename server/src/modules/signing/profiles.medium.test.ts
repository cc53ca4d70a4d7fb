import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { authorities, openssl, timeService } from './profile.factory.ts';
import { profileById } from './profile-rows.ts';
import { changeProfile, deleteProfile, makeKey, makeProfile, makeStore, newestChange } from './signing.factory.ts';

let app: TestApp;
let author: Client;
let second: Client;
let foreign: Client;
let bank = { id: 0, path: '' };
let store = 0;
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
  store = await makeStore(author, bank.id);
  folder = mkdtempSync(join(tmpdir(), 'mooring-profiles-'));
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
const faultOf = async (sent: ReturnType<Client['send']>) => (await answerOf(sent))?.fault;
let made = 0;
type Written = Partial<ParsedInputOf<typeof signingProfileCalls.add>>;
const input = (of: Written) => ({ name: `Profile ${++made}`, deptId: bank.id, kind: 'chain' as const, ...of });
const add = (of: Written) => makeProfile(author, second, input(of));
const refusal = (of: Written) => faultOf(author.send(signingProfileCalls.add, input(of)));

/** A key whose certificates are these, its own first. */
async function certified(chain: (request: string) => string): Promise<number> {
  const id = await makeKey(author, second, store);
  const { pem } = await author.call(signingKeyCalls.request, { id, subject: 'CN=Till, O=Acme' });
  await author.call(signingKeyCalls.chain, { id, certificates: chain(pem) });
  await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
  return id;
}
const plain = () => makeApk({ packageName: 'com.acme.pay', signers: [] });
async function upload(bytes?: Buffer, as = author): Promise<number> {
  bytes ??= await plain();
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]));
  const values = { kind: '4', name: 'pay.apk', size, sha256, md5, user_id: as.userId, dept_path: bank.path, created_at: app.clock.now };
  return app.context.unscoped(async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id);
}

test('a root is one certificate of an authority that issued itself and is valid now', async () => {
  const root = ca.root('Plain');
  expect(await refusal({ root: '' })).toBe('BAD_INPUT');
  expect(await refusal({ root: 'nothing' })).toBe('SIGNING_ROOT_UNREAD');
  expect(await refusal({ root: root.pem + root.pem })).toBe('SIGNING_ROOT_UNREAD');
  expect(await refusal({ root: ca.below('Sub', root).pem })).toBe('SIGNING_ROOT_NOT_CA');
  expect(await refusal({ root: ca.root('Leaf', 90, 'critical,CA:FALSE').pem })).toBe('SIGNING_ROOT_NOT_CA');
  const [over, began] = [ca.root('Over', 1), app.clock.now];
  app.clock.now = new Date(began.getTime() + 2 * 86_400_000);
  expect(await refusal({ root: over.pem })).toBe('SIGNING_ROOT_OVER');
  app.clock.now = began;
  const profile = await add({ root: root.pem });
  expect([profile.rootSubject, profile.rootSha256.length, profile.keyId]).toEqual(['CN=Plain, O=Acquirer', 64, null]);
  expect((await foreign.call(signingProfileCalls.page, {})).content).toEqual([]);
  expect(await faultOf(foreign.send(signingProfileCalls.delete, { id: profile.id }))).toBe('NOT_FOUND');
});

test('a product is in one profile of an organisation', async () => {
  const productId = await makeProduct(app, app.root, 'S920');
  await add({ kind: 'none', name: 'First', productIds: [productId] });
  expect(await answerOf(author.send(signingProfileCalls.add, input({ kind: 'none', productIds: [productId] })))).toMatchObject({
    fault: 'SIGNING_PROFILE_PRODUCT',
    fields: { productIds: { message: expect.stringContaining('First') } },
  });
});

test('a key signs below the root alone: another root, an end of validity or too long a line is refused', async () => {
  const root = ca.root('Acquirer');
  const issuer = ca.below('Issuer', root);
  const good = await certified((request) => ca.sign('till', issuer, request) + issuer.pem);
  const other = ca.root('Acquirer'.concat(' two'));
  const narrow = ca.root('Narrow', 90, 'critical,CA:TRUE,pathlen:0');
  const long = ca.below('Long', narrow);
  const far = await certified((request) => ca.sign('far', long, request) + long.pem);
  const soon = ca.below('Soon', root, { days: 2 });
  const brief = await certified((request) => ca.sign('brief', soon, request) + soon.pem);
  expect(await refusal({ root: other.pem, keyId: good })).toBe('KEY_NOT_BELOW');
  expect(await refusal({ root: narrow.pem, keyId: far })).toBe('KEY_NOT_BELOW');
  const { id: profileId } = await add({ root: root.pem, keyId: good });
  const open = await add({ root: root.pem });
  const fileId = await upload();
  const ask = (of: object) => author.send(signingJobCalls.add, { fileId, ...of } as never);
  expect(await faultOf(ask({ profileId, keyId: far }))).toBe('SIGNING_PROFILE_KEY');
  expect(await answerOf(ask({ profileId: open.id }))).toMatchObject({ fault: 'BAD_INPUT', fields: { keyId: expect.anything() } });
  expect(await faultOf(ask({ profileId: open.id, keyId: far }))).toBe('KEY_NOT_BELOW');
  const job = await author.call(signingJobCalls.add, { fileId, profileId });
  expect([job.keyId, job.profileKind, job.rootSha256.length]).toEqual([good, 'chain', 64]);
  expect(await faultOf(author.send(signingProfileCalls.delete, { id: profileId }))).toBe('SIGNING_PROFILE_IN_USE');
  await second.call(signingJobCalls.approve, { id: job.id });
  await app.runJobs();
  expect((await author.call(signingJobCalls.detail, { id: job.id })).state).toBe('signed');
  const early = await author.call(signingJobCalls.add, { fileId, profileId: open.id, keyId: brief });
  const began = app.clock.now;
  app.clock.now = new Date(began.getTime() + 3 * 86_400_000);
  try {
    expect(await faultOf(second.send(signingJobCalls.approve, { id: early.id }))).toBe('KEY_NOT_BELOW');
  } finally {
    app.clock.now = began;
  }
  await author.call(signingJobCalls.withdraw, { id: early.id });
});

test('what the profile asks for is another by the time of the approval, or of the signing: outdated', async () => {
  const [root, next] = [ca.root('Before'), ca.root('After')];
  const keyId = await certified((request) => ca.sign('before', root, request));
  const profile = await add({ root: root.pem });
  const fileId = await upload();
  const [first, later] = [
    await author.call(signingJobCalls.add, { fileId, profileId: profile.id, keyId }),
    await author.call(signingJobCalls.add, { fileId, profileId: profile.id, keyId }),
  ];
  await second.call(signingJobCalls.approve, { id: later.id });
  const { id, name, productIds, remark } = profile;
  await changeProfile(author, second, { id, name: `${name} renamed`, productIds, remark, keyId: null, root: next.pem });
  expect(await author.call(signingJobCalls.detail, { id: first.id })).toMatchObject({ state: 'requested', outdated: 'profile' });
  expect(await faultOf(second.send(signingJobCalls.approve, { id: first.id }))).toBe('SIGNING_PROFILE_CHANGED');
  await app.runJobs();
  expect(await author.call(signingJobCalls.detail, { id: later.id })).toMatchObject({ state: 'failed', reason: 'SIGNING_PROFILE_CHANGED' });
  await author.call(signingJobCalls.withdraw, { id: first.id });
  await deleteProfile(author, second, id);
  expect(await author.call(signingJobCalls.detail, { id: first.id })).toMatchObject({ profileId: null, profileName: profile.name });
});

test('what a profile asks for has the same hash as in requests that earlier versions wrote', async () => {
  const { id } = await add({ kind: 'none' });
  const fields = {
    root_sha256: '“ü”',
    key_id: null,
    time_url: 'https://time.example/a?b="c"\\d',
    time_root: 'a\n\tb\u0001',
    certificates: '',
  };
  const terms = async (of: Partial<Record<keyof typeof fields, string | number | null>>) => {
    await app.context.unscoped((db) =>
      db
        .updateTable('signing_profile')
        .set(of as never)
        .where('id', '=', id)
        .execute(),
    );
    return app.context.unscoped(async (db) => (await profileById(db, id)).terms);
  };
  const hash = (...of: unknown[]) => createHash('sha256').update(JSON.stringify(of)).digest('hex');
  const { root_sha256, time_url, time_root } = fields;
  expect(await terms({ root_sha256: '' })).toBe(hash('none', '', null));
  expect(await terms(fields)).toBe(hash('none', root_sha256, null, time_url, time_root));
  const keyId = await makeKey(author, second, store);
  expect(await terms({ key_id: keyId, certificates: 'c' })).toBe(hash('none', root_sha256, keyId, time_url, time_root, 'c'));
  expect(await terms({ time_url: '' })).toBe(hash('none', root_sha256, keyId, 'c'));
});

const stampOf = async (id: number): Promise<Buffer> => {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/ops${signingJobCalls.stamp.path}`,
    headers: { authorization: author.token, 'accept-platform': 'centre', 'accept-deptid': '0', 'content-type': 'application/json' },
    payload: { id },
  });
  return answer.rawPayload;
};
const bytesOf = async (sha256: string | null): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of await openStore(app.context.config, app.context.counts).read(sha256 ?? '')) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

test('a time stamp of the profile’s service is kept with the signature; while the service is away the job waits, and a false stamp is refused', async () => {
  const root = ca.root('Clocks');
  const service = await timeService(folder, root);
  const began = app.clock.now;
  try {
    const admin = await app.person('platformAdmin', app.root, 'manager');
    const asked = { kind: 'cms' as const, timeUrl: service.url };
    expect(await answerOf(author.send(signingProfileCalls.add, input({ ...asked, timeRoot: root.pem })))).toMatchObject({
      fault: 'ADDRESS_NOT_PUBLIC',
      fields: { timeUrl: expect.anything() },
    });
    await admin.call(systemSettingCalls.outbound, { timestamps: ['127.0.0.1'] });
    expect(await answerOf(author.send(signingProfileCalls.add, input(asked)))).toMatchObject({ fields: { timeRoot: expect.anything() } });
    expect(await answerOf(author.send(signingProfileCalls.add, input({ ...asked, timeRoot: 'no' })))).toMatchObject({
      fault: 'SIGNING_ROOT_UNREAD',
      fields: { timeRoot: expect.anything() },
    });
    const keyId = await makeKey(author, second, store);
    const beside = await add({ ...asked, timeRoot: root.pem, keyId });
    expect(beside.timeSubject).toBe('CN=Clocks, O=Acquirer');
    const whole = await add({ kind: 'none', timeUrl: service.url, timeRoot: root.pem, keyId });
    const content = await plain();
    const fileId = await upload(content);
    const begin = async (profileId: number) => {
      const { id } = await author.call(signingJobCalls.add, { fileId, profileId, keyId });
      await second.call(signingJobCalls.approve, { id });
      await app.runJobs();
      return id;
    };
    const detail = (id: number) => author.call(signingJobCalls.detail, { id });

    // Of a package: beside it, for its whole file.
    const stamped = await begin(whole.id);
    const one = await detail(stamped);
    expect(one).toMatchObject({ state: 'signed', stampedBy: 'CN=Clock, O=Acquirer' });
    expect(Math.abs(Date.parse(one.stampedAt ?? '') - Date.now())).toBeLessThan(600_000);
    const [signedFile, tokenFile] = [join(folder, 'signed.apk'), join(folder, 'signed.tst')];
    writeFileSync(signedFile, await bytesOf(one.sha256After));
    writeFileSync(tokenFile, await stampOf(stamped));
    expect(openssl('ts', '-verify', '-data', signedFile, '-in', tokenFile, '-token_in', '-CAfile', `${root.path}.pem`)).toContain('OK');
    expect(await faultOf(second.send(signingJobCalls.stamp, { id: stamped }))).toBe('SIGNING_NO_STAMP');

    // Of a signature beside a file: within it, for the signature.
    const within = await detail(await begin(beside.id));
    const cms = join(folder, 'pay.p7s');
    writeFileSync(cms, await bytesOf(within.sha256After));
    expect(openssl('cms', '-cmsout', '-print', '-inform', 'DER', '-in', cms)).toContain('id-smime-aa-timeStampToken');
    expect(within.stampedAt).not.toBeNull();
    const file = join(folder, 'content.apk');
    writeFileSync(file, content);
    openssl('cms', '-verify', '-binary', '-inform', 'DER', '-in', cms, '-content', file, '-noverify', '-out', join(folder, 'out'));

    // An answer to an older request, and one by a service below another root.
    service.again = service.last;
    expect(await detail(await begin(whole.id))).toMatchObject({ state: 'failed', reason: 'SIGNING_TIME_BAD', stampedAt: null });
    service.again = Buffer.from('no');
    expect(await detail(await begin(beside.id))).toMatchObject({ state: 'failed', reason: 'SIGNING_TIME_BAD' });
    service.again = undefined;
    const strange = await add({ kind: 'none', timeUrl: service.url, timeRoot: ca.root('Elsewhere').pem, keyId });
    expect(await detail(await begin(strange.id))).toMatchObject({ state: 'failed', reason: 'SIGNING_TIME_BAD' });

    // Away: the job stays, says so, asks before it signs again, and goes on by itself.
    service.answers = false;
    const waiting = await begin(whole.id);
    expect(await detail(waiting)).toMatchObject({ state: 'signing', waitsFor: 'time', waitsSince: expect.any(String) });
    const follow = async () => {
      await app.context.unscoped((db) => app.context.enqueue(db, 'signing:token', {}));
      await app.runJobs();
    };
    service.asked = 0;
    await follow();
    expect([service.asked, (await detail(waiting)).waitsFor]).toEqual([1, 'time']);
    service.answers = true;
    await follow();
    expect(await detail(waiting)).toMatchObject({ state: 'signed', waitsFor: null, waitsSince: null, stampedBy: 'CN=Clock, O=Acquirer' });
    service.answers = false;
    // What it was asked for under is another: it says so at once, and doesn't wait for a service that it no longer asks.
    const changed = await begin(whole.id);
    const { id, name, productIds, remark } = whole;
    const update = (timeUrl: string) =>
      changeProfile(author, second, { id, name, productIds, remark, keyId: null, root: '', timeUrl, timeRoot: root.pem });
    await update(`${service.url}/other`);
    expect(await detail(changed)).toMatchObject({ state: 'signing', outdated: 'profile' });
    await follow();
    await app.runJobs();
    expect(await detail(changed)).toMatchObject({ state: 'failed', reason: 'SIGNING_PROFILE_CHANGED', waitsFor: null, outdated: null });
    await update(service.url);
    const given = await begin(whole.id);
    app.clock.now = new Date(began.getTime() + 31 * 86_400_000);
    await app.context.unscoped((db) => app.context.enqueue(db, 'signing:sweep', {}));
    await app.runJobs();
    expect(await detail(given)).toMatchObject({ state: 'failed', reason: 'SIGNING_TIME_AWAY', waitsFor: null });
  } finally {
    app.clock.now = began;
    await service.stop();
  }
});

test('an app is released to a product by what the profile of the product’s owner asks for alone', async () => {
  const manager = await app.person('orgManager', bank);
  const developer = { contact_name: 'Ann', email: 'ann@example.com', state: 'accepted', dept_id: bank.id, dept_path: bank.path };
  await app.context.unscoped((db) =>
    db
      .insertInto('app_developer')
      .values(developer as never)
      .execute(),
  );
  const productId = await makeProduct(app, bank, 'A920');
  const root = ca.root('Release');
  const keyId = await certified((request) => ca.sign('release', root, request));
  const profile = await add({ root: root.pem, productIds: [productId] });
  /** A version of the bytes that is in the catalogue, as far as its review goes. */
  const listed = async (bytes: Buffer) => {
    const { id } = await manager.call(appVersionCalls.add, { fileId: await upload(bytes, manager) });
    await app.context.unscoped(async (db) => {
      await db.updateTable('app_version').set({ review_state: '2', publish_state: '1' }).where('id', '=', id).execute();
      await db.insertInto('app_version_product').values({ version_id: id, product_id: productId, dept_path: bank.path }).execute();
    });
    return id;
  };
  const release = (versionId: number) =>
    manager.send(softAppTaskCalls.add, {
      name: `Release ${++made}`,
      content: { action: 'install', versionId },
      scope: { releaseScope: '0' },
    } as never);
  const foreignId = await listed(await makeApk({ packageName: 'com.acme.other', minSdk: 24 }));
  expect(await answerOf(release(foreignId))).toMatchObject({
    fault: 'APP_PROFILE_ROOT',
    fields: { 'content.versionId': { message: expect.stringMatching(/Product A920.*CN=Release/) } },
  });
  expect(await manager.call(appVersionCalls.profiles, { id: foreignId })).toMatchObject([{ kind: 'chain', satisfied: false }]);
  const job = await author.call(signingJobCalls.add, { fileId: await upload(), profileId: profile.id, keyId });
  await second.call(signingJobCalls.approve, { id: job.id });
  await app.runJobs();
  const { sha256After } = await author.call(signingJobCalls.detail, { id: job.id });
  const parts: Buffer[] = [];
  for await (const part of await openStore(app.context.config, app.context.counts).read(sha256After ?? '')) parts.push(part as Buffer);
  const ownId = await listed(Buffer.concat(parts));
  // As one that was brought before certificates were kept.
  await app.context.unscoped((db) => db.updateTable('app_version').set({ certificates: null }).where('id', '=', ownId).execute());
  expect(await faultOf(release(ownId))).toBe('APP_PROFILE_UNREAD');
  const readAll = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'app:readCertificates', {}));
    await app.runJobs();
  };
  // Bytes that aren't there just now say nothing of what they carry.
  const storedAs = (sha256: string) =>
    app.context.unscoped((db) => db.updateTable('app_version').set({ sha256 }).where('id', '=', ownId).execute());
  await storedAs('0'.repeat(64));
  await readAll();
  expect(await manager.call(appVersionCalls.profiles, { id: ownId })).toMatchObject([{ satisfied: null }]);
  await storedAs(sha256After ?? '');
  await readAll();
  expect(await manager.call(appVersionCalls.profiles, { id: ownId })).toMatchObject([{ satisfied: true }]);
  expect((await release(ownId)).code).toBe(200);

  const { id, name, remark } = profile;
  await changeProfile(author, second, { id, name, remark, root: root.pem, keyId: null, productIds: [] });
  const beside = await add({ kind: 'cms', productIds: [productId] });
  expect(await faultOf(release(ownId))).toBe('APP_PROFILE_CMS');
  const again = await author.call(signingJobCalls.add, { fileId: await upload(Buffer.concat(parts)), profileId: beside.id, keyId });
  expect(again.profile).toBe('cms');
  await second.call(signingJobCalls.approve, { id: again.id });
  await app.runJobs();
  expect((await release(ownId)).code).toBe(200);
  // It was made under what the profile asked for then.
  const { id: _id, ...same } = { id: beside.id, name: beside.name, remark: beside.remark, root: '', productIds: [productId] };
  await changeProfile(author, second, {
    id: beside.id,
    ...same,
    keyId: await certified((request) => ca.sign('later', root, request)),
  });
  expect(await faultOf(release(ownId))).toBe('APP_PROFILE_CMS');
});
