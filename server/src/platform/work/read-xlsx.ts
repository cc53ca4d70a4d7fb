import { Worker } from 'node:worker_threads';
import { Fault } from '@mooring/contract/kit/fault';
import { inTurn, inTurnOfOwner } from '../in-turn.ts';
import type { SheetLimits, SheetRow } from './parse-xlsx.ts';
import type { Piece, SheetOf } from './xlsx.thread.ts';

const entry = new URL('./xlsx.thread.ts', import.meta.url);
/** Of the thread's own time, without the time that its reader takes. */
const SECONDS = 30;
const HEAP_MB = 256;
const turn = inTurn({ atOnce: 2, queue: 20 });
/** Files of many rows, which are read as fast as they are written, keep no small one waiting. */
const longTurns = {
  person: inTurn({ atOnce: 2, queue: 20 }),
  /** No more of them run than the queue has runners: none is sent away. */
  job: inTurn({ atOnce: 2, queue: 20 }),
};
/** Of one person's own one is read at a time: who reads two slowly would keep everybody waiting. */
const ofPerson = inTurnOfOwner({ atOnce: 1, queue: 2 });
/** Who reads on no more than so much later has gone. */
const IDLE_MS = 120_000;
/** From its first row to its last: however slowly a person takes them, the turn is given back then. */
const WHOLE_MS = 300_000;

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

interface Pace {
  readonly seconds?: number;
  readonly turn?: keyof typeof longTurns;
  /** Whose reading it is. */
  readonly person?: number;
  readonly idleMs?: number;
  readonly wholeMs?: number;
}
type Limits = Partial<SheetLimits> & Pace;

/** A person's turn, then one of all. Answers how both are given back. */
async function takeTurn(next: ReturnType<typeof inTurn>, person: number | undefined): Promise<() => void> {
  if (person === undefined) return next();
  const own = Promise.withResolvers<void>();
  await new Promise<void>((begin, refuse) => {
    ofPerson(person, () => {
      begin();
      return own.promise;
    }).catch(refuse);
  });
  try {
    const give = await next();
    return () => {
      give();
      own.resolve();
    };
  } catch (error) {
    own.resolve();
    throw error;
  }
}

/**
 * The rows of a workbook's first sheet, or of a CSV file. What people upload is taken apart in a thread with limits of its own, so that no sheet
 * keeps others waiting. Faults: SHEET_BROKEN, SHEET_TOO_LARGE, SHEET_MERGED, TOO_MANY.
 */
export async function* readSheet(bytes: Uint8Array, as: 'xlsx' | 'csv', limits: Limits = {}): AsyncGenerator<SheetRow> {
  const { seconds: most = SECONDS, turn: whose = 'person', person, idleMs = IDLE_MS, wholeMs = WHOLE_MS, ...within } = limits;
  const give = await takeTurn(limits.strict ? longTurns[whose] : turn, person);
  const workerData: SheetOf = { bytes, limits: within, as };
  const thread = new Worker(entry, { workerData, name: 'sheet', resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  const nextPiece = piecesOf(thread);
  let left = most;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    void thread.terminate();
    give();
  };
  let idle: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = () => {
    isLate = true;
    end();
  };
  let whole: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      if (isOver) throw new Fault('SHEET_BROKEN');
      const begun = performance.now();
      const piece = await nextPiece(left);
      left -= (performance.now() - begun) / 1000;
      if ('rows' in piece) {
        // A job always closes it, and may wait long for those before it.
        if (whose === 'person') {
          whole ??= setTimeout(late, wholeMs).unref();
          idle = setTimeout(end, idleMs).unref();
        }
        yield* piece.rows;
        clearTimeout(idle);
      } else if (piece.fault !== undefined) throw new Fault(piece.fault, piece.params ? { params: piece.params } : {});
      else return;
    }
  } catch (error) {
    throw isLate ? tooLarge() : error;
  } finally {
    clearTimeout(idle);
    clearTimeout(whole);
    end();
  }
}

/** The same as texts alone. */
export async function* readXlsx(bytes: Uint8Array, limits: Limits = {}): AsyncGenerator<string[]> {
  for await (const { cells } of readSheet(bytes, 'xlsx', limits)) yield [...cells];
}
