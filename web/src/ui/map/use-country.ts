import { useEffect, useMemo, useState } from 'react';
import { useStore } from '../store.ts';
import { speech } from '../words.ts';
import type { CountryOf } from './country-of.ts';

/** What the country at a place is called in the reader's language; undefined at sea, and until the base map is here. */
export function useCountry(): (lat: number, lon: number) => string | undefined {
  const { lang } = useStore(speech);
  const [find, setFind] = useState<CountryOf>();
  useEffect(() => {
    let isHere = true;
    import('./country-of.ts')
      .then(({ loadCountries }) => loadCountries())
      .then((found) => isHere && setFind(() => found))
      // Without the base map the numbers stand alone.
      .catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, []);
  return useMemo(() => {
    const names = new Intl.DisplayNames([lang], { type: 'region', fallback: 'none' });
    return (lat, lon) => {
      const code = find?.(lat, lon);
      return code === undefined ? undefined : names.of(code);
    };
  }, [find, lang]);
}
