import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { openKey, openReference, openText, publicBytes, sealKey, sealReference, sealText } from './private-key.ts';
import { namedApart } from './read-key-file.ts';

const vaultKey = Buffer.alloc(32, 7);
const kind = 'software';

test('a sealed key opens as what it was sealed: of its public half, and as one that leaves or doesn’t', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKey = publicBytes(privateKey);
  const sealed = sealKey(vaultKey, privateKey, false);
  expect(openKey(vaultKey, { kind, sealed, publicKey, exportable: false }).equals(privateKey)).toBe(true);
  expect(() => openKey(vaultKey, { kind, sealed, publicKey, exportable: true })).toThrow();
  const other = publicBytes(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);
  expect(() => openKey(vaultKey, { kind, sealed, publicKey: other, exportable: false })).toThrow();
});

test('a password opens beside its own file alone', () => {
  const sealed = sealText(vaultKey, 'word', Buffer.from('one'));
  expect(openText(vaultKey, sealed, Buffer.from('one'))).toBe('word');
  expect(() => openText(vaultKey, sealed, Buffer.from('other'))).toThrow();
});

test('two entries of one name are told apart', () => {
  const named = (alias: string) => ({ alias }) as never;
  expect(namedApart([named('a'), named('a'), named('a (2)'), named('b')]).map(({ alias }) => alias)).toEqual([
    'a',
    'a (2)',
    'a (2) (2)',
    'b',
  ]);
});

test('what is sealed of a token is no key of the vault, and no reference is made of a key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKey = publicBytes(privateKey);
  const reference = { id: '00', label: 'token', serial: '1' };
  const sealed = sealReference(vaultKey, reference, publicKey);
  expect(openReference(vaultKey, { sealed, publicKey })).toEqual(reference);
  const asOther = (version: number, of: Buffer) => Buffer.concat([Buffer.from([version]), of.subarray(1)]);
  expect(() => openKey(vaultKey, { kind, sealed: asOther(2, sealed), publicKey, exportable: false })).toThrow();
  const key = sealKey(vaultKey, privateKey, false);
  expect(() => openReference(vaultKey, { sealed: asOther(3, key), publicKey })).toThrow();
  const other = publicBytes(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);
  expect(() => openReference(vaultKey, { sealed, publicKey: other })).toThrow();
});
