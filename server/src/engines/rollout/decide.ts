import type { Delivery } from '@mooring/contract/engines/rollout/schemas';
import { type Counts, failedOf, isReached, openOf, ringState, sizeOf, soakedAt, succeededOf } from './rings.ts';

export interface Rollout {
  readonly state: string;
  /** More terminals may join; only its expiry or a person ends it. */
  readonly staysOpen: boolean;
  readonly startAt: Date | null;
  /** It has begun, wherever it stands now. */
  readonly isStarted: boolean;
  readonly expiresAt: Date | null;
  readonly gathered: boolean;
  readonly openRing: number;
  /** The last ring that may open; null where nobody has to agree. */
  readonly gate: number | null;
  /** It isn't what was agreed to. */
  readonly isOther: boolean;
  readonly delivery: Pick<Delivery, 'rings' | 'haltPercent' | 'haltAfter'>;
  /** What a person has let the task go on with, in all and in the open ring: only what comes after halts it again. */
  readonly accepted: { readonly failed: number; readonly ended: number; readonly ringFailed: number };
  /** When the open ring reached its success share. */
  readonly ringReadyAt: Date | null;
  /** People know already that the open ring waits for them. */
  readonly ringTold: boolean;
}
/** Device results by ring and state code. */
export type RingTally = ReadonlyMap<number, Counts>;

export type Decision =
  | { readonly do: 'start' | 'finish' | 'expire' }
  | { readonly do: 'openRing' | 'ringReady'; readonly ring: number }
  | { readonly do: 'askPerson'; readonly ring: number; readonly succeeded: number; readonly of: number }
  | { readonly do: 'halt'; readonly failed: number; readonly ended: number }
  | { readonly do: 'holdOther' };

/** What has become of the devices of all rings. */
export function endsOf(tally: RingTally): { succeeded: number; failed: number; ended: number } {
  const rings = [...tally.values()];
  const succeeded = rings.reduce((all, counts) => all + succeededOf(counts), 0);
  const failed = rings.reduce((all, counts) => all + failedOf(counts), 0);
  return { succeeded, failed, ended: succeeded + failed };
}

/** Whether failures are too many: in all, or of the open ring. What a person accepted counts no more. */
function halts({ delivery, accepted, openRing }: Rollout, tally: RingTally): Decision | undefined {
  const all = endsOf(tally);
  const failed = Math.max(0, all.failed - accepted.failed);
  const ended = Math.max(0, all.ended - accepted.ended);
  if (delivery.haltPercent !== null && ended >= delivery.haltAfter && failed * 100 >= delivery.haltPercent * ended)
    return { do: 'halt', failed, ended };
  const counts = tally.get(openRing);
  const ringFailed = Math.max(0, failedOf(counts) - accepted.ringFailed);
  const haltAt = delivery.rings[openRing - 1]?.haltAt ?? null;
  if (haltAt !== null && ringFailed > 0 && ringFailed * 100 >= haltAt * sizeOf(counts))
    return { do: 'halt', failed: ringFailed, ended: sizeOf(counts) };
  return undefined;
}

/** What becomes of the open ring, while there is one after it. */
function nextRing(rollout: Rollout, tally: RingTally, now: Date): Decision | undefined {
  const { openRing, ringReadyAt: readyAt, ringTold } = rollout;
  const { rings } = rollout.delivery;
  const ring = rings[openRing - 1];
  if (!ring || openRing >= rings.length || openRing >= (rollout.gate ?? rings.length)) return undefined;
  const counts = tally.get(openRing);
  // Nobody is there to prove it, and somebody may come: it holds until then, or until a person opens the next one.
  if (!readyAt && rollout.staysOpen && sizeOf(counts) === 0) return undefined;
  if (!readyAt && isReached(ring, counts))
    return ring.soakMinutes || ring.waitForPerson ? { do: 'ringReady', ring: openRing } : { do: 'openRing', ring: openRing + 1 };
  if (readyAt && !ring.waitForPerson && soakedAt(ring, readyAt) <= now) return { do: 'openRing', ring: openRing + 1 };
  const state = ringState({ no: openRing, openRing, rings, counts, readyAt, gate: rollout.gate }, now);
  return !ringTold && (state === 'asking' || state === 'short')
    ? { do: 'askPerson', ring: openRing, succeeded: succeededOf(counts), of: sizeOf(counts) }
    : undefined;
}

const underWay: readonly string[] = ['scheduled', 'running', 'paused', 'halted'];
/** Sent back or written anew. What terminals were sent before that runs to its end. */
export const heldBack: readonly string[] = ['returned', 'draft', 'auditing', 'ready'];

/** What should happen to a task now (design 1, "Decide purely"). The order is the order of urgency; only the first is carried out. */
export function decide(rollout: Rollout, tally: RingTally, now: Date): Decision | undefined {
  const { state } = rollout;
  // Nobody goes on being asked for what would end as soon as they agree.
  const ends = underWay.includes(state) || state === 'auditing' || (rollout.isStarted && heldBack.includes(state));
  if (rollout.expiresAt && rollout.expiresAt <= now && ends) return { do: 'expire' };
  if (state === 'scheduled') return rollout.gathered && (!rollout.startAt || rollout.startAt <= now) ? { do: 'start' } : undefined;
  if (state !== 'running') return undefined;
  if (rollout.isOther) return { do: 'holdOther' };
  if (!rollout.gathered) return undefined;
  const halt = halts(rollout, tally);
  if (halt) return halt;
  if (!rollout.staysOpen && [...tally.values()].every((counts) => openOf(counts) === 0)) return { do: 'finish' };
  return nextRing(rollout, tally, now);
}
