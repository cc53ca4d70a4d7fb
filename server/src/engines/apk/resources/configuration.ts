import type { Cursor } from '../cursor.ts';

/** What of a configuration matters here. */
export interface Configuration {
  /** BCP 47; '' is any. */
  readonly language: string;
  /** Dots per inch; 0 is none. */
  readonly density: number;
}

/** For every density: what is drawn, not a picture. */
const ANY_DENSITY = 0xfffe;

export function readConfiguration(cursor: Cursor): Configuration {
  cursor.skip(8);
  const [language, region] = [cursor.take(2), cursor.take(2)];
  cursor.skip(2);
  const density = cursor.u16();
  const hasScript = cursor.bytes.length >= 40;
  if (hasScript) cursor.skip(20);
  const script = hasScript ? cursor.take(4).toString('latin1').replaceAll('\0', '') : '';
  const parts = [unpacked(language, 'a'), script, unpacked(region, '0')];
  const [first] = parts;
  return {
    language: first ? parts.filter((part) => /^[A-Za-z0-9]{2,4}$/.test(part)).join('-') : '',
    density: density === ANY_DENSITY || density === 0xffff ? 0 : density,
  };
}

/** Two letters as they are; three, where the highest bit is set, of five bits each. */
function unpacked(bytes: Buffer, base: string): string {
  const [first = 0, second = 0] = bytes;
  if ((first & 0x80) === 0) return first === 0 ? '' : bytes.toString('latin1');
  const from = base.charCodeAt(0);
  const letters = [second & 0x1f, ((second & 0xe0) >> 5) + ((first & 0x03) << 3), (first & 0x7c) >> 2];
  return String.fromCharCode(...letters.map((letter) => from + letter));
}
