import { useMemo } from 'react';
import { languages } from '../../kit/language.ts';
import { useStore } from '../../ui/store.ts';
import { speech } from '../../ui/words.ts';

/** What a language is called in the reader's own. */
export function useLanguageName(): (tag: string) => string {
  const { lang } = useStore(speech);
  return useMemo(() => {
    const names = new Intl.DisplayNames([lang], { type: 'language', fallback: 'code' });
    return (tag) => {
      try {
        return names.of(tag) ?? tag;
      } catch {
        return tag;
      }
    };
  }, [lang]);
}

/** Those of the console, which people may choose among. */
export const useLanguageTags = (): readonly string[] => useStore(languages).map(({ langCode }) => langCode);
