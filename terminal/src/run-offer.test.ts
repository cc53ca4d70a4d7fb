import { downMessages } from '@mooring/contract/device/messages';
import { expect, test } from 'vitest';
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
