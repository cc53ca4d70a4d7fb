import { latinDigits } from '@mooring/contract/shared/format';

/** A moment for a person, in their language and time zone; both may be nonsense of an older version. */
export function momentFor(moment: Date, lang: string | null, timeZone: string | null): string {
  const say = (language: string, zone: string) =>
    `${new Intl.DateTimeFormat(latinDigits(language), { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(moment)} (${zone})`;
  try {
    return say(lang ?? 'en', timeZone ?? 'UTC');
  } catch {
    return say('en', 'UTC');
  }
}
