import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { inTurn } from '../../platform/in-turn.ts';
import { passwordCost } from './costs.ts';

/** Two at once: four fill the thread pool, and file reads wait behind them. */
const AT_ONCE = 2;
const QUEUE = 64;

const derive = promisify(argon2);
const turn = inTurn({ atOnce: AT_ONCE, queue: QUEUE });

async function withTurn<T>(work: () => Promise<T>): Promise<T> {
  const give = await turn();
  try {
    return await work();
  } finally {
    give();
  }
}

/** PHC string of a new hash. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await withTurn(() => derive('argon2id', { message: password, nonce, ...passwordCost }));
  return `$argon2id$v=19$m=${passwordCost.memory},t=${passwordCost.passes},p=${passwordCost.parallelism}$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
}

const dummy = () =>
  `$argon2id$v=19$m=${passwordCost.memory},t=${passwordCost.passes},p=${passwordCost.parallelism}$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`;

/** Takes the same time for an unknown person, whose hash is none. */
export async function checkPassword(stored: string | null | undefined, password: string): Promise<{ ok: boolean; outdated: boolean }> {
  const [, , , parameters, nonce, tag] = (stored ?? dummy()).split('$');
  const [memory, passes, parallelism] = (parameters ?? '').split(',').map((part) => Number(part.slice(2)));
  const expected = Buffer.from(tag ?? '', 'base64url');
  const found = await withTurn(() =>
    derive('argon2id', {
      message: password,
      nonce: Buffer.from(nonce ?? '', 'base64url'),
      memory: memory ?? 0,
      passes: passes ?? 0,
      parallelism: parallelism ?? 0,
      tagLength: expected.length,
    }),
  );
  const ok = timingSafeEqual(found, expected) && Boolean(stored);
  return { ok, outdated: ok && (memory !== passwordCost.memory || passes !== passwordCost.passes) };
}
