import QRCode from 'qrcode';
import type { Label } from './document.ts';
import { type Direction, type Line, linesOf, linesWithin, type Measure } from './lay-out.ts';

/** A sheet of three by eight, as most are sold: 70 × 37 mm each, from edge to edge of an A4 page but for half a millimetre above and below. */
const [COLUMNS, ROWS] = [3, 8];
const MM = 72 / 25.4;
const [WIDTH, HEIGHT] = [70 * MM, 37 * MM];
/** So near to the edge of a page printers print nothing. */
const EDGE = 4.5 * MM;
export const LABELS_A_PAGE = COLUMNS * ROWS;
/** Beside a code nothing is drawn for so many of its squares (ISO/IEC 18004, 5.3.8). */
const QUIET = 4;

export interface Placed {
  readonly label: Label;
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What may be printed on of each label; cut along these lines they are all of one size. */
export function placedLabels(labels: readonly Label[], page: { readonly width: number; readonly height: number }): Placed[] {
  const [left, top] = [(page.width - COLUMNS * WIDTH) / 2, (page.height - ROWS * HEIGHT) / 2];
  return labels.map((label, at) => {
    const place = at % LABELS_A_PAGE;
    return {
      label,
      page: Math.floor(at / LABELS_A_PAGE),
      x: left + (place % COLUMNS) * WIDTH + EDGE,
      y: top + Math.floor(place / COLUMNS) * HEIGHT + EDGE,
      width: WIDTH - 2 * EDGE,
      height: HEIGHT - 2 * EDGE,
    };
  });
}

interface LabelLine {
  readonly line: Line;
  readonly size: number;
  readonly isFirst: boolean;
}
const [LARGEST, LEAST, STEP, OTHERS] = [9.5, 4, 0.5, 8];
/** The first one whole, as small as two lines of it must be; of the others what there is room for, which end with an ellipsis where they don't fit. */
export function labelLines(
  [first = '', ...others]: readonly string[],
  { width, height, heightOf }: { readonly width: number; readonly height: number; readonly heightOf: (size: number) => number },
  measure: (size: number) => Measure,
  direction: Direction,
): LabelLine[] {
  let size = LARGEST;
  let lines = linesOf(first, width, measure(size), direction);
  for (; lines.length > 2 && size > LEAST; lines = linesOf(first, width, measure(size), direction)) size -= STEP;
  const found = lines.map((line): LabelLine => ({ line, size, isFirst: true }));
  let room = Math.floor((height - lines.length * heightOf(size)) / heightOf(OTHERS));
  for (const [at, text] of others.entries()) {
    const most = Math.min(2, room - (others.length - at - 1));
    if (most < 1) break;
    const own = linesWithin(text, most, width, measure(OTHERS), direction);
    found.push(...own.map((line) => ({ line, size: OTHERS, isFirst: false })));
    room -= own.length;
  }
  return found;
}

/** The dark stretches of a QR code, row by row, within a square of this size with its quiet zone. */
export function qrStretches(
  code: string,
  size: number,
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[] {
  const { modules } = QRCode.create(code, { errorCorrectionLevel: 'M' });
  const step = size / (modules.size + 2 * QUIET);
  const found: { x: number; y: number; width: number; height: number }[] = [];
  for (let row = 0; row < modules.size; row += 1) {
    let from = -1;
    for (let column = 0; column <= modules.size; column += 1) {
      const isDark = column < modules.size && modules.get(row, column) === 1;
      if (isDark && from === -1) from = column;
      if (isDark || from === -1) continue;
      found.push({ x: (from + QUIET) * step, y: (row + QUIET) * step, width: (column - from) * step, height: step });
      from = -1;
    }
  }
  return found;
}
