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

test('the guard sees what is left out for another reason than what the machine lacks', () => {
  const said = (text: string) => silentSkips([{ path: 'a.journey.ts', text }]);
  expect(said("test.runIf(process.env.SHOTS)('pictures', () => {});")).toHaveLength(1);
  expect(said("test.skip('a', () => {});")).toHaveLength(1);
  expect(said("if (process.env.CI) test.skip('a', () => {});")).toHaveLength(1);
  expect(said("const slow = process.env.FAST;\ntest.skipIf(slow)('a', () => {});")).toHaveLength(1);
  expect(said("test('a', ({ skip }) => {\n  if (isLate()) return skip();\n});")).toHaveLength(1);
  expect(said("test.skipIf(process.platform !== 'linux')('a', () => {});")).toEqual([]);
  expect(said("const built = existsSync(join(import.meta.dirname, 'dist', 'a'));\nit.skipIf(!built)('a', () => {});")).toEqual([]);
  expect(
    said(
      "function find() {\n  return missingPrograms('x')[0];\n}\nconst it = find();\nprint('skipped: x');\ntest.runIf(it)('a', () => {});",
    ),
  ).toEqual([]);
});
