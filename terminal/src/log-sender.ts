import { LOG_TAG_MOST, type LogLine, levelsFrom, pushLevelOf } from '@mooring/contract/device/log/log-lines';
import type { Up } from '@mooring/contract/device/messages';
import type { Journal } from './journal.ts';
import type { RunLog } from './run-log.ts';

/** So much of a message is filled with lines: there is room for its envelope, and for what JSON makes of signs. */
const BYTES = 40_000;
const LINES = 500;
/** Lines that are written together go together. */
const GATHER_MS = 2000;
/** Messages that wait for the server; what comes while it is away is dropped and counted. */
const WAITING = 10;
const GATHERED = 500;

/** A line that has room in a message, whatever an app wrote. */
const fitted = <L extends LogLine>(line: L): L => ({ ...line, tag: line.tag.slice(0, LOG_TAG_MOST), text: line.text.slice(0, BYTES / 8) });

/** Lines in messages of their size. */
export function inBatches(lines: readonly LogLine[]): LogLine[][] {
  const batches: LogLine[][] = [];
  let room = 0;
  for (const line of lines) {
    const bytes = Buffer.byteLength(JSON.stringify(line));
    const last = batches.at(-1);
    if (last && bytes <= room && last.length < LINES) {
      last.push(line);
      room -= bytes;
    } else {
      batches.push([line]);
      room = BYTES - bytes;
    }
  }
  return batches;
}

export interface LogSender {
  /**
   * What a command asked for, by its message: piece after piece, each when the one before has arrived. None of it is kept over a loss of power: the command
   * isn't answered before the last one, and asks again.
   */
  answer(to: string, lines: readonly LogLine[]): Promise<void>;
  stop(): void;
}

/** Sends what the terminal writes down from its level on, and what it is asked for. */
export function makeLogSender(
  runLog: RunLog,
  journal: Journal,
  publish: (data: Up['log']) => void,
  tell: (data: Up['log']) => Promise<void>,
): LogSender {
  let gathered: LogLine[] = [];
  let leftOut = 0;
  let timer: NodeJS.Timeout | undefined;
  function send(): void {
    timer = undefined;
    const waiting = [...journal.unsent.values()].filter((one) => one.kind === 'log').length;
    const batches = waiting < WAITING ? inBatches(gathered) : [];
    if (batches.length === 0) leftOut += gathered.length;
    gathered = [];
    for (const lines of batches) {
      publish({ lines, ...(leftOut > 0 ? { leftOut } : {}) });
      leftOut = 0;
    }
  }
  runLog.listener = (line) => {
    const least = pushLevelOf(journal.config);
    if (least === 'off' || !levelsFrom(least).includes(line.level)) return;
    if (gathered.length < GATHERED) gathered.push(fitted(line));
    else leftOut += 1;
    timer ??= setTimeout(send, GATHER_MS);
  };
  return {
    answer: async (to, lines) => {
      for (const batch of inBatches(lines.map(fitted))) await tell({ to, lines: batch });
    },
    stop: () => clearTimeout(timer),
  };
}
