import * as format from '@mooring/contract/shared/format';
import { apart, isChosenBy, isRightToLeft } from '@mooring/contract/shared/format';
import type { TextKey } from '@mooring/contract/texts';
import { IntlMessageFormat } from 'intl-messageformat';
import { useMemo } from 'react';
import { createStore, useStore } from './store.ts';

export type { TextKey };
export type Params = Readonly<Record<string, string | number>>;
/** A text key, or words that came from the server or the person and are shown as they are. */
export type Words = TextKey | { readonly text: string } | { readonly key: TextKey; readonly params: Params };

export interface Speech {
  /** The chosen language, `zh-CN` or `en` or any that the server has. */
  readonly lang: string;
  /** The texts' own language: English stands in for a language without texts. */
  readonly textLang: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly timeZone: string;
}

export const speech = createStore<Speech>({
  lang: 'zh-CN',
  textLang: 'zh-CN',
  texts: {},
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
});

const formats = new Map<string, IntlMessageFormat>();

function translate(now: Speech, key: string, params: Params = {}): string {
  const text = now.texts[key];
  if (text === undefined) return key;
  if (!text.includes('{') && !text.includes("'")) return text;
  const id = `${now.textLang} ${text}`;
  let made = formats.get(id);
  if (!made) {
    made = new IntlMessageFormat(text, format.latinDigits(now.textLang));
    formats.set(id, made);
  }
  if (!isRightToLeft(now.textLang)) return String(made.format(params));
  const kept = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' && !isChosenBy(text, name) ? apart(now.textLang, value) : value,
  ]);
  const said = String(made.format(Object.fromEntries(kept)));
  // A place that takes its direction from the first letter passes over what is kept apart.
  return said.startsWith('\u2068') ? `\u200f${said}` : said;
}

export const hasText = (key: string): key is TextKey => speech.get().texts[key] !== undefined;
/** For places outside of components; inside, `useT` follows a change of language. */
export const t = (key: TextKey, params?: Params): string => translate(speech.get(), key, params);

export function wordsOf(words: Words, now: Speech = speech.get()): string {
  if (typeof words === 'string') return translate(now, words);
  return 'text' in words ? words.text : translate(now, words.key, words.params);
}

export type T = (key: TextKey, params?: Params) => string;
export function useT(): T {
  const now = useStore(speech);
  return useMemo(() => (key: TextKey, params?: Params) => translate(now, key, params), [now]);
}

/** A text by a key that is put together at run time (`menu.<code>`); the fallback where there is none. */
export function useLooseT(): (key: string, fallback: string, params?: Params) => string {
  const now = useStore(speech);
  return useMemo(
    () => (key: string, fallback: string, params?: Params) => (now.texts[key] === undefined ? fallback : translate(now, key, params)),
    [now],
  );
}

const bind = (now: Speech) => {
  const { lang, timeZone } = now;
  const straight = (value: string) => apart(lang, value, 'left to right');
  return {
    timeZone,
    number: (value: number, decimals?: number) => straight(format.formatNumber(value, lang, decimals)),
    percent: (share: number, decimals?: number) => straight(format.formatPercent(share, lang, decimals)),
    total: (total: number, capped: boolean) => straight(format.formatTotal(total, capped, lang)),
    size: (bytes: number) => straight(format.formatSize(bytes, lang)),
    count: (value: number, form?: 'short' | 'alternative') => straight(format.formatCount(value, lang, form)),
    duration: (seconds: number) => apart(lang, format.formatDuration(seconds, lang)),
    span: (seconds: number) => apart(lang, format.formatSpan(seconds, lang)),
    moment: (value: string | number | Date, style?: format.MomentStyle, zone = timeZone) =>
      straight(format.formatMoment(value, { locale: lang, timeZone: zone }, style)),
    ago: (value: string | number | Date, now_: number = Date.now()) => format.formatAgo(value, lang, now_),
    dayWords: (day: string, words: format.DayWords) => format.formatDayWords(day, lang, words),
    money: (value: number | string, currency: 1 | 2 | '1' | '2') => straight(format.formatMoney(value, currency, lang)),
    /** A figure with its sign and unit, coordinates, or other words that never turn. */
    straight,
    offset: (zone: string, at: number = Date.now()) => straight(format.formatOffset(zone, at)),
  };
};
export type Format = ReturnType<typeof bind>;
export function useFormat(): Format {
  const now = useStore(speech);
  return useMemo(() => bind(now), [now]);
}
