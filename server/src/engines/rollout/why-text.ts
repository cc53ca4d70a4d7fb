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
  const { percent, reason, at, ...rest } = why.params;
  return t(lang, why.key, {
    ...rest,
    ...(percent === undefined ? {} : { percent: formatPercent(Number(percent) / 100, lang) }),
    ...(reason === undefined ? {} : { reason: reasonText(lang, String(reason)) }),
    ...(at === undefined ? {} : { at: at === '' ? '' : formatMoment(String(at), { locale: lang, timeZone }) }),
  });
}
