import { expect, test } from 'vitest';
import { textTables } from '../texts.ts';
import { languageTexts } from './language.texts.ts';

test('each table of texts has a name of its own', () => {
  expect(Object.keys(textTables).filter((one) => !(`label.part.${one}` in languageTexts))).toEqual([]);
});
