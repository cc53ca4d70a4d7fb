import { textTables } from '@mooring/contract/texts';
import { IntlMessageFormat } from 'intl-messageformat';

const columns: Record<string, 0 | 1> = { en: 0, zh: 1 };
const texts = new Map(Object.values(textTables).flatMap((table) => Object.entries<readonly [string, string]>(table)));
const formats = new Map<string, IntlMessageFormat>();

/** Chinese for any Chinese, English for every other language (specification, section 1). */
export const columnOf = (lang: string): 0 | 1 => columns[lang.slice(0, 2).toLowerCase()] ?? 0;

/** A text in the person's language; the key itself where there is none, so that a gap is seen and nothing fails. */
export function say(lang: string, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  const text = texts.get(key)?.[columnOf(lang)];
  if (text === undefined) return key;
  const id = `${columnOf(lang)}:${key}`;
  const format = formats.get(id) ?? new IntlMessageFormat(text, columnOf(lang) === 1 ? 'zh-CN' : 'en');
  formats.set(id, format);
  try {
    return String(format.format(params));
  } catch {
    // A text that wants a value nobody gave is still better than a failed answer.
    return text;
  }
}
