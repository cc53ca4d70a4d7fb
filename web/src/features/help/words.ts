import { withWords } from '@mooring/contract/help/placeholders';
import { useMemo } from 'react';
import { useStore } from '../../ui/store.ts';
import { speech } from '../../ui/words.ts';

/** What an article says to this reader, with the console's own labels as this reader sees them. */
export function useWords(): (text: string) => string {
  const { texts } = useStore(speech);
  return useMemo(() => (text: string) => withWords(text, (key) => (texts[key]?.includes('{') ? undefined : texts[key])), [texts]);
}
