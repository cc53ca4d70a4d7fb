import { eachMenu } from '@mooring/contract/access/menus';
import { userCalls } from '@mooring/contract/account/calls';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appUnderFire, type Fire } from './app-under-fire.ts';
import { inputsOf, spoiledOf } from './inputs.ts';

/** FUZZ_RUNS and FUZZ_SEED: how many spoiled inputs a call gets, and which ones; `npm test` takes the same ones every time. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 6);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** What no answer says: stacks, statements, the database's own words. */
const LEAKS = /\bat \S+ \(|node:internal|node_modules|\.ts:\d+|violates|syntax error|duplicate key|kysely|relation "/;

const json = allCalls.filter((call) => call.wire === 'json');
const centrePermissions = new Set(
  eachMenu()
    .filter((node) => node.platforms.includes('centre'))
    .flatMap((node) => node.perms),
);
let fire: Fire;
/** What the database holds, as long as nothing that writes has been taken since. */
let held: string | undefined;
const light = async () => {
  held = undefined;
  fire = await appUnderFire((call) => call.platform === 'manager' || !isAllowed(centrePermissions, call.can));
};
let shots = 0;
let slowest = { path: '', ms: 0 };
beforeAll(light);
afterAll(async () => {
  await fire.stop();
  console.log(`${shots} inputs, seed ${SEED}; slowest ${slowest.ms.toFixed(0)} ms at ${slowest.path}; ${heapMb()} MB of heap`);
});
const heapMb = () => Math.round(process.memoryUsage().heapUsed / 2 ** 20);

/** Sends an input as it is, and says whether it was taken. The answer says nothing of the inside. */
async function shoot(call: Call, input: unknown): Promise<boolean> {
  const started = performance.now();
  const { code, status, ...rest } = await fire.admin(call).send(call, inAddress(input), { payload: input });
  const took = performance.now() - started;
  shots += 1;
  if (took > slowest.ms) slowest = { path: call.path, ms: took };
  expect([call.path, rest.body?.fault, status]).not.toEqual([call.path, 'UNEXPECTED', 200]);
  expect(status).toBeLessThan(500);
  if (code !== 200) expect(JSON.stringify(rest)).not.toMatch(LEAKS);
  else if (!call.reads) held = undefined;
  return code === 200;
}
/** An address is well-formed text before it is one. */
const inAddress = (input: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ id: 1, ...(input as object | null) }).map(([key, value]: [string, unknown]) => [
      key,
      (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed(),
    ]),
  );

/** The fire may have shut out the one who made it (a network, a policy, a unit): then the next call gets a new house. */
async function rebuilt(): Promise<void> {
  const still = [userCalls.info, { ...userCalls.info, platform: 'manager' as const }].map((call) => fire.admin(call).send(call));
  if ((await Promise.all(still)).every((one) => one.code === 200)) return;
  await fire.stop();
  await light();
}

describe.each(json.map((call) => [call.path, call] as const))('%s', (_path, call) => {
  test(`spoiled, good and doubled inputs (seed ${SEED})`, async () => {
    const good = inputsOf(call.input);
    const before = held ?? (await fire.fingerprint());
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(spoiledOf(good), async (input) => {
        if (await shoot(call, input)) taken += 1;
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    if (taken === 0 || call.reads) {
      held = await fire.fingerprint();
      expect(held.split('\n').filter((line) => !before.includes(line))).toEqual([]);
    }
    await fc.assert(
      fc.asyncProperty(good, async (input) => void (await shoot(call, input))),
      { numRuns: Math.ceil(RUNS / 2), seed: SEED, endOnFailure: true },
    );
    // Sent twice at once: both get an answer, whichever of them comes first.
    for (const input of fc.sample(good, { numRuns: 2, seed: SEED })) await Promise.all([shoot(call, input), shoot(call, input)]);
    await rebuilt();
  });
});
