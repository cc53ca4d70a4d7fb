import type { TextKey } from '@mooring/contract/texts';
import { say } from '../../platform/texts/say.ts';

interface Row {
  readonly text_key: string | null;
  readonly params: unknown;
  readonly title: string;
  readonly body: string;
}
/** What a message says to a reader of this language. */
export function wordsOf(row: Row, lang: string): { title: string; text: string } {
  if (!row.text_key) return { title: row.title, text: row.body };
  const params = row.params as Record<string, string | number>;
  const key = (part: 'title' | 'text') => `message.say.${row.text_key}.${part}` as TextKey;
  return { title: say(lang, key('title'), params), text: say(lang, key('text'), params) };
}
