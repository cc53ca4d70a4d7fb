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
  if (values === null) {
    journal.settings.delete(section);
    journal.contents.delete(section);
  } else journal.settings.set(section, values);
}
