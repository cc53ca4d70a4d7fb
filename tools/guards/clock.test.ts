import { expect, test } from 'vitest';
import { clockFaults } from './clock.ts';
import { sourceFiles } from './source-files.ts';

test('no part of the server goes by the clock of its machine', () => {
  expect(clockFaults(sourceFiles())).toEqual([]);
});

test.each(['Date.now() + 5', 'new Date()'])('%s is seen, except in tests', (text) => {
  expect(clockFaults([{ path: 'server/src/modules/a/a.ts', text }])).toHaveLength(1);
  expect(clockFaults([{ path: 'server/src/modules/a/a.test.ts', text }])).toEqual([]);
  expect(clockFaults([{ path: 'server/src/modules/a/b.ts', text: 'new Date(house.now().getTime())' }])).toEqual([]);
});
