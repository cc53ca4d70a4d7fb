import { makeApk } from '@mooring/apk/apk.factory';
import { expect, test } from 'vitest';
import { digest, forms, menu, NAME, names, now, old, signer } from './app-diff.factory.ts';
import { deploymentOf } from './deployment.ts';
import { isPackage } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { signedOffer, withTerminalFor } from './signed-offer.factory.ts';

/** A newer version of an app by what differs: of the file as it is, or of what is in it. */
/** Offers bytes as what leads to the new version, and carries it through. */
async function send(tools: OfferTools, bytes: Buffer, of: object = {}): Promise<string> {
  const app = { packageName: NAME, versionCode: 8, certificate: signer.sha256 };
  const difference = { kind: 'DI' as const, base: '7', fullSize: now.length, fullSha256: digest(now) };
  const offer = signedOffer('softApp', {
    version: '8',
    size: bytes.length,
    sha256: digest(bytes),
    content: 'softApp',
    app,
    ...difference,
    ...of,
  });
  const deployment = deploymentOf(offer, tools);
  if (!deployment || !isPackage(offer)) return 'notSupported';
  const objection = deployment.objection();
  if (objection) return objection;
  const sink = await tools.body.openSink(offer);
  await sink.write(bytes);
  const sha256 = await sink.digest();
  await sink.close();
  const installed = await deployment.install();
  if (installed === 'powerLost' || !installed.ok) return installed === 'powerLost' ? installed : installed.reason;
  deployment.keep(installed, { sha256 });
  return 'installed';
}
const whole = { kind: 'TA' as const, base: null, fullSize: undefined, fullSha256: undefined };
const installFirst = (tools: OfferTools) =>
  send(tools, old, { ...whole, version: '7', app: { packageName: NAME, versionCode: 7, certificate: signer.sha256 } });

test.each(names)('a difference of the form %s makes exactly the new package, which is the base of the next', (form) =>
  withTerminalFor('SN000001', async (tools) => {
    expect(await installFirst(tools)).toBe('installed');
    const bytes = forms[form](old, now);
    expect(bytes.length).toBeLessThan(now.length * (form === 'entries' ? 0.4 : 1));
    expect(await send(tools, bytes)).toBe('installed');
    expect(tools.journal.apps.get(NAME)).toMatchObject({ versionCode: 8, sha256: digest(now), certificate: signer.sha256 });
  }),
);

test.each(names)('%s on another base, or none at hand, is refused as such, and the full package helps', (form) =>
  withTerminalFor('SN000001', async (tools) => {
    const bytes = forms[form](old, now);
    expect(await send(tools, bytes)).toBe('baseWrong');
    expect(await installFirst(tools)).toBe('installed');
    expect(await send(tools, bytes, { base: '6' })).toBe('baseWrong');
    const other = await makeApk({ packageName: NAME, versionCode: 7, files: { 'assets/menu.txt': menu(9).subarray(0, 4000) } });
    expect(await send(tools, forms[form](other, now))).toBe('baseWrong');
    expect(tools.journal.apps.get(NAME)).toMatchObject({ versionCode: 7, sha256: digest(old) });
    expect(await send(tools, now, whole)).toBe('installed');
    expect(tools.journal.apps.get(NAME)?.versionCode).toBe(8);
  }),
);
