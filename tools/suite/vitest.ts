import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageScript, root, runNode } from './processes.ts';
import type { Tally } from './tally.ts';

/** Runs one project of the tests, its output shown as it comes. */
export async function runTests(project: string, filters: readonly string[] = []): Promise<Tally> {
  const report = join(root, '.cache', `tests-${project}-${process.pid}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // A filter finds its tests in some of the projects; that it found none in any is for the caller to say.
  const filtered = filters.length > 0 ? ['--passWithNoTests', ...filters] : [];
  const { code } = await runNode([packageScript('vitest', 'vitest.mjs'), 'run', '--project', project, ...reporters, ...filtered], {
    show: true,
  });
  return tallyOf(report, code);
}

/** A file that can't be loaded and a server that does not start fail without a failed test: the exit code counts too. */
function tallyOf(report: string, code: number): Tally {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<
      'numPassedTests' | 'numFailedTests' | 'numPendingTests',
      number
    >;
    return { passed: numPassedTests, failed: Math.max(numFailedTests, code === 0 ? 0 : 1), skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(report, { force: true });
  }
}
