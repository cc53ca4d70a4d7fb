import type { Delivery } from '@mooring/contract/engines/rollout/schemas';
import { failedStates, resultMachine, succeededStates } from '@mooring/contract/engines/rollout/state-machines';
import { codeOf, codesOf } from '@mooring/contract/kit/state-machine';

export interface Rollout {
  readonly state: string;
  readonly startAt: Date | null;
  readonly expiresAt: Date | null;
  readonly gathered: boolean;
  readonly openRing: number;
  readonly delivery: Pick<Delivery, 'rings' | 'haltPercent' | 'haltAfter'>;
}
/** Device results by ring and state code. */
export type RingTally = ReadonlyMap<number, Readonly<Record<string, number>>>;

export type Decision =
  | { readonly do: 'start' | 'finish' | 'expire' }
  | { readonly do: 'openRing'; readonly ring: number }
  | { readonly do: 'halt'; readonly failed: number; readonly ended: number };

const good = codesOf(resultMachine, [...succeededStates]);
const bad = codesOf(resultMachine, [...failedStates]);
const open = codesOf(resultMachine, ['notSent', 'sent', 'paused']);
const deleted = codeOf(resultMachine, 'deviceDeleted');

const sum = (counts: Readonly<Record<string, number>> | undefined, codes: readonly string[]) =>
  codes.reduce((all, code) => all + (counts?.[code] ?? 0), 0);
/** What has become of the devices of all rings. */
export function endsOf(tally: RingTally): { succeeded: number; failed: number; ended: number } {
  const rings = [...tally.values()];
  const count = (codes: readonly string[]) => rings.reduce((all, counts) => all + sum(counts, codes), 0);
  const [succeeded, failed] = [count(good), count(bad)];
  return { succeeded, failed, ended: succeeded + failed };
}
const sumAll = (counts: Readonly<Record<string, number>> | undefined) => Object.values(counts ?? {}).reduce((all, n) => all + n, 0);

/** What should happen to a task now (design 1, "Decide purely"). The order is the order of urgency; only the first is carried out. */
export function decide(rollout: Rollout, tally: RingTally, now: Date): Decision | undefined {
  const { state, delivery } = rollout;
  if (rollout.expiresAt && rollout.expiresAt <= now && ['scheduled', 'running', 'paused', 'halted'].includes(state))
    return { do: 'expire' };
  if (state === 'scheduled') return rollout.gathered && (!rollout.startAt || rollout.startAt <= now) ? { do: 'start' } : undefined;
  if (state !== 'running' || !rollout.gathered) return undefined;
  const rings = [...tally.entries()];
  const failed = rings.reduce((all, [, counts]) => all + sum(counts, bad), 0);
  const ended = failed + rings.reduce((all, [, counts]) => all + sum(counts, good), 0);
  if (delivery.haltPercent !== null && ended >= delivery.haltAfter && failed * 100 >= delivery.haltPercent * ended)
    return { do: 'halt', failed, ended };
  if (rings.every(([, counts]) => sum(counts, open) === 0)) return { do: 'finish' };
  const ring = delivery.rings[rollout.openRing - 1];
  if (!ring || rollout.openRing >= delivery.rings.length || ring.waitForPerson) return undefined;
  const counts = tally.get(rollout.openRing);
  const size = sumAll(counts) - (counts?.[deleted] ?? 0);
  const done = sum(counts, good);
  return size === 0 || done * 100 >= ring.openAt * size ? { do: 'openRing', ring: rollout.openRing + 1 } : undefined;
}
