import type { DownRead, Up } from '@mooring/contract/device/messages';
import type { Body } from './body.ts';
import { fetchBytes } from './download.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';
import { compareVersions, isSigned } from './verify-package.ts';
import { isInWindow } from './window.ts';

type Offer = DownRead['offer'];
type Result = Up['result'];
export interface OfferTools {
  readonly body: Body;
  readonly journal: Journal;
  readonly random: Random;
  readonly releaseRoot: string;
  readonly server: string;
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
  /** The terminal has just started: what waits for a start may be installed. */
  readonly atStart: boolean;
  /** Is there a connection to the server? */
  isUp(): boolean;
  now(): Date;
  /** Rejects when the work is aborted. */
  wait(seconds: number): Promise<void>;
  progress(progress: { phase: Up['progress']['phase']; percent?: number; bytes?: number; reason?: string }): void;
}

const WINDOW_POLL_SECONDS = 20;
const BATTERY_MIN = 15;

const failure = (offer: Offer, reason: string, more: Partial<Result> = {}): Result => ({
  offer: offer.offer,
  outcome: 'failure',
  reason,
  ...more,
});

/** What forbids the offer before a byte is fetched. */
function objection(offer: Offer, tools: OfferTools): string | undefined {
  const { body, journal, releaseRoot } = tools;
  const { product, kind, version, base, size } = offer.package;
  if (!body.capabilities.some((one) => one === offer.kind)) return 'notSupported';
  if (product !== body.product) return 'productWrong';
  if (!isSigned(offer, releaseRoot)) return 'signatureWrong';
  if (kind === 'DI' && base !== journal.firmware) return 'baseWrong';
  if (!offer.allowDowngrade && compareVersions(version, journal.firmware) < 0) return 'downgradeRefused';
  return size > body.freeBytes(offer) ? 'noSpace' : undefined;
}

async function waitForWindow(offer: Offer, tools: OfferTools): Promise<boolean> {
  while (offer.window && !isInWindow(offer.window, tools.now(), tools.body.timeZone())) {
    if (offer.expiresAt && Date.parse(offer.expiresAt) <= tools.now().getTime()) return false;
    tools.progress({ phase: 'waiting', reason: 'window' });
    await tools.wait(WINDOW_POLL_SECONDS);
  }
  return true;
}

async function fetchAll(offer: Offer, tools: OfferTools): Promise<Result | { sha256: string; bytes: number }> {
  const { body, signal } = tools;
  const { size, sha256 } = offer.package;
  const sink = await body.openSink(offer);
  let said = Number.NEGATIVE_INFINITY;
  try {
    // Bytes that turn out wrong are fetched anew once; a broken line goes on from where it broke.
    let spoilt = 0;
    for (let attempt = 0, tries = 0; ; attempt += 1) {
      const before = sink.received();
      const got = await fetchBytes({
        url: new URL(offer.url, tools.server),
        size,
        sha256,
        sink,
        signal,
        ca: tools.ca,
        ...body.line(offer, attempt),
        onBytes(received) {
          const now = performance.now();
          if (now - said < 1000) return;
          said = now;
          tools.progress({ phase: 'downloading', percent: Math.floor((received / size) * 100), bytes: received });
        },
      });
      if (signal.aborted) throw new Error('aborted');
      if (got.ok) {
        tools.progress({ phase: 'verifying', percent: 100, bytes: sink.received() });
        const digest = await sink.digest();
        const bytes = sink.received();
        if (digest === sha256 && bytes === size) return { sha256: digest, bytes };
        await sink.reset();
        spoilt += 1;
        if (spoilt > 1) return failure(offer, bytes === size ? 'hashWrong' : 'sizeWrong', { sha256: digest, bytes });
        continue;
      }
      // Who looks at the result can't look at the terminal: what went wrong goes with it.
      const told = { bytes: sink.received(), message: got.cause.slice(0, 200) };
      if (got.reason !== 'broken') return failure(offer, got.reason === 'linkExpired' ? 'linkExpired' : 'downloadFailed', told);
      // A try that brought bytes doesn't count, since a slow, shaky line still arrives; nor one while the server is away.
      tries = sink.received() > before || !tools.isUp() ? 0 : tries + 1;
      if (tries > offer.retries.times) return failure(offer, 'downloadFailed', told);
      await tools.wait(
        got.retrySeconds || Math.max(tools.isUp() ? 0 : 1, Math.min(60, offer.retries.waitSeconds * 2 ** tries * (0.5 + tools.random()))),
      );
    }
  } finally {
    await sink.close();
  }
}

/** One offer from its arrival to its result; 'powerLost' leaves the rest to the next start. */
export async function runOffer(offer: Offer, tools: OfferTools): Promise<Result | 'powerLost'> {
  const { body, journal } = tools;
  const began = performance.now();
  const expired = () => offer.expiresAt !== null && Date.parse(offer.expiresAt) <= tools.now().getTime();
  const objected = objection(offer, tools);
  if (objected) return failure(offer, objected);
  // It runs already: an earlier attempt succeeded and its result may have been late.
  if (offer.package.version === journal.firmware)
    return { offer: offer.offer, outcome: 'success', version: journal.firmware, message: 'already installed' };
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
  const fetched = await fetchAll(offer, tools);
  if ('outcome' in fetched) return fetched;
  if (!(await waitForWindow(offer, tools))) return failure(offer, 'windowMissed', fetched);
  if (offer.install === 'ask') {
    tools.progress({ phase: 'waiting', percent: 100, reason: 'user' });
    if (!(await body.confirm(offer))) return failure(offer, 'refusedByPerson', fetched);
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
  const installed = await body.install(offer, journal.firmwareSha256);
  if (installed === 'powerLost') return 'powerLost';
  if (!installed.ok) return failure(offer, installed.reason, { ...fetched, ...(installed.message ? { message: installed.message } : {}) });
  const running = installed.sha256 ?? fetched.sha256;
  journal.installs.push({ offer: offer.offer, version: offer.package.version, sha256: running, at: new Date().toISOString() });
  journal.firmware = offer.package.version;
  journal.firmwareSha256 = running;
  journal.save();
  return {
    offer: offer.offer,
    outcome: 'success',
    version: offer.package.version,
    durationMs: Math.round(performance.now() - began),
    ...fetched,
  };
}

/** What a start finds of an offer that was being installed when the power went. */
export function afterPowerLoss(offer: Offer, journal: Journal): Result {
  return offer.package.version === journal.firmware
    ? { offer: offer.offer, outcome: 'success', version: journal.firmware }
    : failure(offer, 'powerLost');
}
