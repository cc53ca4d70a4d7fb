import { ContentDocument, DOCUMENT_MOST, DOCUMENT_NAME } from '@mooring/contract/desktop/content-document';
import { homeScreen } from '@mooring/contract/desktop/home-screen';
import { customizeDesktopKind, storeAdvertSpaceKind, systemCustomizationKind } from '@mooring/contract/desktop/kinds';
import { roundOf } from '@mooring/contract/desktop/playlist';
import { type Measured, sizeWords } from '@mooring/contract/desktop/screen-fit';
import { SETTINGS_DIGEST } from '@mooring/contract/device/settings';
import type { Deployment } from './deployment.ts';
import { fetchPackage } from './fetch-package.ts';
import type { PackageOffer } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { isSigned } from './verify-package.ts';

const kinds: readonly string[] = [storeAdvertSpaceKind.kind, systemCustomizationKind.kind, customizeDesktopKind.kind];
export const isContent = (kind: string): boolean => kinds.includes(kind);

const BLOCK = 512;
/** As much of an archive as holds what it says of itself. */
export const CONTENT_HEAD = DOCUMENT_MOST + BLOCK;

/** What an archive says of itself, in the first file of the tar; undefined where it says nothing that can be read. */
export function documentIn(archive: Buffer): ContentDocument | undefined {
  const name = archive.subarray(0, 100).toString('latin1').replace(/\0.*$/s, '');
  const size = Number.parseInt(archive.subarray(124, 135).toString('latin1'), 8);
  if (name !== DOCUMENT_NAME || !(size > 0 && size <= DOCUMENT_MOST)) return undefined;
  try {
    return ContentDocument.safeParse(JSON.parse(archive.subarray(BLOCK, BLOCK + size).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** As much of the order as a line of the log takes. */
const TOLD = 40;
/** What it shows from now on, in words for its log: of a playlist in which order, until that begins again; of a desktop for several screens which one. */
export function shownWords(section: string, { name, values }: ContentDocument, screen?: Measured): string {
  const { items, sizes } = values;
  const drawn = sizes === undefined ? undefined : homeScreen(values, screen);
  if (drawn) return `shows ${section}: ${name}, as drawn up for ${sizeWords(drawn)}`;
  if (!Array.isArray(items)) return `shows ${section}: ${name}`;
  const order = roundOf(items.map((one) => (typeof one === 'object' && one !== null && !Array.isArray(one) ? one : {})));
  const told = order.slice(0, TOLD).map((at) => at + 1);
  return `shows ${section}: ${name}, in the order ${told.join(' ')}${order.length > TOLD ? ` … (${order.length})` : ''}`;
}

/** What the terminal shows, each in its place: signed for its kind, so that nothing else can be passed off as it. */
export function contentDeployment(offer: PackageOffer, tools: OfferTools): Deployment {
  const { body, journal } = tools;
  const { product, sha256, size, content, name } = offer.package;
  const section = name === undefined ? offer.kind : `${offer.kind}.${name}`;
  let document: ContentDocument | undefined;
  return {
    version: sha256.slice(0, SETTINGS_DIGEST),
    objection() {
      if (product !== body.product) return 'productWrong';
      if (!isSigned(offer, tools.releaseRoot)) return 'signatureWrong';
      if (content !== offer.kind) return 'kindWrong';
      return size > body.freeBytes(offer) ? 'noSpace' : undefined;
    },
    isThere: () => journal.contents.get(section)?.sha256 === sha256,
    fetch: () => fetchPackage(offer, tools),
    async install() {
      const installed = await body.install(offer, undefined);
      if (installed === 'powerLost' || !installed.ok) return installed;
      document = documentIn(installed.bytes ?? Buffer.alloc(0));
      if (document?.kind !== offer.kind) return { ok: false, reason: 'kindWrong', message: 'the archive says that it is of another kind' };
      return installed;
    },
    keep() {
      if (!document) return;
      journal.contents.set(section, { sha256, document });
      body.runLog.add('info', 'system', shownWords(section, document, body.facts().screen));
    },
  };
}
