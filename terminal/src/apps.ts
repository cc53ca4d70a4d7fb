import type { Up } from '@mooring/contract/device/messages';
import type { Body, Installed } from './body.ts';
import type { Deployment } from './deployment.ts';
import { fetchPackage } from './fetch-package.ts';
import type { InstalledApp, Journal } from './journal.ts';
import type { PackageOffer, UninstallOffer } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { isSigned } from './verify-package.ts';

export const SOFT_APP = 'softApp';

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

const appOf = (journal: Apps, body: Pick<Body, 'facts'>, packageName: string) =>
  reportedApps(journal, body).find(({ id }) => id === packageName);

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

/** Installs or updates an app; signed for its kind, package, code and certificate. */
export function appDeployment(offer: PackageOffer, tools: OfferTools): Deployment {
  const { body, journal } = tools;
  const { product, kind, version, base, sha256, size, fullSha256, fullSize = 0, content, app } = offer.package;
  const before = app && appOf(journal, body, app.packageName);
  let installedApp: InstalledApp | undefined;
  /** A difference becomes the package that it leads to before anything is read out of it. */
  const rebuilt = async (): Promise<Installed> => {
    if (kind === 'TA') return { ok: true };
    if (!body.rebuild) return { ok: false, reason: 'notSupported' };
    return body.rebuild(offer, app && (journal.apps.get(app.packageName)?.sha256 ?? undefined));
  };
  return {
    version,
    objection() {
      if (product !== body.product) return 'productWrong';
      if (!isSigned(offer, tools.releaseRoot)) return 'signatureWrong';
      if (content !== SOFT_APP || !app || version !== String(app.versionCode)) return 'kindWrong';
      if (before?.code !== undefined && app.versionCode < before.code && !offer.allowDowngrade) return 'downgradeRefused';
      if (kind === 'DI' && base !== String(before?.code)) return 'baseWrong';
      return size + fullSize > body.freeBytes(offer) ? 'noSpace' : undefined;
    },
    isThere: () => app !== undefined && before?.code === app.versionCode && before.certificate === app.certificate,
    fetch: () => fetchPackage(offer, tools),
    async install(): Promise<Installed> {
      if (!app || !body.readApp) return { ok: false, reason: 'notSupported' };
      const made = await rebuilt();
      if (made === 'powerLost' || !made.ok) return made;
      const read = await body.readApp(offer);
      const flaw = flawOf(app, read, before);
      if (flaw || !read) return { ok: false, ...(flaw ?? { reason: 'appWrong' }) };
      const { versionCode, versionName, label, certificate } = read;
      installedApp = { name: label, versionName, versionCode, certificate, sha256: fullSha256 ?? sha256 };
      return body.install(offer, undefined);
    },
    keep() {
      if (app && installedApp) journal.apps.set(app.packageName, installedApp);
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
