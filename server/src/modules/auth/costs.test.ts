import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { expect, test } from 'vitest';
import { checkPassword, hashPassword } from './password-hash.ts';
import { askProof } from './proof.ts';

test('a password is kept as argon2id at its full cost, and found again', async () => {
  const stored = await hashPassword('Good.Word3x');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await checkPassword(stored, 'Good.Word3x')).toEqual({ ok: true, outdated: false });
  expect(await checkPassword(stored, 'Good.Word3y')).toEqual({ ok: false, outdated: false });
});

test('one that was kept at a lower cost is found, and said to be outdated', async () => {
  // The hash of Good.Word3x with m=64, t=1.
  const stored = `$argon2id$v=19$m=64,t=1,p=1$${Buffer.alloc(16).toString('base64url')}$f9YAuh12_U-_e5XgPv3j8yEY6QD8Pfe_tDGwpsKatGw`;
  expect(await checkPassword(stored, 'Good.Word3x')).toEqual({ ok: true, outdated: true });
});

test.each([0, 1])('a proof of level %i takes at least 8,000 hashes, doubled by each level', async (level) => {
  const app = { masterKey: { derive: () => Buffer.alloc(32) }, now: () => new Date() };
  const text = await askProof(app as never, { ip: '127.0.0.1' } as never, { purpose: 'code', account: '', level });
  const solution = await solveChallenge({ challenge: JSON.parse(text), deriveKey });
  expect(solution?.counter).toBeGreaterThanOrEqual(8_000 * 2 ** level);
  expect(solution?.counter).toBeLessThan(16_000 * 2 ** level);
});
