import { generateKeyPairSync, sign } from 'node:crypto';
import { manifestText, releaseKeyText } from '@mooring/contract/device/manifest';
import { downMessages } from '@mooring/contract/device/messages';
import { expect, test } from 'vitest';
import { deploymentOf } from './deployment.ts';
import { memoryJournal } from './journal.ts';
import { seeded } from './random.ts';
import { openShelf } from './shelf.ts';
import { virtualBody } from './virtual-body.ts';

const pair = () => {
  const keys = generateKeyPairSync('ed25519');
  return { ...keys, spki: keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
};
const [root, release] = [pair(), pair()];
const SN = 'SN000001';
const sha256 = 'a'.repeat(64);
const named = { product: 'A920', kind: 'TA' as const, version: 'aaaaaaaaaaaaaaaa', base: null, size: 10, sha256, keyId: 'k1' };

/** What this terminal says of a file that was genuinely signed so. */
function objection(of: object): string | undefined {
  const manifest = { ...named, content: 'paramFile', name: SN, ...of };
  const offer = downMessages.offer.parse({
    offer: 'o-1',
    kind: 'paramFile',
    url: '/d/files/x',
    package: { ...manifest, signature: sign(null, Buffer.from(manifestText(manifest)), release.privateKey).toString('base64') },
    releaseKey: {
      id: 'k1',
      publicKey: release.spki,
      signature: sign(null, Buffer.from(releaseKeyText({ id: 'k1', publicKey: release.spki })), root.privateKey).toString('base64'),
    },
  });
  const shelf = openShelf();
  const journal = memoryJournal('1.0.0');
  const random = seeded('x');
  const pace = { flaw: undefined, failAttempts: 0, installSeconds: 0, bootSeconds: 0 };
  const body = virtualBody({ sn: SN, product: 'A920', random, shelf, settings: journal.settings, ...pace });
  try {
    const tools = {
      body,
      journal,
      random,
      releaseRoot: root.spki,
      server: 'http://127.0.0.1',
      signal: new AbortController().signal,
      atStart: false,
      isUp: () => true,
      now: () => new Date(),
      wait: async () => {},
      progress() {},
    };
    return deploymentOf(offer, tools)?.objection();
  } finally {
    shelf.close();
  }
}

test.each([
  ['its own file', {}, undefined],
  ['another terminal’s', { name: 'SN000002' }, 'terminalWrong'],
  ['one for nobody by name', { name: undefined }, 'terminalWrong'],
  ['what was signed as something else', { content: 'module' }, 'kindWrong'],
  ['another product’s', { product: 'Q80' }, 'productWrong'],
])('a terminal that is offered %s as its parameters', (_name, of, reason) => {
  expect(objection(of)).toBe(reason);
});
