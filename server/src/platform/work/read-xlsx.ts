import { Worker } from 'node:worker_threads';
import { Fault } from '@mooring/contract/kit/fault';
import { inTurn } from '../in-turn.ts';
import type { SheetLimits } from './parse-xlsx.ts';
import type { Piece, SheetOf } from './xlsx.thread.ts';

const entry = new URL('./xlsx.thread.ts', import.meta.url);
/** Of the thread's own time, without the time that its reader takes. */
const SECONDS = 30;
const HEAP_MB = 256;
const turn = inTurn({ atOnce: 2, queue: 20 });

const tooLarge = () => new Fault('SHEET_TOO_LARGE');

/** Asks the thread for piece after piece; one that takes too long, or more memory than it has, is told as too large. */
function piecesOf(thread: Worker): (seconds: number) => Promise<Piece> {
  let settle: { resolve(piece: Piece): void; reject(error: unknown): void } | undefined;
  thread.on('message', (piece: Piece) => settle?.resolve(piece));
  thread.on('error', (error: NodeJS.ErrnoException) => settle?.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error));
  thread.on('exit', () => settle?.reject(new Fault('SHEET_BROKEN')));
  return async (seconds) => {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Piece>((resolve, reject) => {
        settle = { resolve, reject };
        timer = setTimeout(() => reject(tooLarge()), seconds * 1000);
        thread.postMessage('more');
      });
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * The rows of a workbook's first sheet as text. What people upload is taken apart in a thread with limits of its own, so that no sheet
 * keeps others waiting. Faults: SHEET_BROKEN, SHEET_TOO_LARGE, TOO_MANY.
 */
export async function* readXlsx(
  bytes: Uint8Array,
  limits: Partial<SheetLimits> & { readonly seconds?: number } = {},
): AsyncGenerator<string[]> {
  const { seconds: most = SECONDS, ...within } = limits;
  const give = await turn();
  const workerData: SheetOf = { bytes, limits: within };
  const thread = new Worker(entry, { workerData, name: 'sheet', resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  const nextPiece = piecesOf(thread);
  let left = most;
  try {
    for (;;) {
      const begun = performance.now();
      const piece = await nextPiece(left);
      left -= (performance.now() - begun) / 1000;
      if ('rows' in piece) yield* piece.rows;
      else if (piece.fault !== undefined) throw new Fault(piece.fault);
      else return;
    }
  } finally {
    void thread.terminate();
    give();
  }
}
