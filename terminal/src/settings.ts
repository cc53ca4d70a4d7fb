import { createHash } from 'node:crypto';
import type { Settings } from '@mooring/contract/device/messages';
import { SETTINGS_DIGEST, settingsText } from '@mooring/contract/device/settings';
import type { Journal } from './journal.ts';

/** Of what is set now; none where it is as it was before anything was set. */
export const digestOf = (values: Settings['values'] | undefined): string | undefined =>
  values ? createHash('sha256').update(settingsText(values)).digest('hex').slice(0, SETTINGS_DIGEST) : undefined;

/** Section → digest, of everything that is set on the terminal. */
export const reportedSettings = (journal: Journal): Record<string, string> =>
  Object.fromEntries([...journal.settings].flatMap(([section, values]) => [[section, digestOf(values) ?? '']]));

/** Keeps what is set; the caller saves the journal. */
export function keepSettings(journal: Journal, { section, values }: Settings): void {
  if (values === null) journal.settings.delete(section);
  else journal.settings.set(section, values);
}
