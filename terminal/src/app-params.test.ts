import { createHash } from 'node:crypto';
import { makeApk } from '@mooring/apk/apk.factory';
import { makeSigner } from '@mooring/apk/signer.factory';
import { expect, test } from 'vitest';
import { codeOf, reportedApps } from './apps.ts';
import { deploymentOf } from './deployment.ts';
import { fillJournal, memoryJournal, type Stored, storedOf } from './journal.ts';
import { isPackage, type Offer } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { afterPowerLoss, runOffer } from './run-offer.ts';
import { androidParams } from './settings.ts';
import { signedOffer, withTerminalFor } from './signed-offer.factory.ts';

const NAME = 'com.bank.pay';
const SN = 'SN000001';
const SECTION = 'androidParam.3';
const signer = await makeSigner();
const bytes = await makeApk({ packageName: NAME, versionCode: 7, versionName: '1.7', labels: { '': 'Pay' } });
const signed = signedOffer('softApp', {
  version: '7',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  content: 'softApp',
  app: { packageName: NAME, versionCode: 7, certificate: signer.sha256 },
});
const along = (id: string, host: string, section = SECTION): Offer => ({
  ...signed,
  offer: id,
  settings: { section, values: { values: { host }, secrets: { pin: '4711' }, salt: 's' } },
});
const codeOn = ({ journal, body }: OfferTools) => reportedApps(journal, body).find(({ id }) => id === NAME)?.code;
const paramsOn = ({ journal }: OfferTools) =>
  Object.fromEntries([...androidParams(journal.settings)].map(([key, { value }]) => [key, value]));

/** What follows a download that went well: the bytes are laid where it would leave them. */
async function afterFetch(tools: OfferTools, offer: Offer) {
  const deployment = deploymentOf(offer, tools);
  if (!deployment || !isPackage(offer)) throw new Error('not understood');
  expect([deployment.objection(), deployment.isThere()]).toEqual([undefined, false]);
  const sink = await tools.body.openSink(offer);
  await sink.write(bytes);
  await sink.digest();
  await sink.close();
  tools.journal.offers.set(offer.offer, { stage: 'installing', offer });
  const installed = await deployment.install();
  if (installed !== 'powerLost' && installed.ok) deployment.keep(installed, {});
  return installed;
}
/** As the agent carries it out. Nothing answers a download here, so what succeeds has fetched nothing. */
const run = (tools: OfferTools, offer: Offer) => {
  tools.journal.offers.set(offer.offer, { stage: 'received', offer });
  return runOffer(offer, tools);
};

test('an app is installed and then its parameters are set; who has both has nothing to do, and other parameters come without a download', () =>
  withTerminalFor(SN, async (tools) => {
    expect(await afterFetch(tools, along('o-1', 'a.example'))).toMatchObject({ ok: true });
    expect([codeOn(tools), paramsOn(tools)]).toEqual([7, { host: 'a.example', pin: '4711' }]);
    expect(await run(tools, along('o-2', 'a.example'))).toMatchObject({ outcome: 'success', version: '7', message: 'already installed' });
    const others = await run(tools, along('o-3', 'b.example'));
    expect(others).toMatchObject({ outcome: 'success', version: '7' });
    expect(others).not.toHaveProperty('sha256');
    expect([codeOn(tools), paramsOn(tools)]).toEqual([7, { host: 'b.example', pin: '4711' }]);
  }));

test('what starts from a version that isn’t there any more sets the parameters of the one that is', () =>
  withTerminalFor(SN, async (tools) => {
    await afterFetch(tools, along('o-1', 'a.example'));
    const { package: of } = signed;
    const difference = signedOffer('softApp', { ...of, kind: 'DI', base: '6', fullSize: bytes.length, fullSha256: of?.sha256 });
    const late = { ...difference, offer: 'o-2', settings: along('o-2', 'b.example').settings };
    expect(await run(tools, late)).toMatchObject({ outcome: 'success' });
    expect(paramsOn(tools)).toMatchObject({ host: 'b.example' });
  }));

test('power that is lost between the two leaves the app, and the next attempt brings the parameters alone', async () => {
  const saved: Stored[] = [];
  const journal = memoryJournal('1.0.0', () => saved.push(structuredClone(storedOf(journal))));
  await withTerminalFor(SN, (tools) => afterFetch(tools, along('o-1', 'a.example')), journal);
  // As it was on disk when the settings hadn't been touched yet.
  const [between] = saved;
  if (!between) throw new Error('nothing was written between the two');
  expect([between.apps?.length, between.settings]).toEqual([1, []]);
  const restarted = memoryJournal('1.0.0');
  fillJournal(restarted, between);
  await withTerminalFor(
    SN,
    async (tools) => {
      expect(codeOn(tools)).toBe(7);
      expect(afterPowerLoss(along('o-1', 'a.example'), tools)).toMatchObject({ outcome: 'failure', reason: 'powerLost' });
      expect(await run(tools, along('o-2', 'a.example'))).toMatchObject({ outcome: 'success', version: '7' });
      expect(paramsOn(tools)).toEqual({ host: 'a.example', pin: '4711' });
    },
    restarted,
  );
});

test('parameters that can’t be set fail with their reason, and say that the app stays', () =>
  withTerminalFor(SN, async (tools) => {
    expect(await afterFetch(tools, along('o-1', 'a.example', 'androidParam.none'))).toEqual({
      ok: false,
      reason: 'notSupported',
      message: 'the app is installed, its parameters are not set: no androidParam.none here',
    });
    expect([codeOn(tools), paramsOn(tools)]).toEqual([7, {}]);
  }));

test('of what failed there is something to tell where the app was installed, and nothing where it was there or never came', () =>
  withTerminalFor(SN, async (tools) => {
    const wrong = along('o-1', 'a.example', 'androidParam.none');
    const told = async (act: () => Promise<unknown>) => {
      const before = codeOf(wrong, tools);
      await act();
      return codeOf(wrong, tools) !== before;
    };
    const unable = { ...tools.body, capabilities: tools.body.capabilities.filter((one) => one !== 'softAppParams') };
    expect(await told(() => run({ ...tools, body: unable }, wrong))).toBe(false);
    expect(await told(() => afterFetch(tools, wrong))).toBe(true);
    expect(await told(() => run(tools, { ...wrong, offer: 'o-2' }))).toBe(false);
  }));

test('a terminal that doesn’t know of parameters that come along refuses the whole, and installs nothing', () =>
  withTerminalFor(SN, async (tools) => {
    const body = { ...tools.body, capabilities: tools.body.capabilities.filter((one) => one !== 'softAppParams') };
    expect(await run({ ...tools, body }, along('o-1', 'a.example'))).toMatchObject({ outcome: 'failure', reason: 'notSupported' });
    expect(codeOn(tools)).toBeUndefined();
  }));
