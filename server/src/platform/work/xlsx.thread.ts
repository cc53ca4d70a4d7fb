import { parentPort, workerData } from 'node:worker_threads';
import { Fault } from '@mooring/contract/kit/fault';
import { parseXlsx, type SheetLimits } from './parse-xlsx.ts';

export interface SheetOf {
  readonly bytes: Uint8Array;
  readonly limits: Partial<SheetLimits>;
}
/** Some rows more, or the end: with the name of what was wrong, if anything was. */
export type Piece = { readonly rows: readonly string[][] } | { readonly end: true; readonly fault?: string };

const ROWS = 500;
const { bytes, limits } = workerData as SheetOf;

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

async function read(): Promise<void> {
  let rows: string[][] = [];
  await asked();
  for await (const row of parseXlsx(Buffer.from(bytes), limits)) {
    if (rows.push(row) < ROWS) continue;
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
  (error: unknown) => tell({ end: true, fault: error instanceof Fault ? error.fault : 'SHEET_BROKEN' }),
);
