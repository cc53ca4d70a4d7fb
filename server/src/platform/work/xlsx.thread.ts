import { parentPort, workerData } from 'node:worker_threads';
import { Fault } from '@mooring/contract/kit/fault';
import { type OddCell, parseXlsx, type SheetLimits, type SheetRow } from './parse-xlsx.ts';
import { rowsOf } from './read-csv.ts';

export interface SheetOf {
  readonly bytes: Uint8Array;
  readonly limits: Partial<SheetLimits>;
  readonly as: 'xlsx' | 'csv';
}
/** Some rows more, or the end: with the name of what was wrong, if anything was. */
export type Piece =
  | { readonly rows: readonly SheetRow[] }
  | { readonly end: true; readonly fault?: string; readonly params?: Readonly<Record<string, string | number>> };

const ROWS = 500;
const { bytes, limits, as } = workerData as SheetOf;

const tell = (piece: Piece) => parentPort?.postMessage(piece);
/** The reader asks for each piece: no more than one waits. */
let open = (): void => {};
let gate = new Promise<void>((resolve) => {
  open = resolve;
});
parentPort?.on('message', () => open());
async function asked(): Promise<void> {
  await gate;
  gate = new Promise((resolve) => {
    open = resolve;
  });
}

/** `1.23457E+19`: what a program makes of a long number in a CSV file. */
const isRounded = (text: string) => /^\d(?:[.,]\d+)?E\+\d{2}$/i.test(text.trim());
/** Rows that hold nothing count for nothing, as in a workbook. */
async function* parseCsv(): AsyncGenerator<SheetRow> {
  let [number, count] = [0, 0];
  for (const cells of rowsOf(bytes, { rows: 2_000_000, columns: limits.columns ?? 100 })) {
    number += 1;
    if (cells.every((text) => text.trim() === '')) continue;
    if (++count > (limits.rows ?? 0)) throw new Fault('SHEET_TOO_LARGE');
    const odd = Object.fromEntries(cells.flatMap((text, at) => (isRounded(text) ? [[at, 'digits' as OddCell]] : [])));
    yield { number, cells, ...(Object.keys(odd).length > 0 ? { odd } : {}) };
  }
}

const CELL_TEXT = 4096;
/** What a cell has over its bound isn't handed on. */
function bounded(row: SheetRow): SheetRow {
  if (!row.cells.some((text) => text.length > CELL_TEXT)) return row;
  const long = row.cells.flatMap((text, at) => (text.length > CELL_TEXT ? [[at, 'long' as const]] : []));
  return { ...row, cells: row.cells.map((text) => text.slice(0, CELL_TEXT)), odd: { ...row.odd, ...Object.fromEntries(long) } };
}

async function read(): Promise<void> {
  let rows: SheetRow[] = [];
  await asked();
  for await (const row of as === 'csv' ? parseCsv() : parseXlsx(Buffer.from(bytes), limits)) {
    if (rows.push(limits.strict ? bounded(row) : row) < ROWS) continue;
    tell({ rows });
    rows = [];
    await asked();
  }
  if (rows.length > 0) {
    tell({ rows });
    await asked();
  }
}

read().then(
  () => tell({ end: true }),
  (error: unknown) =>
    tell({ end: true, ...(error instanceof Fault ? { fault: error.fault, params: error.params } : { fault: 'SHEET_BROKEN' }) }),
);
