import type { Up } from '@mooring/contract/device/messages';
import { besideOf } from './beside.ts';
import type { Body, Installed } from './body.ts';
import type { Deployment } from './deployment.ts';
import { fetchPackage } from './fetch-package.ts';
import type { Journal } from './journal.ts';
import type { Offer, PackageOffer, UninstallOffer } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { digestIn, digestOf, keepSettings } from './settings.ts';
import { isSigned } from './verify-package.ts';

export const SOFT_APP = 'softApp';
/** It takes parameters along with an app. */
export const APP_PARAMS = 'softAppParams';

type Reported = NonNullable<Up['hello']['apps']>[number];
type Apps = Pick<Journal, 'apps'>;

/** Apps as they are now: those of the factory, with what was installed and removed since. */
export function reportedApps(journal: Apps, body: Pick<Body, 'facts'>): Reported[] {
  const factory = (body.facts().apps ?? []).filter(({ id }) => !journal.apps.has(id));
  const changed = [...journal.apps].flatMap(([id, app]): Reported[] =>
    app ? [{ id, name: app.name, version: app.versionName, code: app.versionCode, certificate: app.certificate }] : [],
  );
  return [...factory, ...changed];
}

/** What its first word says of them; how many there are in all where it knows those of the factory too. */
export function saidOfApps(journal: Apps, body: Pick<Body, 'facts'>): Pick<Up['hello'], 'apps' | 'appsInAll'> {
  const apps = reportedApps(journal, body);
  return { apps, ...(body.facts().apps ? { appsInAll: apps.length } : {}) };
}

const appOf = (journal: Apps, body: Pick<Body, 'facts'>, packageName: string) =>
  reportedApps(journal, body).find(({ id }) => id === packageName);

/** A start holds what is installed against the signature that it was installed by. Of what was installed without one nothing is said. */
export async function recheckApps(journal: Apps, body: Pick<Body, 'besideFlaw' | 'runLog'>): Promise<void> {
  for (const [id, app] of journal.apps) {
    const flaw = app?.beside && (await body.besideFlaw?.(app.sha256, Buffer.from(app.beside, 'base64')));
    if (flaw) body.runLog.add('warn', 'agent', `${id}: ${flaw}`);
  }
}

/** Which version of what an offer brings is there: changed, it is told, also where something else of the offer failed. */
export const codeOf = (
  offer: Offer,
  { journal, body }: { readonly journal: Apps; readonly body: Pick<Body, 'facts'> },
): number | undefined => offer.package?.app && appOf(journal, body, offer.package.app.packageName)?.code;

/** What Android holds against a package besides its own word: another app, another code, or a key that isn't the one of what it would replace. */
function flawOf(signed: NonNullable<PackageOffer['package']['app']>, read: ReadApp | undefined, before: Reported | undefined) {
  if (!read) return { reason: 'appWrong', message: 'the package can’t be read' };
  const { packageName, versionCode, certificate, lineage } = read;
  if (packageName !== signed.packageName || versionCode !== signed.versionCode)
    return { reason: 'appWrong', message: `the package is ${packageName} ${versionCode}`.slice(0, 200) };
  if (certificate !== signed.certificate) return { reason: 'certificateWrong', message: `signed by ${certificate}` };
  if (before?.certificate !== undefined && ![certificate, ...lineage].includes(before.certificate))
    return { reason: 'certificateWrong', message: `installed is one signed by ${before.certificate}` };
  return undefined;
}

/** What a package says of itself, as the terminal's system reads it. */
export interface ReadApp {
  readonly packageName: string;
  readonly versionCode: number;
  readonly versionName: string;
  readonly label: string;
  readonly certificate: string;
  /** Of keys before a rotation, as far as the package proves it. */
  readonly lineage: readonly string[];
}

/** What is said of an app that came, and whose parameters didn't: the app stays, and the next attempt brings what is missing. */
const without = ({ reason, message }: Extract<Installed, { ok: false }>): Installed => ({
  ok: false,
  reason,
  message: ['the app is installed, its parameters are not set', message].filter(Boolean).join(': ').slice(0, 200),
});

