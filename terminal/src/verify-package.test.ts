import { generateKeyPairSync, sign } from 'node:crypto';
import { manifestText, releaseKeyText } from '@mooring/contract/device/manifest';
import { expect, test } from 'vitest';
import { compareVersions, isSigned } from './verify-package.ts';

const pair = () => {
  const keys = generateKeyPairSync('ed25519');
  return { ...keys, spki: keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
};
const root = pair();
const release = pair();
const manifest = { product: 'A920', kind: 'TA' as const, version: '2.0.0', base: null, size: 10, sha256: 'a'.repeat(64), keyId: 'k1' };
const releaseKey = {
  id: 'k1',
  publicKey: release.spki,
  signature: sign(null, Buffer.from(releaseKeyText({ id: 'k1', publicKey: release.spki })), root.privateKey).toString('base64'),
};
const signature = sign(null, Buffer.from(manifestText(manifest)), release.privateKey).toString('base64');

test('a package that the release key signed, which the root vouches for', () => {
  expect(isSigned({ package: { ...manifest, signature }, releaseKey }, root.spki)).toBe(true);
});

test.each([
  ['another product', { product: 'Q80' }],
  ['another version', { version: '1.0.0' }],
  ['another size', { size: 11 }],
  ['other bytes', { sha256: 'b'.repeat(64) }],
  ['another kind', { kind: 'DI' as const, base: '1.0.0' }],
])('a genuine signature over %s does not hold', (_name, change) => {
  expect(isSigned({ package: { ...manifest, ...change, signature }, releaseKey }, root.spki)).toBe(false);
});

test('a package of another kind, signed as such, is nothing that a terminal of before takes for firmware', () => {
  const named = { ...manifest, content: 'module', name: 'sp' };
  const signed = sign(null, Buffer.from(manifestText(named)), release.privateKey).toString('base64');
  expect(isSigned({ package: { ...named, signature: signed }, releaseKey }, root.spki)).toBe(true);
  // What it reads of the message are the fields that it knows.
  expect(isSigned({ package: { ...manifest, signature: signed }, releaseKey }, root.spki)).toBe(false);
  expect(isSigned({ package: { ...named, name: 'modem', signature: signed }, releaseKey }, root.spki)).toBe(false);
  expect(manifestText(manifest)).toBe(
    `{"product":"A920","kind":"TA","version":"2.0.0","base":null,"size":10,"sha256":"${'a'.repeat(64)}","keyId":"k1"}`,
  );
});

test('a release key that nobody vouches for does not hold', () => {
  expect(isSigned({ package: { ...manifest, signature }, releaseKey }, pair().spki)).toBe(false);
  expect(isSigned({ package: { ...manifest, signature }, releaseKey: { ...releaseKey, id: 'k2' } }, root.spki)).toBe(false);
  expect(isSigned({ package: { ...manifest, signature: 'none' }, releaseKey: { ...releaseKey, publicKey: 'none' } }, root.spki)).toBe(
    false,
  );
});

test.each([
  ['1.9.0', '1.10.0', -1],
  ['2.0', '2.0.0', -1],
  ['2.0.0', '2.0.0', 0],
  ['10.0.0', '9.9.9', 1],
])('%s against %s', (a, b, wanted) => {
  expect(Math.sign(compareVersions(a, b))).toBe(wanted);
});
