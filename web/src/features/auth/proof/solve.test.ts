import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { afterEach, expect, test, vi } from 'vitest';
import { solve } from './solve.ts';

const SECRET = 'of the server';
afterEach(() => vi.unstubAllGlobals());

test('the work is done without the hashes of a secure context, and the server takes it', async () => {
  const challenge = await createChallenge({ algorithm: 'SHA-256', cost: 1, counter: 3000, deriveKey, hmacSignatureSecret: SECRET });
  vi.stubGlobal('crypto', {});
  const proof = JSON.parse(await solve(JSON.stringify(challenge)));
  vi.unstubAllGlobals();
  expect(await verifySolution({ ...proof, deriveKey, hmacSignatureSecret: SECRET })).toMatchObject({ verified: true });
});

test('what is no challenge fails at once', async () => {
  await expect(solve('{}')).rejects.toThrow();
  await expect(solve('nothing')).rejects.toThrow();
});
