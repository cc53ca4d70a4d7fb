import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type Font } from 'fontkit';

/** Noto Sans in its parts (server/fonts/LICENSE), in the order in which they are asked: nothing is fetched when a document is made. */
const names = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese', 'arabic', 'han'] as const;
export type FontName = (typeof names)[number];

const fileOf = (name: FontName) => join(import.meta.dirname, '../../../fonts', `${name}.ttf`);
const read = new Map<FontName, { readonly bytes: Buffer; readonly has: (point: number) => boolean }>();

function fontOf(name: FontName) {
  let found = read.get(name);
  if (!found) {
    const bytes = readFileSync(fileOf(name));
    const font = create(bytes) as Font;
    found = { bytes, has: (point) => font.hasGlyphForCodePoint(point) };
    read.set(name, found);
  }
  return found;
}
export const fontBytes = (name: FontName): Buffer => fontOf(name).bytes;

const byPoint = new Map<number, FontName>();
/** Which part draws a character; the one before it where that can, so that a word isn't cut. Undefined: none of them. */
export function fontFor(char: string, before?: FontName): FontName | undefined {
  const point = char.codePointAt(0) ?? 0;
  if (before && fontOf(before).has(point)) return before;
  const known = byPoint.get(point);
  if (known) return known;
  const found = names.find((name) => fontOf(name).has(point));
  if (found) byPoint.set(point, found);
  return found;
}
