import { randomInt } from 'node:crypto';
import { grayPng } from '../../platform/files/pictures.ts';

/** Characters that are read alike by nobody, each as seven rows of five points. */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  A: [0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11],
  C: [0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e],
  E: [0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f],
  F: [0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10],
  H: [0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11],
  J: [0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0c],
  K: [0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11],
  M: [0x11, 0x1b, 0x15, 0x15, 0x11, 0x11, 0x11],
  N: [0x11, 0x19, 0x15, 0x13, 0x11, 0x11, 0x11],
  P: [0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10],
  R: [0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11],
  T: [0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04],
  X: [0x11, 0x11, 0x0a, 0x04, 0x0a, 0x11, 0x11],
  Y: [0x11, 0x11, 0x0a, 0x04, 0x04, 0x04, 0x04],
  3: [0x0e, 0x11, 0x01, 0x06, 0x01, 0x11, 0x0e],
  4: [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02],
  7: [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
  9: [0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c],
};
const alphabet = Object.keys(glyphs).join('');
const LENGTH = 5;
const WIDTH = 160;
const HEIGHT = 48;
/** A point of a glyph before it is turned. */
const POINT = 5;
/** The picture's inner points to each of its own: edges are soft. */
const FINE = 3;

const between = (low: number, high: number): number => low + (high - low) * (randomInt(1_000_001) / 1_000_000);

export const randomAnswer = (): string => Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('');

type Ink = (x: number, y: number) => boolean;

/** The points on either side of a place; each is a disc that reaches the next one, also aslant. */
const near = (at: number): readonly number[] => [Math.floor(at), Math.floor(at) + 1];
const isLit = (rows: readonly number[], column: number, row: number): boolean =>
  column >= 0 && column < 5 && (((rows[row] ?? 0) >> (4 - column)) & 1) === 1;

/** One character in its place: turned, leaning, of its own size. */
function inkOf(char: string, at: number): Ink {
  const rows = glyphs[char] ?? [];
  const [turn, lean, size] = [between(-0.22, 0.22), between(-0.22, 0.22), between(1, 1.15)];
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [centerX, centerY] = [18 + at * 30 + between(-2, 2), HEIGHT / 2 + between(-2, 2)];
  return (x, y) => {
    const [dx, dy] = [(x - centerX) / size, (y - centerY) / size];
    const [turnedX, turnedY] = [dx * cos + dy * sin, dy * cos - dx * sin];
    const [column, row] = [(turnedX + lean * turnedY) / POINT + 2, turnedY / POINT + 3];
    return near(column).some((c) => near(row).some((r) => isLit(rows, c, r) && (column - c) ** 2 + (row - r) ** 2 < 0.45));
  };
}

/** A line through all of it: a reader of shapes finds no gap between the characters. */
function lineAcross(): Ink {
  const [from, height, length, phase] = [between(14, HEIGHT - 14), between(4, 11), between(40, 90), between(0, 7)];
  return (x, y) => Math.abs(y - from - height * Math.sin(x / length + phase)) < 1;
}

/** The answer as pixels alone: a PNG whose shapes are bent together, with lines across and grains over everything. */
export async function drawCaptcha(answer: string): Promise<Buffer> {
  const inks = [...answer].map(inkOf);
  const lines = [lineAcross(), lineAcross()];
  const [wave, length, phase] = [between(1.5, 3.5), between(9, 16), between(0, 7)];
  const pixels = Buffer.alloc(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      let dark = 0;
      for (let part = 0; part < FINE * FINE; part++) {
        const [fineX, fineY] = [x + (part % FINE) / FINE, y + Math.floor(part / FINE) / FINE];
        const [bentX, bentY] = [fineX + wave * Math.sin(fineY / length + phase), fineY + wave * Math.sin(fineX / length + phase)];
        if (inks.some((ink) => ink(bentX, bentY))) dark++;
        else if (lines.some((line) => line(bentX, bentY))) dark += 0.6;
      }
      pixels[y * WIDTH + x] = Math.max(0, Math.min(255, 235 - (190 * dark) / (FINE * FINE) + between(-28, 20)));
    }
  return grayPng(pixels, WIDTH, HEIGHT);
}
