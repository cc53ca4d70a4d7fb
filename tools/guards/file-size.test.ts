import { expect, test } from 'vitest';
import { sizeFaults } from './file-size.ts';
import { sourceFiles } from './source-files.ts';

test('no file of code is too long', () => {
  expect(sizeFaults(sourceFiles())).toEqual([]);
});

test('a line too many is seen, except in texts', () => {
  const text = `${'x;\n'.repeat(401)}`;
  expect(sizeFaults([{ path: 'server/src/a.ts', text }])).toEqual(['server/src/a.ts has 401 lines; 400 are the most']);
  expect(sizeFaults([{ path: 'contract/src/a/a.texts.ts', text }])).toEqual([]);
  expect(sizeFaults([{ path: 'server/src/a.ts', text: text.slice(3) }])).toEqual([]);
});
