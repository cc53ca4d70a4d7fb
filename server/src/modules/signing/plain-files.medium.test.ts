import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { zipBytes } from '@mooring/apk/zip.factory';
import { signingJobCalls } from '@mooring/contract/signing/job';
import type { SignProfile } from '@mooring/contract/signing/limits';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { makeKey, makeStore } from './signing.factory.ts';

let app: TestApp;
let author: Client;
let second: Client;
let bank = { id: 0, path: '' };
let store = 0;
beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  store = await makeStore(author, bank.id);
});
afterAll(() => app?.stop());

const [JAR, APK, ATTACHMENT] = ['3', '4', '8'];
async function ask(keyId: number, profile: SignProfile, kind: string | undefined, bytes: Buffer) {
  const kept = await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]));
  const values = { ...kept, kind: kind ?? '', name: 'guide', user_id: author.userId, dept_path: bank.path, created_at: app.clock.now };
  const { id: fileId } = await app.context.unscoped((db) =>
    db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow(),
  );
  const { code, body } = await author.send(signingJobCalls.add, { keyId, fileId, profile });
  return body?.fault ?? code;
}

test('a file in which the name of a package’s manifest merely stands is signed beside as it is', async () => {
  const key = await makeKey(author, second, store);
  const guide = Buffer.from('Unpack the APK and open AndroidManifest.xml with an editor.');
  const archive = zipBytes([{ name: 'docs/AndroidManifest.xml.txt', bytes: guide }]);
  const apk = await makeApk({ packageName: 'com.acme.pay', signers: [] });
  expect(await ask(key, 'cms', ATTACHMENT, guide)).toBe(200);
  expect(await ask(key, 'cms', JAR, archive)).toBe(200);
  // What says that it is a package has to be one, and a signature within it asks for one.
  expect(await ask(key, 'cms', APK, guide)).toBe('PACKAGE_UNREADABLE');
  expect(await ask(key, 'apk', JAR, archive)).toBe('PACKAGE_UNREADABLE');
  // A key for some packages signs none under another name.
  const limited = await makeKey(author, second, store, { packageNames: ['com.acme.till'] });
  for (const bytes of [apk, guide]) expect(await ask(limited, 'cms', ATTACHMENT, bytes)).toBe('KEY_PACKAGE');
});
