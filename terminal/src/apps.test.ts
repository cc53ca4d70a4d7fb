import { createHash, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeApk, type TestApk } from '@mooring/apk/apk.factory';
import { makePkcs7 } from '@mooring/apk/signature/pkcs7';
import { makeSigner } from '@mooring/apk/signer.factory';
import { expect, test } from 'vitest';
import { recheckApps, reportedApps, saidOfApps } from './apps.ts';
import { deploymentOf } from './deployment.ts';
import { fillJournal, type Journal, memoryJournal, type Stored, storedOf } from './journal.ts';
import { isPackage } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { signedOffer, withTerminalFor } from './signed-offer.factory.ts';

const NAME = 'com.bank.pay';
const signer = await makeSigner();

interface Sent {
  readonly apk?: TestApk;
  /** What the manifest says, where it isn't what the package is. */
  readonly says?: { packageName?: string; versionCode?: number; certificate?: string };
  readonly offer?: object;
  readonly kind?: string;
  readonly content?: string;
}

/** Offers a package and carries it through, as far as the terminal takes it. */
async function send(tools: OfferTools, { apk = {}, says = {}, offer = {}, kind = 'softApp', content = 'softApp' }: Sent): Promise<string> {
  const bytes = await makeApk({ packageName: NAME, versionCode: 7, versionName: '1.7 [BETA]', labels: { '': 'Pay' }, ...apk });
  const app = { packageName: NAME, versionCode: apk.versionCode ?? 7, certificate: signer.sha256, ...says };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const signed = { ...signedOffer(kind, { version: String(app.versionCode), size: bytes.length, sha256, content, app }), ...offer };
  const deployment = deploymentOf(signed, tools);
  if (!deployment || !isPackage(signed)) return 'notSupported';
  const objection = deployment.objection();
  if (objection) return objection;
  if (deployment.isThere()) return 'there';
  const sink = await tools.body.openSink(signed);
  await sink.reset();
  await sink.write(bytes);
  expect(await sink.digest()).toBe(sha256);
  await sink.close();
  const installed = await deployment.install();
  if (installed === 'powerLost' || !installed.ok) return installed === 'powerLost' ? installed : installed.reason;
  deployment.keep(installed, {});
  return 'installed';
}
const installed = ({ journal, body }: OfferTools) => reportedApps(journal, body).find(({ id }) => id === NAME);

test('an app is installed under its own name, code and certificate, and said so', () =>
  withTerminalFor('SN000001', async (tools) => {
    expect(await send(tools, {})).toBe('installed');
    expect(installed(tools)).toEqual({ id: NAME, name: 'Pay', version: '1.7 [BETA]', code: 7, certificate: signer.sha256 });
    expect(await send(tools, {})).toBe('there');
    expect(await send(tools, { apk: { versionCode: 8 } })).toBe('installed');
    expect(installed(tools)?.code).toBe(8);
    expect(await send(tools, { apk: { versionCode: 6 } })).toBe('downgradeRefused');
    expect(await send(tools, { apk: { versionCode: 6 }, offer: { allowDowngrade: true } })).toBe('installed');
  }));

test.each<[string, Sent, string]>([
  ['another app than its manifest names', { says: { packageName: 'com.bank.tip' } }, 'appWrong'],
  ['another code', { says: { versionCode: 9 } }, 'appWrong'],
  ['another certificate', { says: { certificate: 'ab'.repeat(32) } }, 'certificateWrong'],
  ['an app that is signed by nobody', { apk: { signers: [] } }, 'appWrong'],
  ['an app as firmware', { kind: 'firmware' }, 'kindWrong'],
  ['firmware as an app', { content: 'firmware' }, 'kindWrong'],
])('a terminal refuses %s', (_name, sent, reason) =>
  withTerminalFor('SN000001', async (tools) => {
    expect(await send(tools, sent)).toBe(reason);
    expect(installed(tools)).toBeUndefined();
  }),
);

test('an update comes from the key of before, or from one that it was rotated to', () =>
  withTerminalFor('SN000001', async (tools) => {
    const next = await makeSigner({ name: 'Next' });
    expect(await send(tools, {})).toBe('installed');
    const outsider = { apk: { versionCode: 8, signers: [next] }, says: { certificate: next.sha256 } };
    expect(await send(tools, outsider)).toBe('certificateWrong');
    expect(installed(tools)?.code).toBe(7);
    expect(await send(tools, { ...outsider, apk: { ...outsider.apk, rotatedFrom: [signer] } })).toBe('installed');
    expect(installed(tools)).toMatchObject({ code: 8, certificate: next.sha256 });
  }));

test('an app that is removed is named no more, also one of the factory', () =>
  withTerminalFor('SN000001', async (tools) => {
    const names = () => reportedApps(tools.journal, tools.body).map(({ id }) => id);
    expect(names()).toContain('com.shop.loyalty');
    const removal = { ...signedOffer('softApp', {}), package: undefined, uninstall: { packageName: 'com.shop.loyalty' } };
    const deployment = deploymentOf(removal, tools);
    expect(deployment?.isThere()).toBe(false);
    const done = await deployment?.install();
    if (done !== 'powerLost' && done?.ok) deployment?.keep(done, {});
    expect(names()).not.toContain('com.shop.loyalty');
    expect(deploymentOf(removal, tools)?.isThere()).toBe(true);
    const agent = { ...removal, uninstall: { packageName: 'com.mooring.agent' } };
    expect(deploymentOf(agent, tools)?.objection()).toBe('appNeeded');
  }));

