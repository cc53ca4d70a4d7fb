import { isInWindow } from '@mooring/contract/shared/time-window';
import { deploymentOf } from './deployment.ts';
import type { Offer } from './offer.ts';
import { failure, type OfferTools, type Result } from './offer-tools.ts';
import { waiting } from './waiting.ts';

const WINDOW_POLL_SECONDS = 20;
const SAID_EVERY_SECONDS = 60;
const BATTERY_MIN = 15;

const isShut = ({ window }: Offer, { now, body }: OfferTools): boolean => window != null && !isInWindow(window, now(), body.timeZone());

async function waitForWindow(offer: Offer, tools: OfferTools): Promise<boolean> {
  while (isShut(offer, tools)) {
    if (offer.expiresAt && Date.parse(offer.expiresAt) <= tools.now().getTime()) return false;
    tools.progress({ phase: 'waiting', reason: 'window' });
    await tools.wait(WINDOW_POLL_SECONDS);
  }
  return true;
}

/** A random part of the time over which terminals begin. */
async function waitForLot({ jitterSeconds }: Offer, tools: OfferTools): Promise<void> {
  for (let left = jitterSeconds * tools.random(); left > 0; left -= SAID_EVERY_SECONDS) {
    tools.progress({ phase: 'waiting', reason: 'pace' });
    await tools.wait(Math.min(left, SAID_EVERY_SECONDS));
  }
}

/** Who has waited for the window draws a lot as it opens, or all would begin at once; the window may be shut again by then. */
async function waitForTurnInWindow(offer: Offer, tools: OfferTools): Promise<boolean> {
  if (!isShut(offer, tools)) return true;
  if (!(await waitForWindow(offer, tools))) return false;
  await waitForLot(offer, tools);
  return waitForWindow(offer, tools);
}

/** Asks the person, and says meanwhile that it waits: a server that was out of contact has begun to count again. */
const askPerson = (offer: Offer, tools: OfferTools): Promise<boolean> =>
  tools.aside(async () => {
    const answered = new AbortController();
    const again = waiting(AbortSignal.any([answered.signal, tools.signal]));
    const answer = tools.body.confirm?.(offer, tools.signal) ?? Promise.resolve(false);
    try {
      for (;;) {
        tools.progress({ phase: 'waiting', percent: 100, reason: 'user' });
        const said = await Promise.race([answer, again(SAID_EVERY_SECONDS).then(() => undefined)]);
        if (said !== undefined) return said;
      }
    } finally {
      answered.abort();
    }
  });

/** One offer from its arrival to its result; 'powerLost' leaves the rest to the next start. */
export async function runOffer(offer: Offer, tools: OfferTools): Promise<Result | 'powerLost'> {
  const { body, journal } = tools;
  const began = performance.now();
  const expired = () => offer.expiresAt !== null && Date.parse(offer.expiresAt) <= tools.now().getTime();
  const deployment = deploymentOf(offer, tools);
  if (!deployment) return failure(offer, 'notSupported');
  const objected = deployment.objection();
  if (objected) return failure(offer, objected);
  if (offer.install === 'ask' && !body.confirm) return failure(offer, 'notSupported', { message: 'nobody can be asked here' });
  const done = { offer: offer.offer, outcome: 'success' as const, ...(deployment.version ? { version: deployment.version } : {}) };
  if (deployment.isThere()) return { ...done, message: 'already installed' };
  if (offer.network === 'wifi') {
    while (!['wifi', 'ethernet'].includes(body.figures().network?.kind ?? '')) {
      if (expired()) return failure(offer, 'networkUnsuitable');
      tools.progress({ phase: 'waiting', reason: 'network' });
      await tools.wait(WINDOW_POLL_SECONDS);
    }
  }
  const isShutNow = offer.download === 'window' && isShut(offer, tools);
  if (!isShutNow) await waitForLot(offer, tools);
  if (offer.download === 'window' && !(await waitForTurnInWindow(offer, tools))) return failure(offer, 'windowMissed');
  const fetched = await deployment.fetch();
  if ('outcome' in fetched) return fetched;
  if (!(await waitForTurnInWindow(offer, tools))) return failure(offer, 'windowMissed', fetched);
  if (offer.install === 'ask') {
    if (!(await askPerson(offer, tools))) return failure(offer, 'refusedByPerson', fetched);
    // Whoever is asked may answer when the window has long been shut.
    if (!(await waitForWindow(offer, tools))) return failure(offer, 'windowMissed', fetched);
  }
  while (offer.install === 'restart' && !tools.atStart) {
    if (expired()) return failure(offer, 'windowMissed', fetched);
    tools.progress({ phase: 'waiting', percent: 100, reason: 'restart' });
    await tools.wait(WINDOW_POLL_SECONDS);
  }
  const { battery, charging } = body.figures();
  if (battery !== undefined && battery < BATTERY_MIN && !charging) return failure(offer, 'batteryLow', fetched);

  const entry = journal.offers.get(offer.offer);
  // At most once for an attempt: from here on a restart looks at what runs, and never installs again.
  if (entry?.stage !== 'received') return failure(offer, 'unknown', { message: 'installed before' });
  entry.stage = 'installing';
  journal.save();
  tools.progress({ phase: 'installing', percent: 100 });
  const installed = await deployment.install();
  if (installed === 'powerLost') return 'powerLost';
  if (!installed.ok) return failure(offer, installed.reason, { ...fetched, ...(installed.message ? { message: installed.message } : {}) });
  deployment.keep(installed, fetched);
  journal.save();
  return { ...done, durationMs: Math.round(performance.now() - began), ...fetched };
}

/** What a start finds of an offer that was being installed when the power went. */
export function afterPowerLoss(offer: Offer, tools: OfferTools): Result {
  const deployment = deploymentOf(offer, tools);
  if (!deployment?.isThere()) return failure(offer, 'powerLost');
  return { offer: offer.offer, outcome: 'success', ...(deployment.version ? { version: deployment.version } : {}) };
}
