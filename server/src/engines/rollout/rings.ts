import type { Ring, RingState } from '@mooring/contract/engines/rollout/rings';
import { failedStates, resultMachine, succeededStates } from '@mooring/contract/engines/rollout/state-machines';
import { codesOf } from '@mooring/contract/kit/state-machine';

/** Device results by state code. */
export type Counts = Readonly<Record<string, number>>;

const good = codesOf(resultMachine, [...succeededStates]);
const bad = codesOf(resultMachine, [...failedStates]);
const open = codesOf(resultMachine, ['notSent', 'sent', 'paused']);

const sum = (counts: Counts | undefined, codes: readonly string[]) => codes.reduce((all, code) => all + (counts?.[code] ?? 0), 0);

export const succeededOf = (counts: Counts | undefined): number => sum(counts, good);
export const failedOf = (counts: Counts | undefined): number => sum(counts, bad);
export const openOf = (counts: Counts | undefined): number => sum(counts, open);
/** Of those that are to be updated; what was cancelled or deleted holds nothing up. */
export const sizeOf = (counts: Counts | undefined): number => succeededOf(counts) + failedOf(counts) + openOf(counts);

/** So many of the ring succeeded that the next one may open. */
export const isReached = (ring: Ring, counts: Counts | undefined): boolean =>
  sizeOf(counts) === 0 || succeededOf(counts) * 100 >= ring.openAt * sizeOf(counts);

export const soakedAt = (ring: Ring, readyAt: Date): Date => new Date(readyAt.getTime() + (ring.soakMinutes ?? 0) * 60_000);

/** How many of `n` terminals are out with each of these growing shares; in every ring there is at least one, as long as there are any. */
export function cutsOf(shares: readonly number[], n: number): number[] {
  const cuts: number[] = [];
  for (const [at, share] of shares.entries()) {
    const left = n - (shares.length - at - 1);
    cuts.push(Math.min(n, Math.max((cuts[at - 1] ?? 0) + 1, Math.min(Math.round((share * n) / 100), left))));
  }
  return cuts;
}

export interface RingFacts {
  readonly no: number;
  readonly openRing: number;
  readonly rings: readonly Ring[];
  readonly counts: Counts | undefined;
  readonly readyAt: Date | null;
  /** The last ring that was agreed to; none where nobody has to agree. */
  readonly gate: number | null;
}

/** What a ring stands at now. */
export function ringState({ no, openRing, rings, counts, readyAt, gate }: RingFacts, now: Date): RingState {
  const ring = rings[no - 1];
  if (no > openRing) return 'later';
  if (no < openRing) return 'passed';
  if (!ring || no === rings.length) return openOf(counts) === 0 ? 'done' : 'open';
  if (gate !== null && no >= gate && (readyAt || isReached(ring, counts))) return 'approval';
  if (!readyAt && !isReached(ring, counts)) return openOf(counts) === 0 ? 'short' : 'open';
  if (readyAt && soakedAt(ring, readyAt) > now) return 'soaking';
  return ring.waitForPerson ? 'asking' : 'open';
}
