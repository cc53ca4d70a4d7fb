import { readFileSync } from 'node:fs';
import { textTables } from '@mooring/contract/texts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
});
afterAll(() => browser?.close());

/** Those of the characters that are drawn as nothing, or like a character that no font has. */
const missing = (characters: readonly string[]): Promise<string[]> =>
  page.evaluate((all) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 48;
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    if (!pen) throw new Error('no canvas');
    pen.font = '32px sans-serif';
    const drawn = (character: string) => {
      pen.clearRect(0, 0, 48, 48);
      pen.fillText(character, 4, 36);
      return pen.getImageData(0, 0, 48, 48).data.join();
    };
    const without = ['', '\u0378', '\u{10FFFD}'].map(drawn);
    return all.filter((character) => without.includes(drawn(character)));
  }, characters);

const lettersOf = (text: string) => [...new Set(text)].filter((one) => /\p{L}|\p{N}|\p{P}/u.test(one));

test('every character of the Chinese texts has a glyph', async () => {
  const letters = lettersOf(
    Object.values(textTables)
      .flatMap((table) => Object.values<readonly [string, string]>(table).map(([, zh]) => zh))
      .join(''),
  );
  expect(letters.length).toBeGreaterThan(100);
  expect(await missing(letters)).toEqual([]);
});

test('every character of the Arabic texts has a glyph', async () => {
  const letters = lettersOf(readFileSync('server/src/modules/language/packs/ar.json', 'utf8'));
  expect(letters.length).toBeGreaterThan(50);
  expect(await missing(letters)).toEqual([]);
});

test('rare Chinese and Arabic have glyphs', async () => {
  expect(await missing(lettersOf('龘鑫燚囍，。「」ابتثجحخدذرزسشصضطظعغفقكلمنهوي؟'))).toEqual([]);
});

test('a character that no font has is seen as missing', async () => {
  expect(await missing(['固', '\u0379'])).toEqual(['\u0379']);
});
