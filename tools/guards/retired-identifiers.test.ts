import { expect, test } from 'vitest';
import { retiredNames } from './retired-identifiers.ts';
import { sourceFiles } from './source-files.ts';

test('no name in code and no file holds a word that was retired', () => {
  expect(retiredNames(sourceFiles())).toEqual([]);
});

test.each([
  ['a.ts', 'export const taskLife = 1;', 'taskMachine'],
  ['a.ts', 'const { house } = started;', 'app'],
  ['a.tsx', 'makeHouse(parts);', 'app'],
  ['a.ts', 'ctx.countStrangers();', 'unknownDevices'],
  ['server/src/platform/house.ts', '', 'retired name'],
  ['contract/src/device/lives.ts', '', 'retired name'],
])('%s with “%s” is found', (path, text, better) => {
  expect(retiredNames([{ path, text }]).join()).toContain(better);
});

test.each([
  ['a.ts', '// the house of a shop'],
  ['a.ts', "say('house')"],
  ['a.ts', 'const lifetime = warehouse;'],
  ['database/tables.ts', 'life: string; house: 1'],
])('%s with “%s” is right', (path, text) => {
  expect(retiredNames([{ path, text }])).toEqual([]);
});
