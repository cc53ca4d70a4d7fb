import { expect, test } from 'vitest';
import { pastTheDoor } from './one-door.ts';
import { sourceFiles } from './source-files.ts';

test('what is dangerous goes through its one door', () => {
  expect(pastTheDoor(sourceFiles())).toEqual([]);
});

test.each([
  ['server/src/modules/a/a.ts', "import { Parser } from 'htmlparser2';"],
  ['server/src/modules/a/a.ts', "const { fromBuffer } = await import('yauzl');"],
  ['server/src/modules/a/a.ts', "const { default: sharp } = await import('sharp');"],
  ['server/src/modules/a/a.ts', "import { parseXlsx } from '../../platform/work/parse-xlsx.ts';"],
  ['server/src/modules/a/a.ts', `const { parseXlsx } = await ${'import'}('../../platform/work/parse-xlsx.ts');`],
])('%s: %s is seen', (path, text) => {
  expect(pastTheDoor([{ path, text }])).toHaveLength(1);
});

test('types, tests and the doors themselves are free', () => {
  expect(
    pastTheDoor([
      { path: 'server/src/modules/a/a.ts', text: "import type { SheetLimits } from '../../platform/work/parse-xlsx.ts';" },
      { path: 'server/src/modules/a/a.test.ts', text: "import sharp from 'sharp';" },
      { path: 'server/src/platform/work/xlsx.thread.ts', text: "import { parseXlsx } from './parse-xlsx.ts';" },
    ]),
  ).toEqual([]);
});
