import { packageScript, runNode } from './processes.ts';
import { sum, type Tally } from './tally.ts';
import { runTests } from './vitest.ts';

// One checker each: they don't share what they know, so that more of them check the contract's types over and over.
const types = (project: string): readonly string[] => [packageScript('typescript', 'bin', 'tsc'), '-p', project, '--checkers', '1'];

/** The longest first. */
const checks: readonly { name: string; argv: readonly string[] }[] = [
  { name: 'types', argv: types('.') },
  { name: 'types of the console', argv: types('web') },
  { name: 'types of the journeys', argv: types('e2e') },
  {
    name: 'format and lint',
    argv: [packageScript('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--error-on-warnings', '--max-diagnostics=50', '.'],
  },
  { name: 'unused code', argv: [packageScript('knip', 'bin', 'knip.js'), '--no-progress'] },
];

async function runCheck({ name, argv }: (typeof checks)[number]): Promise<Tally> {
  const begun = Date.now();
  const { code, output } = await runNode(argv);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: [name] };
}

/** Everything that needs no database and no browser. The guards are among the small tests. */
export async function runChecks(): Promise<Tally> {
  const tallies: Tally[] = [];
  const waiting = [...checks];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) tallies.push(await runCheck(next));
  };
  await Promise.all([lane(), lane()]);
  return sum([...tallies, await runTests('small')]);
}
