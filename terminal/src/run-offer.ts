import { isInWindow } from '@mooring/contract/shared/time-window';
import { deploymentOf } from './deployment.ts';
import type { Offer } from './offer.ts';
import { failure, type OfferTools, type Result } from './offer-tools.ts';

const WINDOW_POLL_SECONDS = 20;
const BATTERY_MIN = 15;

async function waitForWindow(offer: Offer, tools: OfferTools): Promise<boolean> {
  while (offer.window && !isInWindow(offer.window, tools.now(), tools.body.timeZone())) {
    if (offer.expiresAt && Date.parse(offer.expiresAt) <= tools.now().getTime()) return false;
    tools.progress({ phase: 'waiting', reason: 'window' });
    await tools.wait(WINDOW_POLL_SECONDS);
  }
  return true;
}

/** One offer from its arrival to its result; 'powerLost' leaves the rest to the next start. */
export async function runOffer(offer: Offer, tools: OfferTools): Promise<Result | 'powerLost'> {
  const { body, journal } = tools;
  const began = performance.now();
  const expired = () => offer.expiresAt !== null && Date.parse(offer.expiresAt) <= tools.now().getTime();
  const deployment = deploymentOf(offer, tools);
  if (!deployment) return failure(offer, 'notSupported');
  const objected = deployment.objection();
  if (objected) return failure(offer, objected);
  const done = { offer: offer.offer, outcome: 'success' as const, ...(deployment.version ? { version: deployment.version } : {}) };
  if (deployment.isThere()) return { ...done, message: 'already installed' };
  if (offer.network === 'wifi') {
    while (!['wifi', 'ethernet'].includes(body.figures().network?.kind ?? '')) {
      if (expired()) return failure(offer, 'networkUnsuitable');
      tools.progress({ phase: 'waiting', reason: 'network' });
      await tools.wait(WINDOW_POLL_SECONDS);
    }
  }
  if (offer.jitterSeconds > 0) {
    tools.progress({ phase: 'waiting', reason: 'pace' });
    await tools.wait(offer.jitterSeconds * tools.random());
  }
  if (offer.download === 'window' && !(await waitForWindow(offer, tools))) return failure(offer, 'windowMissed');
  const fetched = await deployment.fetch();
  if ('outcome' in fetched) return fetched;
  if (!(await waitForWindow(offer, tools))) return failure(offer, 'windowMissed', fetched);
  if (offer.install === 'ask') {
    tools.progress({ phase: 'waiting', percent: 100, reason: 'user' });
    if (!(await tools.aside(() => body.confirm(offer)))) return failure(offer, 'refusedByPerson', fetched);
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
