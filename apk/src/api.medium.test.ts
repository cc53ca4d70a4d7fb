import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPackage, signPackage, verifyPackage } from './api.ts';
import { makeApk, proofOfRotation } from './apk.factory.ts';
import {
  aaptSays,
  apksignerSays,
  type Folder,
  jarsignerSays,
  lineageSays,
  missingPrograms,
  testFolder,
  zipalignSays,
} from './programs.factory.ts';
import { makeSigner } from './signer.factory.ts';
import { zipBytes } from './zip.factory.ts';

const missing = missingPrograms('apksigner', 'aapt', 'zipalign', 'jarsigner');
if (missing.length > 0) process.stderr.write(`skipped: ${missing.join(', ')} not installed here: nobody else judges what is signed\n`);

let folder: Folder;
beforeAll(() => {
  folder = testFolder();
});
afterAll(() => folder.remove());

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const till = {
  packageName: 'com.acme.till',
  versionCode: 7,
  versionName: '1.0.4 [BETA]',
  minSdk: 21,
  targetSdk: 33,
  labels: { '': 'Till', 'zh-CN': '收银', de: 'Kasse' },
  permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
  icon: png,
  abis: ['arm64-v8a', 'armeabi-v7a'],
  debuggable: true,
  files: { 'assets/menu.txt': Buffer.from('Espresso 1.20\n'.repeat(1000)) },
};

test('reads, verifies and signs in a thread of its own', async () => {
  const from = folder.write('plain.apk', await makeApk({ ...till, signers: [] }));
  const to = folder.path('signed.apk');
  const signer = await makeSigner();
  await signPackage({ from, to, signer, minSdk: 21 });
  const { info, signature } = await readPackage(to);
  expect(info).toMatchObject({ packageName: 'com.acme.till', label: 'Till', abis: till.abis, icon: { type: 'image/png' } });
  expect(signature).toMatchObject({ wrong: null, schemes: ['v1', 'v2', 'v3'], certificate: { sha256: signer.sha256 } });
  expect(await verifyPackage(to)).toEqual(signature);
  expect(await verifyPackage(from)).toMatchObject({ wrong: 'UNSIGNED' });
});

test('an unreadable package is a fault with its rule, many at once too', async () => {
  const path = folder.write('letter.apk', Buffer.from('a letter that somebody meant to send elsewhere'));
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => readPackage(path)));
  for (const one of all)
    expect(one).toMatchObject({ status: 'rejected', reason: { fault: 'PACKAGE_UNREADABLE', params: { rule: 'NOT_ARCHIVE' } } });
});

test('a key that fails, or signs for another certificate, leaves no package', async () => {
  const from = folder.write('other.apk', await makeApk({ signers: [] }));
  const [signer, other] = [await makeSigner(), await makeSigner({ name: 'Other' })];
  const to = folder.path('none.apk');
  const locked = async () => {
    throw new Error('the key is locked');
  };
  await expect(signPackage({ from, to, signer: { ...signer, sign: locked }, minSdk: 21 })).rejects.toThrow('the key is locked');
  await expect(signPackage({ from, to, signer: { ...signer, sign: other.sign }, minSdk: 24 })).rejects.toMatchObject({
    fault: 'SIGNATURE_MISMATCH',
  });
  await expect(signPackage({ from: folder.write('bad.apk', Buffer.from('PK')), to, signer, minSdk: 21 })).rejects.toMatchObject({
    params: { rule: 'NOT_ARCHIVE' },
  });
  expect([existsSync(to), existsSync(`${to}.part`)]).toEqual([false, false]);
});

