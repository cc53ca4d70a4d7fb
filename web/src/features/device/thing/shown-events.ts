import type { deviceThingCalls, TerminalEvent } from '@mooring/contract/device/thing/thing-calls';
import type { OutputOf } from '@mooring/contract/kit/call';

type Page = OutputOf<typeof deviceThingCalls.events>;
/** What is listed, and where what is older begins. */
export interface Shown {
  readonly events: readonly TerminalEvent[];
  readonly next: string | null;
}

/** The newest page came anew: what it adds stands above. Where more came than it holds, the list begins with it, so that nothing is missing in between. */
export function withNewest(shown: Shown | undefined, page: Page): Shown {
  const fresh = new Set(page.content.map(({ key }) => key));
  const isJoined = page.next === null || shown?.events.some(({ key }) => fresh.has(key));
  if (!shown || shown.events.length === 0 || !isJoined) return { events: page.content, next: page.next };
  return { events: [...page.content, ...shown.events.filter(({ key }) => !fresh.has(key))], next: page.next === null ? null : shown.next };
}

/** What is older stands below. */
export function withOlder(shown: Shown, page: Page): Shown {
  const known = new Set(shown.events.map(({ key }) => key));
  return { events: [...shown.events, ...page.content.filter(({ key }) => !known.has(key))], next: page.next };
}
