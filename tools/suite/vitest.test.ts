import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './processes.ts';
import { sum } from './tally.ts';
import { tallyOf } from './vitest.ts';

const passed = { fullName: 'a list opens', status: 'passed', failureMessages: [] };
const failed = {
  fullName: 'a row opens',
  status: 'failed',
  failureMessages: ['\u001B[31mError: none\u001B[0m\n  at one\n  at two\n  at three\n  at four'],
};
const report = (...testResults: object[]) =>
  JSON.stringify({ numPassedTests: 1, numFailedTests: testResults.length > 0 ? 1 : 0, numPendingTests: 0, testResults });
const file = (assertionResults: object[], status = 'failed', message = '') => ({
  name: join(root, 'e2e', 'a.journey.ts'),
  status,
  message,
  assertionResults,
});

test('what failed is named by project, file and test, with the beginning of what it said', () => {
  expect(tallyOf('journeys', report(file([passed, failed])), 1)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: [`journeys ${join('e2e', 'a.journey.ts')} > a row opens: Error: none\n      at one\n      at two\n      at three`],
  });
});

test('a file that could not be loaded is named with what it said', () => {
  expect(tallyOf('small', report(file([], 'failed', 'no such module')), 1).failures).toEqual([
    `small ${join('e2e', 'a.journey.ts')}: no such module`,
  ]);
});

test('an exit code without a failed test counts as one, and is named', () => {
  const { failed, failures } = tallyOf('medium', report(), 3);
  expect({ failed, failures }).toEqual({ failed: 1, failures: ['medium: ended with code 3, no test failed'] });
});

test('a sum keeps every failure', () => {
  expect(sum([{ passed: 1, failed: 0 }, tallyOf('medium', report(), 1), { passed: 0, failed: 1, failures: ['types'] }])).toMatchObject({
    passed: 2,
    failed: 2,
    failures: ['medium: ended with code 1, no test failed', 'types'],
  });
});

test.each([['half of a report', report(file([passed])).slice(0, -20)] as const, ['no report', undefined] as const])(
  '%s is a run that broke off',
  (_what, text) => {
    expect(tallyOf('small', text, 1)).toEqual({ passed: 0, failed: 1, failures: ['small: broke off'] });
  },
);
