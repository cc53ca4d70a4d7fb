import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textTables } from '@mooring/contract/texts';
import { expect, test } from 'vitest';
import { faultOfText } from './check-text.ts';
import { knownLanguage } from './known-languages.ts';

const folder = join(import.meta.dirname, 'packs');
const packs = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({
    lang: name.slice(0, -'.json'.length),
    texts: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>,
  }));
const arabic = packs.find(({ lang }) => lang === 'ar')?.texts ?? {};

test.each(packs)('every text of $lang is a message of ours and names its values alone', ({ lang, texts }) => {
  expect(knownLanguage(lang)).toBeDefined();
  expect(Object.entries(texts).flatMap(([key, text]) => faultOfText(key, text) ?? (text.trim() ? [] : [key]))).toEqual([]);
});

test('Arabic has every text: where one is missing, its reader meets English', () => {
  const keys = Object.values(textTables).flatMap((table) => Object.keys(table));
  expect(keys.filter((key) => !(key in arabic))).toEqual([]);
});

/** "Cancel" leaves a dialog: an act of the same words beside it leaves nobody knowing which is which. */
const alsoCancel = new Set(['kit.cancel', 'access.verb.cancel']);
const spoken = [
  ...[0, 1].map(
    (at) =>
      new Map(
        Object.values(textTables)
          .flatMap((table) => Object.entries<readonly string[]>(table))
          .map(([key, said]) => [key, said[at]]),
      ),
  ),
  ...packs.map(({ texts }) => new Map(Object.entries(texts))),
];
test('no act reads like the button that leaves its dialog', () => {
  for (const texts of spoken) {
    const leave = texts.get('kit.cancel');
    expect([...texts].filter(([key, text]) => text === leave && !alsoCancel.has(key)).map(([key]) => key)).toEqual([]);
  }
});

test('Arabic counts in its own six ways wherever English counts', () => {
  const counted = Object.entries(arabic).filter(([, text]) => text.includes(', plural,'));
  expect(counted.length).toBeGreaterThan(20);
  for (const [key, text] of counted)
    for (const way of ['one', 'two', 'few', 'many', 'other']) expect(text, key).toMatch(new RegExp(`\\b${way} \\{`));
});
