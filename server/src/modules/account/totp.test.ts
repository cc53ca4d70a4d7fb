import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { base32, codeOfStep, keyUri, stepAt, stepOfCode } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, SHA-1; the last six of eight digits.
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %i the code is %s', (seconds, code) => expect(codeOfStep(secret, stepAt(new Date(seconds * 1000)))).toBe(code));

test('base32 is that of RFC 4648', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

test('one step early or late is taken, two are not, and a step works once', () => {
  const now = new Date(1_700_000_000_000);
  const step = stepAt(now);
  for (const near of [-1, 0, 1]) expect(stepOfCode(secret, codeOfStep(secret, step + near), now, 0)).toBe(step + near);
  for (const far of [-2, 2]) expect(stepOfCode(secret, codeOfStep(secret, step + far), now, 0)).toBeUndefined();
  expect(stepOfCode(secret, codeOfStep(secret, step), now, step)).toBeUndefined();
  expect(stepOfCode(secret, codeOfStep(secret, step - 1), now, step)).toBeUndefined();
  expect(stepOfCode(secret, '', now, 0)).toBeUndefined();
});

test('names are escaped in the key address', () => {
  const uri = keyUri(secret, 'Bank & Söhne', 'a:b?c');
  expect(new URL(uri).searchParams.get('issuer')).toBe('Bank & Söhne');
  expect(uri).toContain('totp/Bank%20%26%20S%C3%B6hne:a%3Ab%3Fc?');
});

const oathtool = spawnSync('oathtool', ['--version']).status === 0;
test.skipIf(!oathtool)('agrees with oathtool (skipped where that is not installed)', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.integer({ min: 0, max: 4_000_000_000 }), (bytes, seconds) => {
      const key = Buffer.from(bytes);
      const told = spawnSync(
        'oathtool',
        ['--totp', '--now', `${new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19)} UTC`, key.toString('hex')],
        { encoding: 'utf8' },
      );
      expect(codeOfStep(key, stepAt(new Date(seconds * 1000)))).toBe(told.stdout.trim());
    }),
    { numRuns: 25 },
  );
});
