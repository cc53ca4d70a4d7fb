import { X509Certificate } from 'node:crypto';
import { Readable } from 'node:stream';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { besideFlaw } from '@mooring/terminal/beside';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { listVersion, saysApps } from '../app/catalogue.factory.ts';
import { derOf } from './certificate.ts';
import { keyById } from './key.resource.ts';
import { changeProfile, makeKey, makeProfile, makeStore } from './signing.factory.ts';

const CONTENT = Buffer.from('a package that is signed beside itself');
let app: TestApp;
let author: Client;
let second: Client;
let manager: Client;
let bank = { id: 0, path: '' };
let keyId = 0;
let productId = 0;
let versionId = 0;

const storeOf = () => openStore(app.context.config, app.context.counts);
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  manager = await app.person('orgManager', bank);
  keyId = await makeKey(author, second, await makeStore(author, bank.id));
  productId = await makeProduct(app, bank, 'A920');
  versionId = await listVersion(app, manager, { at: bank, packageName: 'com.acme.pay', code: 7, products: [productId] });
  const { sha256, size } = await storeOf().put(Readable.from([CONTENT]));
  await app.context.unscoped((db) => db.updateTable('app_version').set({ sha256, size }).where('id', '=', versionId).execute());
});
afterAll(() => app.stop());

async function fileOf(content: Buffer): Promise<number> {
  const { sha256, md5, size } = await storeOf().put(Readable.from([content]));
  const values = { kind: '8', name: 'pay.bin', size, sha256, md5, user_id: author.userId, dept_path: bank.path, created_at: app.clock.now };
  return app.context.unscoped(async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id);
}
async function signedBeside(profileId: number, content = CONTENT) {
  const { id } = await author.call(signingJobCalls.add, { fileId: await fileOf(content), profileId, keyId });
  await second.call(signingJobCalls.approve, { id });
  await app.runJobs();
  const { state, sha256After } = await author.call(signingJobCalls.detail, { id });
  expect(state).toBe('signed');
  return sha256After ?? '';
}
const { settle } = releasing(
  () => app,
  () => manager,
  () => 0,
);
let released = 0;
const releaseOf = (sn: string, ofVersion: number) => ({
  name: `Pay ${++released}`,
  scope: { releaseScope: '2' as const, sns: [sn] },
  content: { action: 'install', versionId: ofVersion },
});
/** What a terminal of the product is offered of the version. */
async function offered(sn: string, of = { productId, versionId }) {
  await makeDevices(app, bank, of.productId, [sn]);
  await saysApps(app, sn, []);
  const { id } = await manager.call(softAppTaskCalls.add, releaseOf(sn, of.versionId) as never);
  await manager.call(softAppTaskCalls.submit, { id });
  await manager.call(softAppTaskCalls.enable, { id });
  await settle();
  type Sent = { data: { url: string; detachedSignature?: { url: string; size: number; sha256: string } } };
  const sent = sql<Sent>`select data from gateway_outbox where topic = 'offer' and sn = ${sn} order by id desc limit 1`;
  const [row] = await app.context.unscoped(async (db) => (await sent.execute(db)).rows);
  if (!row) throw new Error('nothing was sent');
  return row.data;
}
async function bytesOf(sha256: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await storeOf().read(sha256)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

test('a signature beside a package goes to the terminals of its profile’s products, long after it was made', async () => {
  expect((await offered('SN000001')).detachedSignature).toBeUndefined();
  const profile = await makeProfile(author, second, { name: 'Beside', deptId: bank.id, kind: 'cms', productIds: [productId] });
  const first = await signedBeside(profile.id);
  await signedBeside(profile.id, Buffer.from('another package'));
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  const newest = await signedBeside(profile.id);
  expect(newest).not.toBe(first);

  // Nobody downloads it any more.
  app.clock.now = new Date(app.clock.now.getTime() + 40 * 86_400_000);
  await app.context.unscoped((db) => app.context.enqueue(db, 'signing:sweep', {}));
  await app.runJobs();
  const offer = await offered('SN000002');
  expect(offer.detachedSignature).toEqual({ sha256: newest, size: expect.any(Number), url: expect.stringMatching(/^\/d\/files\//) });
  expect(offer.detachedSignature?.url).not.toBe(offer.url);
  const bytes = await bytesOf(newest);
  expect(bytes).toHaveLength(offer.detachedSignature?.size ?? 0);

  const key = await app.context.unscoped((db) => keyById(db, keyId));
  const roots = derOf(key.chain)
    .map((one) => new X509Certificate(one).toString())
    .join('\n');
  expect(await besideFlaw(bytes, CONTENT, roots)).toBeUndefined();
  expect(await besideFlaw(bytes, Buffer.from('another package'), roots)).toContain('BYTES_DIFFER');
  expect(await besideFlaw(bytes, CONTENT, '')).toContain('isn’t trusted');

  // One whose bytes were dropped by the version before isn't named.
  const dropped = { id: 999_999, keeps_after: false, sha256_after: '0'.repeat(64), signed_at: new Date(app.clock.now.getTime() + 60_000) };
  await app.context.unscoped((db) =>
    sql`insert into signing_job overriding system value select (jsonb_populate_record(null::signing_job, to_jsonb(j) || ${JSON.stringify(dropped)}::jsonb)).*
      from signing_job j where sha256_after = ${newest}`.execute(db),
  );
  expect((await offered('SN000006')).detachedSignature?.sha256).toBe(newest);
});

test('one that was made under what the profile asked for before goes to nobody', async () => {
  const { content } = await author.call(signingProfileCalls.page, { criteria: {} });
  const [profile] = content;
  const { id, name, remark } = profile ?? { id: 0, name: '', remark: '' };
  await changeProfile(author, second, { id, name, remark, root: '', keyId, productIds: [productId] });
  await app.context.unscoped((db) => sql`update signing_profile set kind = 'none' where id = ${id}`.execute(db));
  expect((await offered('SN000003')).detachedSignature).toBeUndefined();
});

test('who releases asks too, of a product that isn’t theirs', async () => {
  const shared = await makeProduct(app, app.root, 'A930');
  const version = await listVersion(app, manager, { at: bank, packageName: 'com.acme.tip', code: 3, products: [shared] });
  const content = Buffer.from('another app');
  const { sha256, size } = await storeOf().put(Readable.from([content]));
  await app.context.unscoped((db) => db.updateTable('app_version').set({ sha256, size }).where('id', '=', version).execute());
  const of = { productId: shared, versionId: version };
  expect((await offered('SN000004', of)).detachedSignature).toBeUndefined();
  const profile = await makeProfile(author, second, { name: 'Own', deptId: bank.id, kind: 'cms', productIds: [shared] });
  expect((await manager.send(softAppTaskCalls.add, releaseOf('SN000004', version) as never)).body?.fault).toBe('APP_PROFILE_CMS');
  expect(await manager.call(appVersionCalls.profiles, { id: version })).toMatchObject([
    { profileName: 'Own', kind: 'cms', satisfied: false },
  ]);
  const signed = await signedBeside(profile.id, content);
  expect((await offered('SN000005', of)).detachedSignature?.sha256).toBe(signed);
});
