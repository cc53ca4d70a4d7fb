import { createHash } from 'node:crypto';
import type { Settings } from '@mooring/contract/device/messages';
import { SETTINGS_DIGEST, settingsText } from '@mooring/contract/device/settings';
import type { Journal } from './journal.ts';

/** Of what is set now; none where it is as it was before anything was set. */
export const digestOf = (values: Settings['values'] | undefined): string | undefined =>
  values ? createHash('sha256').update(settingsText(values)).digest('hex').slice(0, SETTINGS_DIGEST) : undefined;

/** Of what is set or shown in a section now. */
export const digestIn = ({ contents, settings }: Journal, section: string): string | undefined =>
  contents.get(section)?.sha256.slice(0, SETTINGS_DIGEST) ?? digestOf(settings.get(section));

/** SHA-256 of the terminal's file of parameters, as it is now. */
export const paramFileDigest = ({ paramFile }: Journal): string | undefined =>
  paramFile === undefined ? undefined : createHash('sha256').update(Buffer.from(paramFile, 'base64')).digest('hex');

/** Section → digest, of everything that is set on the terminal. */
export function reportedSettings(journal: Journal): Record<string, string> {
  const file = paramFileDigest(journal)?.slice(0, SETTINGS_DIGEST);
  const sections = [...journal.settings].map(([section, values]) => [section, digestOf(values) ?? '']);
  const shown = [...journal.contents.keys()].map((section) => [section, digestIn(journal, section) ?? '']);
  return Object.fromEntries([...sections, ...shown, ...(file === undefined ? [] : [['paramFile', file]])]);
}

/** Keeps what is set; the caller saves the journal. */
export function keepSettings(journal: Journal, { section, values }: Settings): void {
  // What was set last counts where two sections name the same parameter.
  journal.settings.delete(section);
  if (values === null) journal.contents.delete(section);
  else journal.settings.set(section, values);
}

type Param = string | number | boolean;
const ANDROID = 'androidParam.';
const paramsIn = (values: Settings['values'], name: 'values' | 'secrets') =>
  Object.entries((values?.[name] ?? {}) as Record<string, Param>);

/** Parameters of the Android system: those of all sections together, and which of them are secret. */
export function androidParams(settings: Journal['settings']): ReadonlyMap<string, { readonly value: Param; readonly isSecret: boolean }> {
  const params = new Map<string, { value: Param; isSecret: boolean }>();
  for (const [section, values] of settings) {
    if (!section.startsWith(ANDROID)) continue;
    for (const [key, value] of paramsIn(values, 'values')) params.set(key, { value, isSecret: false });
    for (const [key, value] of paramsIn(values, 'secrets')) params.set(key, { value, isSecret: true });
  }
  return params;
}

/** How much of its parameters a terminal says of itself at most, in bytes. */
const REPORTED_MOST = 24 * 1024;

/** What is told of them: of a secret only that it is set. */
export function reportedParams(settings: Journal['settings']): Record<string, Param | null> {
  const told = Object.fromEntries([...androidParams(settings)].map(([key, { value, isSecret }]) => [key, isSecret ? null : value]));
  // Too long a first word is never heard; what several templates set together is told by their digests alone then.
  return Buffer.byteLength(JSON.stringify(told)) > REPORTED_MOST ? {} : told;
}
