import { generateKeyPairSync, sign } from 'node:crypto';
import type { Measured } from '@mooring/contract/desktop/screen-fit';
import { manifestText, releaseKeyText } from '@mooring/contract/device/manifest';
import { downMessages } from '@mooring/contract/device/messages';
import { type Journal, memoryJournal } from './journal.ts';
import type { OfferTools } from './offer-tools.ts';
import { seeded } from './random.ts';
import { openShelf, type Shelf } from './shelf.ts';
import { virtualBody } from './virtual-body.ts';

const pair = () => {
  const keys = generateKeyPairSync('ed25519');
  return { ...keys, spki: keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
};
const [root, release] = [pair(), pair()];
const named = {
  product: 'A920',
  kind: 'TA' as const,
  version: 'aaaaaaaaaaaaaaaa',
  base: null,
  size: 10,
  sha256: 'a'.repeat(64),
  keyId: 'k1',
};

/** An offer of a kind with a manifest that was genuinely signed so. */
export function signedOffer(kind: string, of: object) {
  const manifest = { ...named, ...of };
  return downMessages.offer.parse({
    offer: 'o-1',
    kind,
    url: '/d/files/x',
    package: { ...manifest, signature: sign(null, Buffer.from(manifestText(manifest)), release.privateKey).toString('base64') },
    releaseKey: {
      id: 'k1',
      publicKey: release.spki,
      signature: sign(null, Buffer.from(releaseKeyText({ id: 'k1', publicKey: release.spki })), root.privateKey).toString('base64'),
    },
  });
}

/** A terminal that trusts who signed it, for as long as the work takes. */
export function withTerminal<T>(sn: string, work: (tools: OfferTools) => T): T {
  const shelf = openShelf();
  try {
    return work(toolsOn(sn, shelf));
  } finally {
    shelf.close();
  }
}
export async function withTerminalFor<T>(
  sn: string,
  work: (tools: OfferTools) => Promise<T>,
  journal?: Journal,
  more: Asking = {},
): Promise<T> {
  const shelf = openShelf();
  try {
    return await work(toolsOn(sn, shelf, journal, more));
  } finally {
    shelf.close();
  }
}

/** Below which roots (PEM) apps have to be signed beside, the server that their signatures are fetched from, and what terminal it is. */
interface Asking {
  readonly signers?: string;
  readonly server?: string;
  readonly product?: string;
  readonly screen?: Measured;
}

function toolsOn(
  sn: string,
  shelf: Shelf,
  journal = memoryJournal('1.0.0'),
  { signers, server = 'http://127.0.0.1', product = 'A920', screen }: Asking = {},
): OfferTools {
  const random = seeded('x');
  const pace = { flaw: undefined, failAttempts: 0, installSeconds: 0, bootSeconds: 0 };
  const body = virtualBody({
    sn,
    product,
    screen,
    random,
    shelf,
    signers,
    settings: journal.settings,
    properties: journal.properties,
    event() {},
    tell() {},
    ...pace,
  });
  return {
    body,
    journal,
    random,
    releaseRoot: root.spki,
    server,
    signal: new AbortController().signal,
    atStart: false,
    isUp: () => true,
    now: () => new Date(),
    wait: async () => {},
    aside: (wait) => wait(),
    downloaded() {},
    progress() {},
  };
}
