import { expect, test } from 'vitest';
import { silentSkips } from './skips.ts';
import { sourceFiles } from './source-files.ts';

test('a test that lacks a program of the machine prints "skipped" and is counted', () => {
  expect(silentSkips(sourceFiles())).toEqual([]);
});

test('the guard sees one that says nothing, and one that passes instead', () => {
  const said = (text: string) => silentSkips([{ path: 'a.medium.test.ts', text }]).length;
  expect(said("const has = missingPrograms('jq').length === 0; test.skipIf(!has)('a', () => {});")).toBe(1);
  expect(said("if (missingPrograms('jq').length > 0) process.stderr.write('skipped: jq is not here');")).toBe(1);
  expect(said("if (!has(missingPrograms('jq'))) console.log('none'); test('a', () => {});")).toBe(2);
  expect(said("process.stderr.write('skipped: jq'); test.runIf(missingPrograms('jq').length === 0)('a', () => {});")).toBe(0);
});
