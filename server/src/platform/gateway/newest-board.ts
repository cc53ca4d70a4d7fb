import type { Taken } from './message.ts';

/** Of one terminal, what it said since the last time: read when it is their turn. */
interface Entry {
  /** What was read already. */
  read: Taken | undefined;
  /** Bytes as they came, one character each: a flat text costs the collector less than the objects that are in it. */
  said: string[];
  at: Date;
}
/** So much of one terminal waits unread: while the database is away it waits for long. */
const UNREAD = 4;
const UNREAD_BYTES = 1024;

/**
 * Beats, gathered: the newest value of each field wins, and a terminal has one entry however often it speaks. What is shed under
 * overload is a terminal's older value, never its newest. Reading waits for the batch, so that a page of the console needn't wait for it.
 * `read` answers nothing for what isn't a beat, and says so where it must be said.
 */
export function newestBoard(read: (sn: string, payload: Buffer, at: Date) => Taken | undefined) {
  let board = new Map<string, Entry>();
  const fold = (sn: string, entry: Entry): Taken | undefined => {
    for (const text of entry.said.splice(0)) {
      const taken = read(sn, Buffer.from(text, 'latin1'), entry.at);
      if (!taken) continue;
      const older = entry.read;
      entry.read = older ? { ...taken, data: { ...(older.data as object), ...(taken.data as object) } } : taken;
    }
    return entry.read;
  };
  return {
    add(sn: string, payload: Buffer, at: Date): void {
      let entry = board.get(sn);
      if (entry) entry.at = at;
      else {
        entry = { read: undefined, said: [], at };
        board.set(sn, entry);
      }
      entry.said.push(payload.toString('latin1'));
      if (entry.said.length >= UNREAD || payload.length > UNREAD_BYTES) fold(sn, entry);
    },
    /** Everything gathered since the last time, in batches that are read one by one. */
    *drain(batch: number): Generator<Taken[]> {
      const all = board;
      board = new Map();
      let next: Taken[] = [];
      for (const [sn, entry] of all) {
        const taken = fold(sn, entry);
        if (taken) next.push(taken);
        if (next.length < batch) continue;
        yield next;
        next = [];
      }
      if (next.length > 0) yield next;
    },
    size: () => board.size,
  };
}
