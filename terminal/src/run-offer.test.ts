import { downMessages } from '@mooring/contract/device/messages';
import { expect, test, vi } from 'vitest';
import type { Body } from './body.ts';
import type { OfferTools } from './offer-tools.ts';
import { runOffer } from './run-offer.ts';
import { signedOffer, withTerminalFor } from './signed-offer.factory.ts';

const SN = 'SN000001';
const NOON = Date.parse('2026-03-02T12:00:00Z');
const window = { days: [1, 2, 3, 4, 5, 6, 7], from: '02:00', to: '03:00' };
const app = { packageName: 'com.bank.pay', versionCode: 7, certificate: 'ab'.repeat(32) };

/** What becomes of an offer outside its window, from a server that isn't there, until it expires: its reason and the phases on the way. */
const outside = (kind: string, of: object, download: 'now' | 'window') =>
  withTerminalFor(SN, async (tools) => {
    let now = NOON;
    const phases = new Set<string | undefined>();
    const offer = downMessages.offer.parse({
      ...signedOffer(kind, { content: kind, ...of }),
      download,
      window,
      expiresAt: new Date(NOON + 60_000).toISOString(),
    });
    const result = await runOffer(offer, {
      ...tools,
      server: 'http://127.0.0.1:1',
      now: () => new Date(now),
      async wait(seconds) {
        now += seconds * 1000;
      },
      progress: ({ phase }) => void phases.add(phase),
    });
    return [result === 'powerLost' ? result : result.reason, ...phases];
  });

test.each([
  ['an app', 'softApp', { version: '7', app }],
  ['an advert', 'storeAdvertSpace', { name: 'idle' }],
  ['a customization', 'systemCustomization', {}],
  ['a desktop', 'customizeDesktop', {}],
  ['a parameter file', 'paramFile', { name: SN }],
])('%s is downloaded at once, or in the window where the release says so', async (_name, kind, of) => {
  expect(await outside(kind, of, 'window')).toEqual(['windowMissed', 'waiting']);
  expect(await outside(kind, of, 'now')).toEqual(['downloadFailed']);
});

/** What it says on the way, each with the minutes since it came, until its result. */
const hotspot = (at: string, of: object, more: Partial<OfferTools> = {}, confirm?: Body['confirm'] | null) =>
  withTerminalFor(SN, async (tools) => {
    const came = Date.parse(at);
    let now = came;
    const said: string[] = [];
    const say = (words: string) => said.push(`${Math.round((now - came) / 60_000)} ${words}`);
    const settings = { section: 'networkConfig.hotspot', values: { on: true } };
    const offer = downMessages.offer.parse({ offer: 'o-1', kind: 'networkConfig', settings, ...of });
    tools.journal.offers.set(offer.offer, { stage: 'received', offer });
    const { confirm: own, ...rest } = tools.body;
    const result = await runOffer(offer, {
      ...tools,
      body: { ...rest, timeZone: () => 'UTC', ...(confirm === null ? {} : { confirm: confirm ?? own }) },
      now: () => new Date(now),
      async wait(seconds) {
        now += seconds * 1000;
      },
      progress: ({ phase, reason }) => say([phase, reason].filter(Boolean).join(' ')),
      ...more,
    });
    say(result === 'powerLost' ? result : (result.reason ?? result.outcome));
    return [...new Set(said)];
  });
/** The last of each reason in a row. */
const steps = (said: readonly string[]) =>
  said.filter((one, at) => said[at + 1]?.split(' ').slice(1).join() !== one.split(' ').slice(1).join());

test('who draws a lot says each minute that it waits', async () => {
  const said = await hotspot('2026-03-02T02:00:00Z', { jitterSeconds: 600 }, { random: () => 0.45 });
  expect(said).toEqual([
    '0 waiting pace',
    '1 waiting pace',
    '2 waiting pace',
    '3 waiting pace',
    '4 waiting pace',
    '5 installing',
    '5 success',
  ]);
});

test.each([
  ['at once', 'now'],
  ['in the window', 'window'],
])('who waits for the window draws its lot as that opens, whether it downloads %s', async (_name, download) => {
  const at = (lot: number) =>
    hotspot('2026-03-02T01:00:00Z', { download, window, jitterSeconds: 3600 }, { random: () => lot }).then((said) => said.at(-1));
  // One for the download at once ends as the window opens at the latest.
  expect([await at(0), await at(0.25), await at(0.5)]).toEqual(['60 success', '75 success', '90 success']);
});

test('a lot that ends when the window is shut again waits for the next one', async () => {
  const said = await hotspot('2026-03-02T02:50:00Z', { download: 'window', window, jitterSeconds: 3600 }, { random: () => 0.5 });
  expect(steps(said)).toEqual(['29 waiting pace', '1390 waiting window', '1419 waiting pace', '1420 installing', '1420 success']);
});

test('who says yes when the window is shut again waits for the next one', async () => {
  let now = Date.parse('2026-03-02T02:30:00Z');
  const clock: Partial<OfferTools> = {
    now: () => new Date(now),
    async wait(seconds) {
      now += seconds * 1000;
    },
  };
  const said = await hotspot('2026-03-02T02:30:00Z', { window, install: 'ask' }, clock, async () => {
    now += 7 * 3_600_000;
    return true;
  });
  expect(said.map((one) => one.slice(2))).toEqual(['waiting user', 'waiting window', 'installing', 'success']);
  expect(new Date(now).toISOString()).toBe('2026-03-03T02:00:00.000Z');
});

test('who is asked for long says each minute that somebody is asked, and no is no', async () => {
  vi.useFakeTimers();
  try {
    const asked = Promise.withResolvers<boolean>();
    const progress = vi.fn<OfferTools['progress']>();
    const ended = hotspot('2026-03-02T02:30:00Z', { install: 'ask' }, { progress }, () => asked.promise);
    await vi.advanceTimersByTimeAsync(150_000);
    expect(progress).toHaveBeenCalledTimes(3);
    asked.resolve(false);
    expect((await ended).at(-1)).toBe('0 refusedByPerson');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('where nobody can be asked nothing is installed unasked', async () => {
  expect(await hotspot('2026-03-02T02:30:00Z', { install: 'ask' }, {}, null)).toEqual(['0 notSupported']);
});
