import { expect, test } from 'vitest';
import { lostSums } from './lost-sums.ts';
import { sourceFiles } from './source-files.ts';

test('no sum waits between its reading and its writing', () => {
  expect(lostSums(sourceFiles())).toEqual([]);
});

test('one that does is seen', () => {
  expect(lostSums([{ path: 'web/src/a.ts', text: 'sent += await send();' }])).toHaveLength(1);
  expect(lostSums([{ path: 'web/src/a.ts', text: 'const bytes = await send();\nsent += bytes;' }])).toEqual([]);
});
