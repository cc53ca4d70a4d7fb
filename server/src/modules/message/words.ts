import type { TextKey } from '@mooring/contract/texts';
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

/** What a message says to a reader of this language. */
export function wordsOf(row: Row, lang: string): { title: string; text: string } {
  if (!row.text_key) return { title: row.title, text: row.body };
  const params = spoken(row.params as Record<string, string | number>, lang);
  const key = (part: 'title' | 'text') => `message.say.${row.text_key}.${part}` as TextKey;
  return { title: t(lang, key('title'), params), text: t(lang, key('text'), params) };
}
