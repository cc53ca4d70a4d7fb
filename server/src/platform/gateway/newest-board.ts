import type { Taken } from './message.ts';

/**
 * Beats, gathered: the newest value of each field wins, and a terminal has one entry however often it speaks. What is shed under
 * overload is a terminal's older value, never its newest.
 */
export function newestBoard() {
  let board = new Map<string, Taken>();
  return {
    add(taken: Taken): void {
      const older = board.get(taken.sn);
      board.set(taken.sn, older ? { ...taken, data: { ...(older.data as object), ...(taken.data as object) } } : taken);
    },
    /** Everything gathered since the last time, by SN, so that batches lock rows in one order. */
    drain(): Taken[] {
      const all = [...board.values()].sort((a, b) => (a.sn < b.sn ? -1 : 1));
      board = new Map();
      return all;
    },
    size: () => board.size,
  };
}
