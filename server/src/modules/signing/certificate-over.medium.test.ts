import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { makeKey, makeStore } from './signing.factory.ts';

let app: TestApp;
let author: Client;
let second: Client;
let bank = { id: 0, path: '' };

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
});
afterAll(() => app?.stop());

async function upload(kind: string, name: string, bytes: Buffer): Promise<number> {
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]));
  const values = { kind, name, size, sha256, md5, user_id: author.userId, dept_path: bank.path, created_at: app.clock.now };
  return app.context.unscoped(async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id);
}

test('an app whose key’s certificate is over is still updated by it, which is said; nothing else is signed', async () => {
  const keyId = await makeKey(author, second, await makeStore(author, bank.id));
  const apk = await makeApk({ packageName: 'com.acme.pay', signers: [] });
  const packageId = await upload('4', 'pay.apk', apk);
  const before = await author.call(signingJobCalls.add, { keyId, fileId: packageId });
  expect(before.certificateOver).toBe(false);
  await app.context.unscoped((db) =>
    sql`update signing_key set not_after = ${new Date(app.clock.now.getTime() - 60_000)} where id = ${keyId}`.execute(db),
  );
  const job = await author.call(signingJobCalls.add, { keyId, fileId: packageId });
  expect(job.certificateOver).toBe(true);
  await second.call(signingJobCalls.approve, { id: job.id });
  await app.runJobs();
  expect(await author.call(signingJobCalls.detail, { id: job.id })).toMatchObject({ state: 'signed', certificateOver: true });
  for (const [fileId, profile] of [
    [packageId, 'cms'],
    [await upload('8', 'plan.txt', Buffer.from('plan')), 'cms'],
  ] as const) {
    const { body } = await author.send(signingJobCalls.add, { keyId, fileId, profile });
    expect(body?.fault).toBe('KEY_CERTIFICATE_OVER');
  }
});
