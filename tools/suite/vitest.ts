import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { packageScript, root, runNode } from './processes.ts';
import type { Tally } from './tally.ts';

/**
 * Where the system offers huge pages to whoever asks for them, memory that is taken is taken by those: a hash of a password takes 64 MB, and
 * under a hypervisor that maps each small page by itself that was more than half of its cost (measured: 1.4 s of 2.7 s for a changed password).
 */
const HUGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

/** Runs one project of the tests, its output shown as it comes. */
export async function runTests(project: string, filters: readonly string[] = []): Promise<Tally> {
  const report = join(root, '.cache', `tests-${project}-${process.pid}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // A filter finds its tests in some of the projects; that it found none in any is for the caller to say.
  const filtered = filters.length > 0 ? ['--passWithNoTests', ...filters] : [];
  const { code } = await runNode([packageScript('vitest', 'vitest.mjs'), 'run', '--project', project, ...reporters, ...filtered], {
    show: true,
    env: HUGE_PAGES,
  });
  return tallyOf(project, taken(report), code);
}

function taken(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  } finally {
    rmSync(path, { force: true });
  }
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** None where the run ended before it was written, or while it was. */
function readReport(text: string | undefined): Report | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Report);
  } catch {
    return undefined;
  }
}

/** A file that can't be loaded and a server that does not start fail without a failed test: the exit code counts too. */
export function tallyOf(project: string, text: string | undefined, code: number): Tally {
  const report = readReport(text);
  if (!report) return { passed: 0, failed: 1, failures: [`${project}: broke off`] };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = report;
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${project} ${file}: ${beginningOf(message)}`] : [];
    return failed.map((one) => `${project} ${file} > ${one.fullName}: ${beginningOf(one.failureMessages?.[0] ?? '')}`);
  });
  const failed = Math.max(numFailedTests, code === 0 ? 0 : 1);
  if (failed > 0 && failures.length === 0) failures.push(`${project}: ended with code ${code}, no test failed`);
  return { passed: numPassedTests, failed, skipped: numPendingTests, failures };
}

/** Enough to know it by; the whole stands above. */
const beginningOf = (message: string): string => stripVTControlCharacters(message).split('\n').slice(0, 4).join('\n    ').slice(0, 500);
