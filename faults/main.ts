import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from '../tools/suite/command.ts';
import { campaign, type Outcome } from './campaign.ts';
import { possibleWorlds } from './possible-worlds.ts';

const { values, on } = commandOf('faults');

const print = (line: string) => process.stdout.write(`${line}\n`);
const seed = values.seed ?? String(randomInt(1_000_000));
const possible = possibleWorlds(print);
const worlds = values.world ? possible.filter((world) => world === values.world) : possible;
if (worlds.length === 0) throw new Error(`There is no world ${values.world} here.`);
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());
const outcomes: Record<string, Outcome> = {};
for (const world of worlds) {
  const outcome = await campaign({
    seed,
    world,
    rounds: Math.ceil(Number(values.rounds) / worlds.length),
    from: Number(values.from),
    terminals: Number(values.terminals),
    fleets: 5,
    outageSeconds: Number(values.outage),
    unknownDevices: 10_000,
    isJudged: true,
    only: values.only,
    print,
    isVerbose: on.has('verbose'),
    signal: ending.signal,
  });
  outcomes[world] = outcome;
  if (outcome.broken !== undefined || ending.signal.aborted) break;
}
for (const [world, { rounds, faults, results, seconds, answers }] of Object.entries(outcomes)) {
  print(`\n${world}: ${rounds} rounds in ${(seconds / 60).toFixed(1)} minutes, ${results} results checked`);
  print(`  ${answers.answered} calls answered, ${answers.put} put off`);
  for (const [kind, times] of Object.entries(faults).sort()) print(`  ${String(times).padStart(4)} ${kind}`);
}
const isBroken = Object.values(outcomes).some((one) => one.broken !== undefined);
const cache = join(import.meta.dirname, '..', '.cache', 'faults');
mkdirSync(cache, { recursive: true });
const figures = { seed, date: new Date().toISOString(), outcomes };
writeFileSync(join(cache, `${seed}.json`), `${JSON.stringify(figures, null, 2)}\n`);
print(`\nseed ${seed}: ${isBroken ? 'BROKEN' : 'everything holds'}`);
// Whatever still has a timer in this process is of no use any more.
process.exit(isBroken ? 1 : 0);
