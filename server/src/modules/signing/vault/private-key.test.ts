import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { openKey, openText, publicBytes, sealKey, sealText } from './private-key.ts';
import { namedApart } from './read-key-file.ts';

const vaultKey = Buffer.alloc(32, 7);

test('a sealed key opens as what it was sealed: of its public half, and as one that leaves or doesn’t', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKey = publicBytes(privateKey);
  const sealed = sealKey(vaultKey, privateKey, false);
  expect(openKey(vaultKey, { sealed, publicKey, exportable: false }).equals(privateKey)).toBe(true);
  expect(() => openKey(vaultKey, { sealed, publicKey, exportable: true })).toThrow();
  const other = publicBytes(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);
  expect(() => openKey(vaultKey, { sealed, publicKey: other, exportable: false })).toThrow();
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
