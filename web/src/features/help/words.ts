import { withWords } from '@mooring/contract/help/placeholders';
import { useMemo } from 'react';
import { useStore } from '../../ui/store.ts';
import { type Speech, speech } from '../../ui/words.ts';

const saidBy =
  ({ texts }: Speech) =>
  (text: string): string =>
    withWords(text, (key) => (texts[key]?.includes('{') ? undefined : texts[key]));

/** What an article says to this reader, with the console's own labels as this reader sees them. */
export function useWords(): (text: string) => string {
  const now = useStore(speech);
  return useMemo(() => saidBy(now), [now]);
}

/** What an article is called, for words that are said once. */
export const nameOf = (row: { readonly title: string }): string => saidBy(speech.get())(row.title);
