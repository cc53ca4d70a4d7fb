import { expect, test } from 'vitest';
import { secretsInArguments } from './secrets-in-arguments.ts';
import { sourceFiles } from './source-files.ts';

test('no process that we start gets a secret in its arguments', () => {
  expect(secretsInArguments(sourceFiles())).toEqual([]);
});

test.each(["spawn(process.execPath, ['--code', code])", "execFileSync(psql, ['--password=' + password])"])('%s is seen', (text) => {
  expect(secretsInArguments([{ path: 'server/src/a.ts', text }])).toHaveLength(1);
});

test('an option that a person types is none of ours', () => {
  expect(secretsInArguments([{ path: 'server/src/a.ts', text: "const words = ['--code', code];" }])).toEqual([]);
});
