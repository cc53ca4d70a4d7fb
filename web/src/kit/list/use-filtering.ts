import type { Call } from '@mooring/contract/kit/call';
import { useMemo } from 'react';
import { useFormat } from '../../ui/words.ts';
import { chooseSearch, goSearch, searchNow, useView } from '../view.ts';
import { type Criteria, queryIn, readCriteria, withQuery, writeCriteria } from './list-url.ts';
import type { ListSpec } from './types.ts';

/** What the address asks of a list, for the list itself and for whatever else shows the same rows. */
export function useFiltering<C extends Call, S extends Pick<ListSpec<C>, 'call'>>(spec: S, queryPrefix = '') {
  const view = useView();
  const { timeZone } = useFormat();
  const { search } = view;
  const chosen = useMemo(() => readCriteria(spec.call, search, timeZone, queryPrefix), [spec.call, search, timeZone, queryPrefix]);
  const filter = (change: Criteria) => chooseSearch(view, writeCriteria(searchNow(view), change, timeZone, queryPrefix));
  return {
    spec,
    view,
    chosen,
    /** What the address says of this list, also what its call doesn't take. */
    at: (name: string) => search.get(queryPrefix + name),
    filter,
    clearFilters: () => filter(Object.fromEntries(Object.keys(chosen).map((field) => [field, undefined]))),
    /** Its filters and order as a view keeps them. */
    query: useMemo(() => queryIn(spec.call, search, queryPrefix), [spec.call, search, queryPrefix]),
    /** Goes to the filters and order of a view; answers those that it takes no more. */
    openQuery: (query: string): readonly string[] => {
      const { search: next, lost } = withQuery(spec.call, searchNow(view), query, timeZone, queryPrefix);
      goSearch(view, next);
      return lost;
    },
  };
}
