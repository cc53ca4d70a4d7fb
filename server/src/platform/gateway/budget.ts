import type { Refused } from './message.ts';

/** What one terminal may say: so much at once, and so much more each minute. */
export interface Budget {
  readonly messages: { readonly atOnce: number; readonly aMinute: number };
  readonly bytes: { readonly atOnce: number; readonly aMinute: number };
}
/**
 * An update reports once a second, a heartbeat comes every few minutes; after an outage a terminal says at once what ten minutes of that
 * left, and a pulled log has up to 200 pieces of 60 kB. Several times that.
 */
export const terminalBudget: Budget = {
  messages: { atOnce: 6000, aMinute: 1200 },
  bytes: { atOnce: 48 * 1024 * 1024, aMinute: 4 * 1024 * 1024 },
};

interface Spent {
  messages: number;
  bytes: number;
  at: number;
  told: number;
}
const MINUTE_MS = 60_000;
/** Who said little for a while has nothing to remember. */
const SWEEP_MS = 5 * MINUTE_MS;

/** Counts what terminals say. Of who is over its budget one message a minute is kept; its connection stays, so that it doesn't come back at once. */
export function budgets(of: Budget = terminalBudget, now: () => number = () => performance.now()) {
  const spent = new Map<string, Spent>();
  let sweptAt = now();
  const settle = (one: Spent, at: number): void => {
    const minutes = (at - one.at) / MINUTE_MS;
    one.messages = Math.max(0, one.messages - minutes * of.messages.aMinute);
    one.bytes = Math.max(0, one.bytes - minutes * of.bytes.aMinute);
    one.at = at;
  };
  const sweep = (at: number): void => {
    if (at - sweptAt < SWEEP_MS) return;
    sweptAt = at;
    for (const [sn, one] of spent) {
      settle(one, at);
      if (one.messages === 0 && one.bytes === 0) spent.delete(sn);
    }
  };
  return {
    /** Nothing where there was room for it. */
    refusal(sn: string, kind: string, payload: Buffer): Refused | undefined {
      const bytes = payload.length;
      const at = now();
      sweep(at);
      const one = spent.get(sn) ?? { messages: 0, bytes: 0, at, told: Number.NEGATIVE_INFINITY };
      spent.set(sn, one);
      settle(one, at);
      if (one.messages + 1 <= of.messages.atOnce && one.bytes + bytes <= of.bytes.atOnce) {
        one.messages += 1;
        one.bytes += bytes;
        return undefined;
      }
      const reason = 'overBudget';
      if (at - one.told < MINUTE_MS) return { sn, kind, reason, payload: Buffer.alloc(0), countedAlone: true };
      one.told = at;
      return { sn, kind, reason, payload };
    },
    size: () => spent.size,
  };
}