test('it says how many apps it has in all, unless it doesn’t know those of the factory', () =>
  withTerminalFor('SN000001', async (tools) => {
    const factory = tools.body.facts().apps?.length ?? 0;
    expect(await send(tools, {})).toBe('installed');
    expect(saidOfApps(tools.journal, tools.body).appsInAll).toBe(factory + 1);
    const { apps, ...said } = saidOfApps(tools.journal, { facts: () => ({}) });
    expect(apps).toHaveLength(1);
    expect(said).toEqual({});
  }));

const pemOf = (der: Uint8Array) => `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;
const acquirer = await makeSigner({ name: 'Acquirer' });
const besides = (by: typeof acquirer, content: Buffer) => makePkcs7(by.certificates, 'rsa', sign('sha256', content, by.key));
const packageBytes = () => makeApk({ packageName: NAME, versionCode: 7, versionName: '1.7 [BETA]', labels: { '': 'Pay' } });
const announced = (signature: Buffer) => ({
  offer: {
    detachedSignature: { url: '/d/files/s', size: signature.length, sha256: createHash('sha256').update(signature).digest('hex') },
  },
});

/** A terminal that installs what the acquirer signed beside it, and what the server hands out as the signature, how often. */
async function withAcquirer(work: (tools: OfferTools, served: { signature: Buffer; times: number }) => Promise<void>): Promise<void> {
  const served = { signature: besides(acquirer, await packageBytes()), times: 0 };
  const server = createServer((_request, response) => {
    served.times += 1;
    response.end(served.signature);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const trusting = { signers: pemOf(acquirer.certificates[0] ?? new Uint8Array()), server: `http://127.0.0.1:${port}` };
  try {
    await withTerminalFor('SN000001', (tools) => work(tools, served), undefined, trusting);
  } finally {
    server.close();
  }
}

test('who trusts signers of its own installs what one of them signed beside it, and nothing else', () =>
  withAcquirer(async (tools, served) => {
    const outsider = await makeSigner({ name: 'Outsider' });
    const bytes = await packageBytes();
    expect(await send(tools, {})).toBe('signatureWrong');
    for (const signature of [besides(outsider, bytes), besides(acquirer, Buffer.from('another package')), Buffer.from('no signature')]) {
      served.signature = signature;
      expect(await send(tools, announced(signature))).toBe('signatureWrong');
      expect(installed(tools)).toBeUndefined();
    }
    expect(await send(tools, announced(besides(acquirer, bytes)))).not.toBe('installed');
    served.signature = besides(acquirer, bytes);
    expect(await send(tools, announced(served.signature))).toBe('installed');
  }));

/** What a terminal has kept, as it is after a start. */
function restarted({ journal }: OfferTools): Journal {
  const next = memoryJournal('1.0.0');
  fillJournal(next, JSON.parse(JSON.stringify(storedOf(journal))) as Stored);
  return next;
}

test('the signature that an app was installed by is kept with it over a start, which holds it against the app', () =>
  withAcquirer(async (tools, { signature }) => {
    expect(await send(tools, announced(signature))).toBe('installed');
    const journal = restarted(tools);
    expect(journal.apps.get(NAME)?.beside).toBe(signature.toString('base64'));
    const warned = () => tools.body.runLog.select({ lines: 9, level: 'warn' }).map(({ text }) => text);
    await recheckApps(journal, tools.body);
    expect(warned()).toEqual([]);
    const app = journal.apps.get(NAME);
    if (app) journal.apps.set(NAME, { ...app, beside: besides(acquirer, Buffer.from('another package')).toString('base64') });
    await recheckApps(journal, tools.body);
    expect(warned()).toEqual([expect.stringContaining(NAME)]);
  }));

test('a start between download and installation fetches no signature again, unless another one is announced', () =>
  withAcquirer(async (tools, served) => {
    const { offers } = tools.journal;
    offers.set('o-1', { stage: 'received' });
    expect(await send(tools, { ...announced(served.signature), apk: { versionCode: 8 }, says: { versionCode: 8 } })).toBe('signatureWrong');
    expect(served.times).toBe(1);
    const after = { ...tools, journal: restarted(tools) };
    expect(await send(after, announced(served.signature))).toBe('installed');
    expect(served.times).toBe(1);
    after.journal.apps.delete(NAME);
    served.signature = besides(acquirer, await packageBytes());
    expect(await send(after, announced(served.signature))).toBe('installed');
  }));

test('what a terminal of a release before has kept is read as it is', async () => {
  const kept = { name: 'Pay', versionName: '1.7', versionCode: 7, certificate: signer.sha256, sha256: 'a'.repeat(64) };
  const journal = memoryJournal('1.0.0');
  fillJournal(journal, { ...storedOf(memoryJournal('1.0.0')), apps: [[NAME, kept]], offers: [['o-1', { stage: 'received' }]] });
  await withAcquirer(async ({ body }) => {
    await recheckApps(journal, body);
    expect(reportedApps(journal, body).find(({ id }) => id === NAME)?.code).toBe(7);
    expect(body.runLog.select({ lines: 9, level: 'warn' })).toEqual([]);
  });
});
