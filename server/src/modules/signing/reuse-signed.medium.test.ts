import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { makeKey, makeStore } from './signing.factory.ts';

let app: TestApp;
let author: Client;
let second: Client;
let bank = { id: 0, path: '' };
let keyId = 0;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  keyId = await makeKey(author, second, await makeStore(author, bank.id));
});
afterAll(() => app.stop());

async function signed(profile: 'apk' | 'cms') {
  const bytes = await makeApk({ packageName: 'com.acme.pay', signers: [] });
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]));
  const values = { kind: '4', name: 'pay.apk', size, sha256, md5, user_id: author.userId, dept_path: bank.path, created_at: app.clock.now };
  const fileId = await app.context.unscoped(
    async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id,
  );
  const { id } = await author.call(signingJobCalls.add, { fileId, profile, keyId });
  await second.call(signingJobCalls.approve, { id });
  await app.runJobs();
  return author.call(signingJobCalls.detail, { id });
}
const faultOf = async (by: Client, id: number) => (await by.send(signingJobCalls.reuse, { id })).body?.fault;

test('a signed package becomes an upload of its requester, once, and of nobody else; a signature beside a file doesn’t', async () => {
  const job = await signed('apk');
  expect(job.allowedActions).toContain('reuse');
  const file = await author.call(signingJobCalls.reuse, { id: job.id });
  expect(file).toMatchObject({ fileName: 'pay-signed.apk', fileType: '4', sha256: job.sha256After });
  expect((await author.call(signingJobCalls.reuse, { id: job.id })).id).toBe(file.id);
  expect(await faultOf(second, job.id)).toBe('SIGNING_NO_FILE');
  const beside = await signed('cms');
  expect(beside.allowedActions).not.toContain('reuse');
  expect(await faultOf(author, beside.id)).toBe('SIGNING_NO_FILE');
  // Nobody keeps it for them any longer; what was taken stays.
  app.clock.now = new Date(app.clock.now.getTime() + 40 * 86_400_000);
  expect(await faultOf(author, job.id)).toBe('SIGNING_NO_FILE');
});
