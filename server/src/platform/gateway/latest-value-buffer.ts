import type { Taken } from './message.ts';

/** Of one terminal, what it said since the last time. */
interface Entry {
  /** What was read already. */
  read: Taken | undefined;
  /** Its place among the waiting bytes, and how many of them it has there: what came last, to be read when it is its turn. */
  readonly place: number;
  length: number;
  at: Date;
}
/** Longer ones, and empty ones, are read at once. */
const PLACE = 1024;
const PLACES_AT_FIRST = 64;

/**
 * Beats, gathered: the newest value of each field wins, and a terminal has one entry however often it speaks. What is shed under
 * overload is a terminal's older value, never its newest. Reading waits for the batch, so that a page of the console needn't wait for it;
 * until then they stand in one piece of memory, so that the collector doesn't carry thousands of them about.
 * `read` answers nothing for what isn't a beat, and says so where it must be said.
 */
export function latestValueBuffer(read: (sn: string, payload: Buffer, at: Date) => Taken | undefined) {
  let buffer = new Map<string, Entry>();
  let waiting = Buffer.allocUnsafe(PLACES_AT_FIRST * PLACE);
  let spare = waiting;
  const take = (sn: string, entry: Entry, payload: Buffer): void => {
    const taken = read(sn, payload, entry.at);
    const older = entry.read;
    if (taken) entry.read = older ? { ...taken, data: { ...(older.data as object), ...(taken.data as object) } } : taken;
  };
  const fold = (sn: string, entry: Entry, bytes: Buffer): Taken | undefined => {
    const from = entry.place * PLACE;
    // A copy: it may be kept as refused, and its place is another's soon.
    if (entry.length > 0) take(sn, entry, Buffer.from(bytes.subarray(from, from + entry.length)));
    entry.length = 0;
    return entry.read;
  };
  const enter = (sn: string, at: Date): Entry => {
    const entry = { read: undefined, place: buffer.size, length: 0, at };
    buffer.set(sn, entry);
    if (buffer.size * PLACE > waiting.length) waiting = Buffer.concat([waiting], 2 * waiting.length);
    return entry;
  };
  return {
    add(sn: string, payload: Buffer, at: Date): void {
      const entry = buffer.get(sn) ?? enter(sn, at);
      fold(sn, entry, waiting);
      entry.at = at;
      if (payload.length === 0 || payload.length > PLACE) take(sn, entry, payload);
      else entry.length = payload.copy(waiting, entry.place * PLACE);
    },
    /** Everything gathered since the last time, in batches that are read one by one. */
    *drain(batch: number): Generator<Taken[]> {
      const [all, bytes] = [buffer, waiting];
      buffer = new Map();
      waiting = spare === bytes ? Buffer.allocUnsafe(bytes.length) : spare;
      let next: Taken[] = [];
      for (const [sn, entry] of all) {
        const taken = fold(sn, entry, bytes);
        if (taken) next.push(taken);
        if (next.length < batch) continue;
        yield next;
        next = [];
      }
      spare = bytes;
      if (next.length > 0) yield next;
    },
    size: () => buffer.size,
  };
}
