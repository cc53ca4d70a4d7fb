/** Where a terminal stands, as far as its words have settled it. */
export interface Stand {
  readonly state: 'inside' | 'outside';
  readonly since: Date;
  /** How many words in a row said otherwise, and since when. */
  readonly other: number;
  readonly otherSince: Date | null;
}
interface Patience {
  readonly margin: number;
  readonly fixes: number;
  readonly settleMinutes: number;
}
const MINUTE = 60_000;

/**
 * What one position says: outside is whoever is so even where the position is as wrong as it may be. Between the two nothing is said, and the band is as
 * wide as the margin at least, however vague the position: whoever stands on the line isn't now in and now out.
 */
export function sideOf(metres: number, accuracy: number | null, margin: number): Stand['state'] | undefined {
  const vague = Math.max(0, accuracy ?? 0);
  if (metres > margin + vague) return 'outside';
  return metres <= Math.min(0, margin - vague) ? 'inside' : undefined;
}

/** What becomes of where it stood, by one more word; the same object where nothing does. */
export function next(before: Stand | undefined, side: Stand['state'] | undefined, now: Date, by: Patience): Stand | undefined {
  if (side === undefined) return before;
  if (!before) return { state: side, since: now, other: 0, otherSince: null };
  if (before.state === side) return before.other === 0 ? before : { ...before, other: 0, otherSince: null };
  const otherSince = before.otherSince ?? now;
  const other = before.other + 1;
  const isSure = other >= by.fixes || now.getTime() - otherSince.getTime() >= by.settleMinutes * MINUTE;
  return isSure ? { state: side, since: otherSince, other: 0, otherSince: null } : { ...before, other, otherSince };
}
