import { setTimeout as sleep } from 'node:timers/promises';
import { between, pick, type Random, seeded } from '@mooring/terminal/random';
import { waitFor } from '../e2e/stack.ts';
import { allInvariants } from './invariants/all-invariants.ts';
import { allKinds } from './kinds/all-kinds.ts';
import type { Kind } from './kinds/kind.ts';
import { type Release, release } from './release.ts';
import { allReleases } from './releases/all-kinds.ts';
import { startUsers } from './users.ts';
import { startWorld } from './world/start-world.ts';
import type { World, WorldKind } from './world/world.ts';

export interface Plan {
  readonly seed: string;
  readonly world: WorldKind;
  readonly rounds: number;
  /** The number of the first of them: a failure is repeated without those before it. */
  readonly from?: number;
  readonly terminals: number;
  /** Processes that the terminals are spread over. */
  readonly fleets: number;
  readonly outageSeconds: number;
  /** Unknown connections of the kind that strikes by them, and whether times are judged then. */
  readonly unknownDevices: number;
  readonly isJudged: boolean;
  /** Kinds by a part of their names; all where left out. */
  readonly only?: string | undefined;
  /** Such kinds alone strike in one more round, the last one: in a world that has been through the others. */
  readonly last?: string | undefined;
  readonly print: (line: string) => void;
  readonly isVerbose?: boolean | undefined;
  /** Ends the campaign after its present round. */
  readonly signal?: AbortSignal;
}
export interface Outcome {
  readonly rounds: number;
  /** How often each kind struck. */
  readonly faults: Readonly<Record<string, number>>;
  readonly results: number;
  readonly seconds: number;
  readonly answers: { readonly answered: number; readonly put: number };
  /** The first round whose invariants don't hold, in words; the campaign ends with it. */
  readonly broken: string | undefined;
}

const PATIENCE_S = 150;
const SECOND_FAULT = 0.3;

const kindsOf = (world: World, { only = '' }: Plan) => allKinds.filter((kind) => kind.isPossible(world) && kind.name.includes(only));

/** Each kind once before one comes a second time, in an order that the seed gives. */
function deal(seed: string, round: number, kinds: readonly Kind[]): Kind {
  const random = seeded(`${seed} deck ${Math.floor((round - 1) / kinds.length)}`);
  const deck = kinds.map((kind) => ({ kind, at: random() })).sort((a, b) => a.at - b.at);
  return (deck[(round - 1) % kinds.length] as (typeof deck)[number]).kind;
}

/** Asks until nothing differs any more, or says what still does. */
async function settle(world: World, of: Release, seconds: number): Promise<string[]> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const found: string[] = [];
    for (const { name, check } of allInvariants) {
      const differences = await check(world, of).catch((error: unknown) => [`could not be checked: ${String(error)}`]);
      found.push(...differences.map((one) => `${name}: ${one}`));
    }
    if (found.length === 0 || performance.now() > until || world.console.wrong.length > 0) return found;
    await sleep(1000);
  }
}

interface Struck {
  readonly kinds: readonly string[];
  readonly found: readonly string[];
}

async function oneRound(world: World, plan: Plan, round: number, random: Random): Promise<Struck> {
  const { outageSeconds, unknownDevices, isJudged } = plan;
  const kinds = kindsOf(world, plan);
  const first = deal(plan.seed, round, kinds);
  const others = kinds.filter((kind) => !kind.isOnly && !(first.isAlone && kind === first));
  const struck = random() < SECOND_FAULT && !first.isOnly ? [first, pick(random, others)] : [first];
  const found: string[] = [];
  const began = performance.now();
  const note = (what: string) => plan.isVerbose && plan.print(`  ${((performance.now() - began) / 1000).toFixed(1)} s ${what}`);
  note(struck.map((kind) => kind.name).join(' + '));
  const of = await release(world, plan.seed, round);
  const users = startUsers(world, plan.seed, round, of.taskId);
  await waitFor(async () => (await of.done()) >= between(random, 0.02, 0.5), 'the releases to be under way', PATIENCE_S);
  world.console.calm(false);
  note('strikes');
  const strike = async (kind: Kind, after: number) => {
    await sleep(after);
    await kind.strike({
      world,
      random,
      outageSeconds,
      unknownDevices,
      isJudged,
      print: plan.print,
      broken: (what) => found.push(`${kind.name}: ${what}`),
    });
  };
  await Promise.all(struck.map((kind, index) => strike(kind, index * between(random, 0, 2000))));
  note('struck');
  // Clocks are still wrong: it goes on all the same.
  await waitFor(async () => (await of.open()).length === 0, 'the end of the releases', PATIENCE_S).catch((error: Error) =>
    found.push(error.message),
  );
  note('the releases have ended');
  await world.heal();
  note('healed');
  await users.rest();
  note('people rest');
  await waitFor(() => world.fleets.online() === world.fleets.count, 'all terminals', PATIENCE_S).catch((error: Error) =>
    found.push(error.message),
  );
  world.console.calm(true);
  note('all terminals are here');
  found.push(...(await settle(world, of, found.length > 0 ? 5 : PATIENCE_S)));
  return { kinds: struck.map((kind) => kind.name), found };
}

/** The database's log goes with its folder: what it said is shown with what broke. */
function databaseSaid(world: World): { readonly name: string; readonly text: string } {
  const name = 'the database';
  try {
    return { name, text: world.database.said() };
  } catch (error) {
    return { name, text: String(error) };
  }
}

/** Rounds of a living release with a fault in its middle; after each everything is counted. */
export async function campaign(plan: Plan): Promise<Outcome> {
  const { seed, print } = plan;
  const began = performance.now();
  const faults: Record<string, number> = {};
  const from = plan.from ?? 1;
  const world = await startWorld({ ...plan, kind: plan.world, random: seeded(`${seed} world`) });
  let rounds = 0;
  let broken: string | undefined;
  try {
    print(`world ${plan.world}: ${world.servers.length} server(s), ${world.fleets.count} terminals, seed ${seed}`);
    const end = from + plan.rounds;
    for (let round = from; round < end + (plan.last ? 1 : 0) && broken === undefined && !plan.signal?.aborted; round += 1) {
      const at = performance.now();
      const random = seeded(`${seed} round ${round}`);
      const of = round < end ? plan : { ...plan, only: plan.last };
      let struck: Struck;
      try {
        struck = await oneRound(world, of, round, random);
      } catch (error) {
        struck = {
          kinds: [deal(seed, round, kindsOf(world, of)).name],
          found: [String((error as Error).stack)],
        };
      }
      const { kinds, found } = struck;
      for (const kind of kinds) faults[kind] = (faults[kind] ?? 0) + 1;
      rounds += 1;
      const head = `round ${round}, ${kinds.join(' + ')}, ${((performance.now() - at) / 1000).toFixed(0)} s`;
      if (found.length === 0) print(`✓ ${head}`);
      else {
        const said = [...world.servers.map(({ process }) => ({ name: process.name, text: process.output() })), databaseSaid(world)];
        const ends = said.map(({ name, text }) => `--- ${name}\n${text.slice(-6000)}`);
        broken = `✗ ${head}; world ${plan.world}, seed ${seed}\n${found.join('\n')}\n${ends.join('\n')}`;
        print(broken);
      }
    }
  } finally {
    await world.stop();
  }
  return {
    rounds,
    faults,
    results: rounds * plan.terminals * allReleases.length,
    seconds: (performance.now() - began) / 1000,
    answers: world.console.counts,
    broken,
  };
}
