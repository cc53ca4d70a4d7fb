import { createHmac, randomInt } from 'node:crypto';
import { Fault } from '@mooring/contract/kit/fault';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { homeOf } from '../../platform/unproven.ts';
import { sendingLevel } from './attempts.ts';
import { proofCost } from './costs.ts';
import { consumeNonce } from './nonces.ts';

/** Loaded when it is first asked for: a server at rest needs none of it. */
const altcha = async () => ({ ...(await import('altcha-lib')), ...(await import('altcha-lib/algorithms/sha')) });

const MINUTES = 5;
/** About five seconds in a browser: beyond that the waits do more. */
const MOST = 6;

/** What the work is for. It counts for nothing else. */
export interface Task {
  readonly purpose: 'login' | 'code' | 'regist';
  /** The account as typed, where there is one. */
  readonly account: string;
  readonly level: number;
}

const Hex = z.string().regex(/^(?:[0-9a-f]{2})+$/);
const Shown = z.strictObject({
  challenge: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.literal('SHA-256'),
      cost: z.literal(1),
      keyLength: z.literal(32),
      keyPrefix: Hex,
      nonce: Hex,
      salt: Hex,
      data: z.strictObject({ tie: Hex, level: z.int(), until: z.int() }),
    }),
    signature: Hex,
  }),
  solution: z.object({ counter: z.int().min(0).max(0xffffffff), derivedKey: Hex }),
});

const keyOf = (app: AppContext): string => app.masterKey.derive('proof-of-work').toString('hex');
const tieOf = (app: AppContext, ctx: Ctx, { purpose, account }: Task): string =>
  createHmac('sha256', keyOf(app))
    .update(JSON.stringify([purpose, account.toLowerCase(), homeOf(ctx.ip)]))
    .digest('hex');
const levelOf = ({ level }: Task): number => Math.min(MOST, level);

/** Signed, so that only used ones are stored. Bound to purpose, account and address without naming them. */
export async function askProof(app: AppContext, ctx: Ctx, task: Task): Promise<string> {
  const level = levelOf(task);
  const least = proofCost.leastHashes * 2 ** level;
  const { createChallenge, deriveKey } = await altcha();
  const challenge = await createChallenge({
    algorithm: 'SHA-256',
    cost: 1,
    counter: randomInt(least, 2 * least),
    deriveKey,
    data: { tie: tieOf(app, ctx, task), level, until: app.now().getTime() + MINUTES * 60_000 },
    hmacSignatureSecret: keyOf(app),
  });
  return JSON.stringify(challenge);
}

const wrong = () => new Fault('CAPTCHA_WRONG', { fields: { proof: 'fault.CAPTCHA_WRONG' } });

function read(text: string): z.infer<typeof Shown> {
  try {
    return Shown.parse(JSON.parse(text));
  } catch {
    throw wrong();
  }
}

/** Uses the proof up. Faults: CAPTCHA_WRONG, and CAPTCHA_REQUIRED where more work is asked for by now. */
export async function consumeProof(app: AppContext, ctx: Ctx, task: Task, text: string): Promise<void> {
  const { challenge, solution } = read(text);
  const { data, nonce } = challenge.parameters;
  if (data.tie !== tieOf(app, ctx, task) || data.until <= app.now().getTime()) throw wrong();
  const { verifySolution, deriveKey } = await altcha();
  const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: keyOf(app) });
  if (!verified) throw wrong();
  if (data.level < levelOf(task)) throw new Fault('CAPTCHA_REQUIRED');
  if (!(await consumeNonce(app, `proof:${nonce}`, new Date(data.until)))) throw wrong();
}

/** Before something is mailed to an address that anybody may type in; known and unknown ones alike. */
export const mailTask = async (ctx: Ctx, purpose: 'code' | 'regist'): Promise<Task> => ({
  purpose,
  account: '',
  level: await ctx.unscoped((db) => sendingLevel(db, ctx.ip)),
});
