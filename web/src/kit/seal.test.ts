import { call, calls } from '@mooring/contract/kit/call';
import { sealed } from '@mooring/contract/kit/schema';
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
  const made = (await sealInput(change, input, async () => ({ pubKey, keyId: 'k', nonce: `n${asked++}` }))) as {
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

it('says at its field what is too long to be sealed, before anything is sent', async () => {
  const challenge = () => Promise.reject(new Error('asked'));
  const long = { ...input, old: '密'.repeat(64) };
  await expect(sealInput(change, long, challenge)).rejects.toMatchObject({ code: 400, fields: { old: { key: 'kit.seal.long' } } });
  await expect(sealInput(change, { ...input, old: 'x'.repeat(190) }, challenge)).rejects.toThrow('asked');
});
