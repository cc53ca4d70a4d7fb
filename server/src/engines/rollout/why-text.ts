import { formatMoment, formatPercent } from '@mooring/contract/shared/format';
import { t } from '../../platform/texts/translate.ts';
import type { Why } from './why.ts';

/** A reason in words. A terminal may name one that we don't know: it stands as the terminal wrote it. */
export function reasonText(lang: string, reason: string): string {
  const key = `reason.${reason}`;
  const text = t(lang, key);
  return text === key ? reason : text;
}

/** Why a terminal isn't updated, as the console says it. */
export function whyText(why: Why, lang: string, timeZone: string): string {
  const { percent, reason, at, zone, ...rest } = why.params;
  // By the clock of the terminal, where that isn't the reader's own.
  const away = at !== undefined && zone !== undefined && zone !== timeZone;
  return t(lang, zone === undefined || away ? why.key : `${why.key}Here`, {
    ...rest,
    ...(away ? { zone, local: formatMoment(String(at), { locale: lang, timeZone: String(zone) }) } : {}),
    ...(percent === undefined ? {} : { percent: formatPercent(Number(percent) / 100, lang) }),
    ...(reason === undefined ? {} : { reason: reasonText(lang, String(reason)) }),
    ...(at === undefined ? {} : { at: at === '' ? '' : formatMoment(String(at), { locale: lang, timeZone }) }),
  });
}
