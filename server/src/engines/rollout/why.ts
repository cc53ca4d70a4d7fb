import { DEVICE_DISABLED } from './follow-devices.ts';
import type { Opens } from './next-window.ts';

/** Beside a result whose content can't be sent for now. */
export const NOT_SERVED = 'notServed';

/** What is known of one device of a task. */
export interface WhyFacts {
  readonly state: string;
  readonly taskState: string;
  readonly ring: number;
  readonly openRing: number;
  /** The last ring that was agreed to; none where nobody has to agree. */
  readonly gate: number | null;
  readonly online: boolean;
  readonly activated: boolean;
  readonly lastSeenAt: Date | null;
  readonly busy: boolean;
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly phase: string | null;
  readonly percent: number | null;
  readonly reason: string | null;
  readonly version: string | null;
  /** When it may install next; left out where it may now. */
  readonly opens?: Opens | undefined;
}
export interface Why {
  readonly key: string;
  readonly params: Readonly<Record<string, string | number>>;
}

const said = (key: string, params: Readonly<Record<string, string | number>> = {}): Why => ({ key: `why.${key}`, params });

const phases = new Set(['received', 'waiting', 'downloading', 'verifying', 'installing']);

function whyNotSent(facts: WhyFacts, now: Date): Why {
  if (['draft', 'ready', 'scheduled', 'auditing'].includes(facts.taskState)) return said('task');
  if (facts.taskState === 'returned') return said('taskReturned');
  if (facts.taskState === 'halted') return said('taskHalted');
  if (facts.taskState === 'paused') return said('taskPaused');
  if (facts.gate !== null && facts.ring > facts.gate) return said('approval', { ring: facts.ring });
  if (facts.ring > facts.openRing) return said('ring', { ring: facts.ring, open: facts.openRing });
  if (!facts.activated) return said('neverSeen');
  if (facts.opens?.at === null) return said('windowNever');
  if (!facts.online) return said('offline', { at: facts.lastSeenAt?.toISOString() ?? '' });
  if (facts.busy) return said('busy');
  if (facts.reason === NOT_SERVED) return said('notServed');
  if (facts.attempts > 0 && facts.nextAt && facts.nextAt > now)
    return said('retryWait', { reason: facts.reason ?? 'unknown', at: facts.nextAt.toISOString() });
  return said('pace');
}

/** What a terminal says that it is at; of its window, when that opens. */
function whyWaiting({ phase, percent, reason, opens }: WhyFacts): Why {
  if (phase === 'waiting' && reason === 'window' && opens)
    return opens.at === null ? said('windowNever') : said('windowOpens', { at: opens.at.toISOString(), zone: opens.zone });
  return phase && phases.has(phase) ? said(phase, { percent: Math.round(percent ?? 0), reason: reason ?? '' }) : said('sent');
}

/** "Why is this terminal not updated?" (design 2, "Release safety"): one answer, the first that applies. */
export function why(facts: WhyFacts, now: Date): Why {
  switch (facts.state) {
    case '1':
      return whyNotSent(facts, now);
    case '2':
      if (!facts.online) return said('offline', { at: facts.lastSeenAt?.toISOString() ?? '' });
      return whyWaiting(facts);
    case '3':
    case '6':
      return said('success', { version: facts.version ?? '' });
    case '4':
    case '7':
      return said('failed', { reason: facts.reason ?? 'unknown' });
    case '5':
      return said('timeout');
    case '8':
      return said(facts.reason === DEVICE_DISABLED ? 'deviceDisabled' : 'taskPaused');
    case '10':
      return said('deviceDeleted');
    default:
      return said('cancelled', { reason: facts.reason ?? 'taskCancelled' });
  }
}
