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

/** What is searched of a text: its words as they are read. */
export const searched = (lang: HelpLang, title: string, body: string): string =>
  body === '' ? '' : `${said(lang, title)}\n${plainText(said(lang, body))}`;
