import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import { call, calls } from '@mooring/contract/kit/call';
import { sealed, vaultSealed } from '@mooring/contract/kit/schema';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { sealedFields, sealInput, withoutSecrets } from './seal.ts';

const { change } = calls('test', '/test', {
  change: call({
    can: 'public',
    input: z.strictObject({
      account: z.string(),
      old: sealed('password'),
      next: z.strictObject({ secret: sealed('newPassword') }).optional(),
    }),
  }),
});
const input = { account: 'a', old: 'first', next: { secret: '密码 7' } };

it('finds the secrets of an input', () => {
  expect(sealedFields(change, input).map((field) => [field.path.join('.'), field.purpose])).toEqual([
    ['old', 'password'],
    ['next.secret', 'newPassword'],
  ]);
  expect(sealedFields(change, { account: 'a' })).toEqual([]);
});

it('what is kept of a form has no secrets in it', () => {
  expect(withoutSecrets(change, input)).toEqual({ account: 'a', old: '', next: { secret: '' } });
  expect(input.old).toBe('first');
});

it('seals each with a nonce of its own, bound to its purpose, and leaves the input alone', async () => {
  const pair = await crypto.subtle.generateKey(
    { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['encrypt', 'decrypt'],
  );
  const pubKey = Buffer.from(await crypto.subtle.exportKey('spki', pair.publicKey)).toString('base64');
  let asked = 0;
  const made = (await sealInput(change, input, async () => ({ pubKey, keyId: 'k', nonce: `n${asked++}` }) as never)) as {
    account: string;
    old: { data: string; nonce: string };
    next: { secret: { data: string; nonce: string } };
  };
  const open = async (seal: { data: string; nonce: string }, purpose: string) =>
    new TextDecoder().decode(
      await crypto.subtle.decrypt(
        { name: 'RSA-OAEP', label: new TextEncoder().encode(`${purpose}:${seal.nonce}`) },
        pair.privateKey,
        Buffer.from(seal.data, 'base64'),
      ),
    );
  expect(await open(made.old, 'password')).toBe('first');
  expect(await open(made.next.secret, 'newPassword')).toBe('密码 7');
  expect([made.account, made.old.nonce, made.next.secret.nonce, input.old]).toEqual(['a', 'n0', 'n1', 'first']);
  await expect(open(made.old, 'newPassword')).rejects.toThrow();
});

it('seals for the vault what is the vault’s, each with a key of its own, and hands it to nobody else', async () => {
  const { take } = calls('test', '/vault', {
    take: call({
      can: 'public',
      input: z.strictObject({ file: vaultSealed('keyFile', 900_000), word: vaultSealed('keyPassword', 480).optional() }),
    }),
  });
  const vault = createECDH('prime256v1');
  const publicKey = vault.generateKeys('base64');
  const file = '密码'.repeat(100_000);
  const made = (await sealInput(take, { file, word: 'open' }, async () => ({ publicKey }) as never)) as { file: string; word: string };
  const open = (sealed: string, purpose: string) => {
    const bytes = Buffer.from(sealed, 'base64');
    const key = hkdfSync('sha256', vault.computeSecret(bytes.subarray(0, 65)), bytes.subarray(0, 65), purpose, 32);
    const opening = createDecipheriv('aes-256-gcm', Buffer.from(key), Buffer.alloc(12)).setAuthTag(bytes.subarray(-16));
    return opening.update(bytes.subarray(65, -16), undefined, 'utf8') + opening.final('utf8');
  };
  expect([open(made.file, 'keyFile') === file, open(made.word, 'keyPassword')]).toEqual([true, 'open']);
  expect(() => open(made.word, 'keyFile')).toThrow();
  expect(made.file.slice(0, 80)).not.toBe(made.word.slice(0, 80));
  expect(withoutSecrets(take, { file, word: 'open' })).toEqual({ file: '', word: '' });
});

it('says at its field what is too long to be sealed, before anything is sent', async () => {
  const challenge = () => Promise.reject(new Error('asked'));
  const long = { ...input, old: '密'.repeat(64) };
  await expect(sealInput(change, long, challenge)).rejects.toMatchObject({ code: 400, fields: { old: { key: 'kit.seal.long' } } });
  await expect(sealInput(change, { ...input, old: 'x'.repeat(190) }, challenge)).rejects.toThrow('asked');
});
