import { type Cell, defuse, textOf } from './defuse.ts';

const BOM = '\uFEFF';
const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const line = (cells: readonly Cell[]) =>
  `${cells.map((cell) => quote(typeof cell === 'number' ? String(cell) : defuse(textOf(cell)))).join(',')}\r\n`;

/** RFC 4180, in UTF-8 with the mark that Excel wants. */
export async function* csv(header: readonly string[], rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<Buffer> {
  let batch = BOM + line(header);
  for await (const row of rows) {
    batch += line(row);
    if (batch.length > 64 * 1024) {
      yield Buffer.from(batch);
      batch = '';
    }
  }
  yield Buffer.from(batch);
}
