import { describe, expect, test } from 'vitest';
import { palettes, type Scheme } from './tokens.ts';

/** Contrast after WCAG 2.2, 1.4.3. */
function contrast(one: string, other: string): number {
  const light = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each(Object.keys(palettes) as Scheme[])('the %s palette', (scheme) => {
  const { shadow, ...colours } = palettes[scheme];

  test('names colours alone', () => {
    expect(Object.entries(colours).filter(([, value]) => !/^#[0-9a-f]{6}$/.test(value))).toEqual([]);
    expect(shadow).toContain('rgb(');
  });

  test.each(['bg', 'surface', 'raised', 'sunken', 'hover'] as const)('is read on %s', (ground) => {
    for (const text of [colours.text, colours.muted, colours.faint, colours.primary])
      expect(contrast(text, colours[ground])).toBeGreaterThanOrEqual(4.5);
  });
});
