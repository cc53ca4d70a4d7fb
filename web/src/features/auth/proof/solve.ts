import { type Challenge, solveChallenge } from 'altcha-lib';
import { createSHA256 } from 'hash-wasm';

/** The browser's own hashes (`crypto.subtle`) aren't there over plain HTTP, and are slow on a few bytes. */
export async function solve(text: string): Promise<string> {
  const challenge = JSON.parse(text) as Challenge;
  const hash = await createSHA256();
  const deriveKey = async (_: unknown, salt: Uint8Array, counted: Uint8Array) => ({
    derivedKey: hash.init().update(salt).update(counted).digest('binary'),
  });
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('not solved in time');
  return JSON.stringify({ challenge, solution });
}