test.skipIf(missing.length > 0)('what is signed holds for Android’s own tools, by the schemes asked for', async () => {
  const from = folder.write('from.apk', await makeApk({ ...till, signers: [] }));
  for (const kind of ['rsa2048', 'rsa3072', 'rsa4096', 'p256', 'p384'] as const)
    for (const minSdk of [21, 24]) {
      const to = folder.path(`${kind}.apk`);
      const signer = await makeSigner({ kind });
      await signPackage({
        from: minSdk === 21 ? from : folder.write('24.apk', await makeApk({ ...till, minSdk, signers: [] })),
        to,
        signer,
        minSdk,
      });
      const verified = await apksignerSays(to);
      expect(verified, verified.text).toMatchObject({
        ok: true,
        schemes: minSdk === 21 ? ['v1', 'v2', 'v3'] : ['v2', 'v3'],
        sha256: signer.sha256,
      });
      expect(verified.text).not.toMatch(/^WARNING: (?!.*(illegal|reflective|JAVA))/m);
      expect(await zipalignSays(to)).toMatchObject({ ok: true });
      if (minSdk === 21) expect((await jarsignerSays(to)).text).toContain('jar verified');
    }
});

test.skipIf(missing.length > 0)('a proven rotation is one for Android’s own tools', async () => {
  const [old, middle, now] = [
    await makeSigner({ name: 'Old' }),
    await makeSigner({ name: 'Middle', kind: 'p256' }),
    await makeSigner({ kind: 'rsa4096' }),
  ];
  const proof = await proofOfRotation([old, middle, now]);
  const from = folder.write('rotated-from.apk', await makeApk({ ...till, signers: [] }));
  const to = folder.path('rotated.apk');
  await signPackage({ from, to, signer: now, minSdk: 21, lineage: { proof, oldest: old } });
  const verified = await apksignerSays(to);
  expect(verified, verified.text).toMatchObject({ ok: true, schemes: ['v1', 'v2', 'v3'] });
  expect((await verifyPackage(to)).lineage).toEqual([old.sha256, middle.sha256, now.sha256]);
  expect(await lineageSays(to)).toEqual([old.sha256, middle.sha256, now.sha256]);
  const newer = folder.write('rotated-newer.apk', await makeApk({ ...till, minSdk: 28, signers: [] }));
  await signPackage({ from: newer, to, signer: now, minSdk: 28, lineage: { proof } });
  const alone = await apksignerSays(to);
  expect(alone, alone.text).toMatchObject({ ok: true, schemes: ['v3'] });
  expect(await lineageSays(to)).toEqual([old.sha256, middle.sha256, now.sha256]);
});

test.skipIf(missing.length > 0)('a plain archive that was signed is verified by jarsigner', async () => {
  const jar = zipBytes([
    { name: 'META-INF/MANIFEST.MF', bytes: Buffer.from('Manifest-Version: 1.0\r\nMain-Class: com.acme.Till\r\n\r\n') },
    { name: `com/acme/${'long/'.repeat(20)}收银.class`, bytes: Buffer.from('code') },
  ]);
  const to = folder.path('signed.jar');
  await signPackage({ from: folder.write('plain.jar', jar), to, signer: await makeSigner(), minSdk: 1 });
  expect((await jarsignerSays(to)).text).toContain('jar verified');
  expect(readFileSync(to).length).toBeGreaterThan(jar.length);
});

test.skipIf(missing.length > 0)('the packages that tests are made with are what they say, for aapt too', async () => {
  const said = await aaptSays(folder.write('made.apk', await makeApk(till)));
  const { packageName, versionCode, versionName, minSdk, targetSdk } = till;
  expect(said).toMatchObject({
    packageName,
    versionCode,
    versionName,
    minSdk,
    targetSdk,
    label: 'Till',
    labels: { 'zh-CN': '收银', de: 'Kasse' },
  });
  expect(said).toMatchObject({ permissions: till.permissions.toSorted(), debuggable: true, hasIcon: true });
  const verified = await apksignerSays(
    folder.write('two.apk', await makeApk({ minSdk: 24, signers: [await makeSigner(), await makeSigner({ name: 'B' })] })),
  );
  expect(verified, verified.text).toMatchObject({ ok: true, schemes: ['v2'] });
});