/** Installs or updates an app; signed for its kind, package, code and certificate. Then sets its parameters, where some come along. */
export function appDeployment(offer: PackageOffer, tools: OfferTools): Deployment {
  const { body, journal } = tools;
  const { product, kind, version, base, sha256, size, fullSha256, fullSize = 0, content, app } = offer.package;
  const { settings } = offer;
  const before = app && appOf(journal, body, app.packageName);
  const isInstalled = app !== undefined && before?.code === app.versionCode && before.certificate === app.certificate;
  const isSet = settings === undefined || digestIn(journal, settings.section) === digestOf(settings.values);
  /** A difference becomes the package that it leads to before anything is read out of it. */
  const rebuilt = async (): Promise<Installed> => {
    if (kind === 'TA') return { ok: true };
    if (!body.rebuild) return { ok: false, reason: 'notSupported' };
    return body.rebuild(offer, app && (journal.apps.get(app.packageName)?.sha256 ?? undefined));
  };
  let fetching: ReturnType<typeof besideOf> | undefined;
  const fetchBeside = () => (fetching ??= besideOf(offer, tools));
  /** The signature that it is installed by: none where the terminal asks for none. */
  const checkBeside = async (): Promise<{ readonly beside?: string } | { readonly reason: string; readonly message: string }> => {
    if (!body.besideFlaw) return {};
    const got = await fetchBeside();
    if (!('bytes' in got)) return got;
    const message = await body.besideFlaw(fullSha256 ?? sha256, got.bytes);
    return message === undefined ? { beside: got.bytes.toString('base64') } : { reason: 'signatureWrong', message };
  };
  /** Noted at once: whatever comes after it finds the app there. */
  const installApp = async (): Promise<Installed> => {
    if (!app || !body.readApp) return { ok: false, reason: 'notSupported' };
    const made = await rebuilt();
    if (made === 'powerLost' || !made.ok) return made;
    const read = await body.readApp(offer);
    const flaw = flawOf(app, read, before);
    if (flaw || !read) return { ok: false, ...(flaw ?? { reason: 'appWrong' }) };
    const signed = await checkBeside();
    if ('reason' in signed) return { ok: false, ...signed };
    const { versionCode, versionName, label, certificate } = read;
    const installed = await body.install(offer, undefined);
    if (installed !== 'powerLost' && installed.ok)
      journal.apps.set(app.packageName, { name: label, versionName, versionCode, certificate, sha256: fullSha256 ?? sha256, ...signed });
    return installed;
  };
  return {
    version,
    objection() {
      if (product !== body.product) return 'productWrong';
      if (!isSigned(offer, tools.releaseRoot)) return 'signatureWrong';
      if (content !== SOFT_APP || !app || version !== String(app.versionCode)) return 'kindWrong';
      // Nothing is fetched, wherever the package starts from.
      if (isInstalled) return undefined;
      if (before?.code !== undefined && app.versionCode < before.code && !offer.allowDowngrade) return 'downgradeRefused';
      if (kind === 'DI' && base !== String(before?.code)) return 'baseWrong';
      return size + fullSize > body.freeBytes(offer) ? 'noSpace' : undefined;
    },
    isThere: () => isInstalled && isSet,
    async fetch() {
      if (isInstalled) return {};
      const fetched = await fetchPackage(offer, tools);
      if (body.besideFlaw && !('outcome' in fetched)) await fetchBeside();
      return fetched;
    },
    async install(): Promise<Installed> {
      const installed: Installed = isInstalled ? { ok: true } : await installApp();
      if (installed === 'powerLost' || !installed.ok || !settings || isSet) return installed;
      // Known before anything else may fail.
      journal.save();
      const set = await body.set(settings);
      return set === 'powerLost' || set.ok ? set : without(set);
    },
    keep() {
      // Where it was set before, the order in which sections count stays.
      if (settings && !isSet) keepSettings(journal, settings);
    },
  };
}

/** Removes an app. */
export function uninstallDeployment({ uninstall }: UninstallOffer, tools: OfferTools): Deployment {
  const { body, journal } = tools;
  const { packageName } = uninstall;
  return {
    version: undefined,
    objection: () => (appOf(journal, body, packageName)?.system ? 'appNeeded' : undefined),
    isThere: () => appOf(journal, body, packageName) === undefined,
    fetch: async () => ({}),
    install: async () => (body.uninstall ? body.uninstall(packageName) : { ok: false, reason: 'notSupported' }),
    keep() {
      journal.apps.set(packageName, null);
    },
  };
}
