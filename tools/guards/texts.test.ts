import { allCalls } from '@mooring/contract/index';
import { textTables } from '@mooring/contract/texts';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import { bareKeyFaults, textFaults } from './texts.ts';

test('every text is there in both languages', () => {
  expect(textFaults(textTables, allCalls)).toEqual([]);
});

test.each([
  [{ a: { 'a.b': ['', '甲'] } }],
  [{ a: { 'a.b': ['A', ' '] } }],
  [{ a: { 'a.b': ['A {name}', '甲'] } }],
  [{ a: { 'a.b': ['{n, plural, one {a {file}} other {#}}', '{n}'] } }],
  [{ a: { 'a.b': ['A {', '甲'] } }],
  [{ a: { 'a.b': ['A', '甲'] }, b: { 'a.b': ['A', '甲'] } }],
] as const)('is seen: %j', (tables) => {
  expect(textFaults(tables, [])).toHaveLength(1);
});

test('a fault without a text is seen', () => {
  expect(textFaults({}, [{ path: '/x', faults: ['NEW_FAULT'] }])).toEqual(['/x: fault.NEW_FAULT has no text']);
});

test('a plural that Chinese does not have passes', () => {
  expect(textFaults({ a: { 'a.b': ['{n, plural, one {# file} other {# files}}', '{n} 个文件'] } }, [])).toEqual([]);
});

const keys = new Set(Object.values(textTables).flatMap((table) => Object.keys(table)));

test('what is said by key anywhere has a text', () => {
  expect(bareKeyFaults(sourceFiles(), keys)).toEqual([]);
});

test.each([
  ["z.string().regex(SN, { message: 'invalid.sn' })", 'invalid.sn'],
  ["throw new Fault('SN_TAKEN', { fields: { sn: 'fault.SN_TAKEN' } })", 'fault.SN_TAKEN'],
  ["throw fault('NOT_FOUND')", 'fault.NOT_FOUND'],
])('a key without a text is seen: %s', (text, key) => {
  expect(bareKeyFaults([{ path: 'server/src/x.ts', text }], new Set())).toContain(`server/src/x.ts: ${key} has no text`);
});
