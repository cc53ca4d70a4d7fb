import type { TextKey } from '@mooring/contract/texts';
import { english } from '../../platform/texts/texts.ts';
import { t } from '../../platform/texts/translate.ts';

interface Row {
  readonly text_key: string | null;
  readonly params: unknown;
  readonly title: string;
  readonly body: string;
}
/** `settingKey` is the key of a text, which `setting` says in the reader's language; messages of before name none. */
function spoken(params: Record<string, string | number>, lang: string): Record<string, string | number> {
  const keys = Object.entries({ settingKey: 'change.target', ...params }).filter(([name]) => name.endsWith('Key'));
  return { ...params, ...Object.fromEntries(keys.map(([name, key]) => [name.slice(0, -'Key'.length), t(lang, String(key), params)])) };
}

const SAYS = /^message\.say\.(\w+)\./;
const names = new Set([...english.keys()].flatMap((key) => SAYS.exec(key)?.[1] ?? []));
/** By what the system says: its words in this language, by the name of each message. */
export const sayings = (lang: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...names].map((name) => [name, ['title', 'text'].map((part) => t(lang, `message.say.${name}.${part}`)).join(' ')]));

/** What a message says to a reader of this language. */
export function wordsOf(row: Row, lang: string): { title: string; text: string } {
  if (!row.text_key) return { title: row.title, text: row.body };
  const params = spoken(row.params as Record<string, string | number>, lang);
  const key = (part: 'title' | 'text') => `message.say.${row.text_key}.${part}` as TextKey;
  return { title: t(lang, key('title'), params), text: t(lang, key('text'), params) };
}
