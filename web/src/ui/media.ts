import { useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (hear) => {
      const media = matchMedia(query);
      media.addEventListener('change', hear);
      return () => media.removeEventListener('change', hear);
    },
    () => matchMedia(query).matches,
  );
}

/** Phones: tables become cards, the menu a drawer. */
export const useNarrow = (): boolean => useMedia('(max-width: 719px)');
