import { APP_PARAMS, appDeployment, SOFT_APP, uninstallDeployment } from './apps.ts';
import type { Installed } from './body.ts';
import { fetchPackage } from './fetch-package.ts';
import { isPackage, isSettings, isUninstall, type Offer, type PackageOffer, type SettingsOffer } from './offer.ts';
import type { OfferTools, Result } from './offer-tools.ts';
import { currentPart, keepPart } from './parts.ts';
import { digestIn, digestOf, keepSettings, paramFileDigest } from './settings.ts';
import { contentDeployment, isContent } from './show-content.ts';
import { compareVersions, isSigned } from './verify-package.ts';

/** What is told of bytes that were fetched. */
export type Fetched = Pick<Result, 'sha256' | 'bytes'>;

/** What an offer brings, whichever way it is sent. */
export interface Deployment {
  /** What forbids it before a byte is fetched. */
  objection(): string | undefined;
  /** It is there already: an earlier attempt succeeded and its result may have been late. */
  isThere(): boolean;
  fetch(): Promise<Result | Fetched>;
  install(): Promise<Installed>;
  /** Notes in the journal what is there now; the caller saves it. */
  keep(installed: Extract<Installed, { ok: true }>, fetched: Fetched): void;
  /** Version after success. */
  readonly version: string | undefined;
}

const FIRMWARE = 'firmware';

function packageDeployment(offer: PackageOffer, tools: OfferTools): Deployment {
  const { body, journal, releaseRoot } = tools;
  const { product, kind, version, base, size, sha256, content = FIRMWARE } = offer.package;
  return {
    version,
    objection() {
      if (product !== body.product) return 'productWrong';
      if (!isSigned(offer, releaseRoot)) return 'signatureWrong';
      if (content !== offer.kind) return 'kindWrong';
      const current = currentPart(journal, body, offer);
      if (!current) return 'notSupported';
      if (kind === 'DI' && base !== current.version) return 'baseWrong';
      if (!offer.allowDowngrade && compareVersions(version, current.version) < 0) return 'downgradeRefused';
      return size > body.freeBytes(offer) ? 'noSpace' : undefined;
    },
    isThere: () => currentPart(journal, body, offer)?.version === version,
    fetch: () => fetchPackage(offer, tools),
    install: () => body.install(offer, currentPart(journal, body, offer)?.sha256),
    keep(installed, fetched) {
      const digest = installed.sha256 ?? fetched.sha256 ?? sha256;
      journal.installs.push({ offer: offer.offer, version, sha256: digest, at: new Date().toISOString() });
      keepPart(journal, offer, { version, sha256: digest });
    },
  };
}

function settingsDeployment({ settings }: SettingsOffer, { body, journal }: OfferTools): Deployment {
  const version = digestOf(settings.values);
  return {
    version,
    objection: () => undefined,
    isThere: () => digestIn(journal, settings.section) === version,
    fetch: async () => ({}),
    install: () => body.set(settings),
    keep: () => keepSettings(journal, settings),
  };
}

const PARAM_FILE = 'paramFile';

/** Its own file: signed under its name, so that another terminal's is refused. */
function paramFileDeployment(offer: PackageOffer, { body, journal, ...tools }: OfferTools): Deployment {
  const { product, version, sha256, size, content, name } = offer.package;
  return {
    version,
    objection() {
      if (product !== body.product) return 'productWrong';
      if (!isSigned(offer, tools.releaseRoot)) return 'signatureWrong';
      if (content !== PARAM_FILE) return 'kindWrong';
      if (name !== body.sn) return 'terminalWrong';
      return size > body.freeBytes(offer) ? 'noSpace' : undefined;
    },
    isThere: () => paramFileDigest(journal) === sha256,
    fetch: () => fetchPackage(offer, { body, journal, ...tools }),
    install: () => body.install(offer, undefined),
    keep: ({ bytes }) => {
      journal.paramFile = bytes?.toString('base64');
    },
  };
}

/** None where the terminal can't do what is asked, or nothing is asked that it understands. */
export function deploymentOf(offer: Offer, tools: OfferTools): Deployment | undefined {
  if (!tools.body.capabilities.some((one) => one === offer.kind)) return undefined;
  if (isPackage(offer)) {
    if (isContent(offer.kind)) return contentDeployment(offer, tools);
    if (offer.kind === SOFT_APP)
      return isSettings(offer) && !tools.body.capabilities.includes(APP_PARAMS) ? undefined : appDeployment(offer, tools);
    return (offer.kind === PARAM_FILE ? paramFileDeployment : packageDeployment)(offer, tools);
  }
  if (isUninstall(offer)) return offer.kind === SOFT_APP ? uninstallDeployment(offer, tools) : undefined;
  return isSettings(offer) ? settingsDeployment(offer, tools) : undefined;
}
