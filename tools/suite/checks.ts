import { packageScript, runNode } from './processes.ts';
import { sum, type Tally } from './tally.ts';
import { runTests } from './vitest.ts';

const checks: readonly { name: string; argv: readonly string[] }[] = [
  {
    name: 'format and lint',
    argv: [packageScript('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--error-on-warnings', '--max-diagnostics=50', '.'],
  },
  { name: 'types', argv: [packageScript('typescript', 'bin', 'tsc'), '-p', '.'] },
  { name: 'types of the journeys', argv: [packageScript('typescript', 'bin', 'tsc'), '-p', 'e2e'] },
  { name: 'types of the console', argv: [packageScript('typescript', 'bin', 'tsc'), '-p', 'web'] },
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
  const [types, rest] = [checks.filter((one) => one.name.startsWith('types')), checks.filter((one) => !one.name.startsWith('types'))];
  const inTurn = async (list: typeof checks) => {
    const tallies: Tally[] = [];
    for (const one of list) tallies.push(await runCheck(one));
    return sum(tallies);
  };
  const tallies = await Promise.all([inTurn(types), inTurn(rest)]);
  return sum([...tallies, await runTests('small')]);
}
