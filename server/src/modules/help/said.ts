import { withWords } from '@mooring/contract/help/placeholders';
import { plainText } from '@mooring/contract/shared/markdown';
import { textOf } from '../../platform/texts/texts.ts';

export type HelpLang = 'en' | 'zh-CN';
export const langOf = (lang: string): HelpLang => (/^zh/i.test(lang) ? 'zh-CN' : 'en');

/** What the console calls something; nothing where the words need a value. */
export function wordIn(lang: string, key: string): string | undefined {
  const text = textOf(lang, key)?.text;
  return text === undefined || text.includes('{') ? undefined : text;
}
export const said = (lang: string, text: string): string => withWords(text, (key) => wordIn(lang, key));

/** An article as it is read in a language; nothing where it isn't written in it. */
export interface Said {
  readonly title: string;
  readonly body: string;
}
export const saidIn = (lang: string, title: string, body: string): Said | null =>
  body === '' ? null : { title: said(lang, title), body: said(lang, body) };

/** Counted up when `searched` makes something else of the same text. */
export const SEARCHED = 1;
/** What is searched of an article: its words without its markup. */
export const searched = (text: Said | null): string => (text === null ? '' : `${text.title}\n${plainText(text.body)}`);
