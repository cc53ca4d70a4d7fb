import type { Up } from '@mooring/contract/device/messages';
import { SETTINGS_DIGEST } from '@mooring/contract/device/settings';
import { saidOfApps } from '@mooring/terminal/apps';
import { type Journal, memoryJournal } from '@mooring/terminal/journal';
import type { Offer } from '@mooring/terminal/offer';
import { keepPart, reportedParts } from '@mooring/terminal/parts';
import { digestOf, keepSettings, reportedParams, reportedSettings } from '@mooring/terminal/settings';
import { isContent } from '@mooring/terminal/show-content';

/** As it left the factory; the estate says the same of it. */
export const FACTORY = { modules: { sp: '1.0.0' }, patch: '2026-01' };
const body = { facts: () => ({ ...FACTORY, apps: [] }) };

/** What a terminal has by and by, kept as the reference agent keeps it. */
export interface Has {
  readonly journal: Journal;
  /** Digest of its file of parameters: there are no bytes here. */
  file?: string;
}
export const fromFactory = (firmware: string): Has => ({ journal: memoryJournal(firmware) });

/** Keeps what an offer brings; answers the version that the result tells. */
export function keep(has: Has, offer: Offer): string | undefined {
  const { package: what, settings, kind } = offer;
  const { journal } = has;
  if (settings) keepSettings(journal, settings);
  if (!what) return settings && digestOf(settings.values);
  const { version, sha256, app, name } = what;
  if (app) {
    const { packageName, versionCode, certificate } = app;
    journal.apps.set(packageName, { name: packageName, versionName: version, versionCode, certificate, sha256 });
  } else if (isContent(kind)) {
    journal.contents.set(name === undefined ? kind : `${kind}.${name}`, {
      sha256,
      document: { format: 1, kind, name: kind, values: {}, files: [] },
    });
    return sha256.slice(0, SETTINGS_DIGEST);
  } else if (kind === 'paramFile') has.file = sha256.slice(0, SETTINGS_DIGEST);
  else keepPart(journal, { kind, package: what }, { version, sha256 });
  return version;
}

/** What its first word, and that after a change, says of all that. */
export function told({ journal, file }: Has): Partial<Up['hello']> & Pick<Up['hello'], 'firmware'> {
  return {
    ...reportedParts(journal, body),
    ...saidOfApps(journal, body),
    settings: { ...reportedSettings(journal), ...(file === undefined ? {} : { paramFile: file }) },
    androidParams: reportedParams(journal.settings),
  };
}
