import { type FailedDays as Days, deviceCalls } from '@mooring/contract/device/calls';
import { failureFilters, type mapCalls } from '@mooring/contract/device/map/map-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { useMemo } from 'react';
import type { z } from 'zod';
import { type Criteria, readCriteria, writeCriteria } from '../../../kit/list/list-url.ts';
import { chooseSearch, goSearch, searchNow, useView } from '../../../kit/view.ts';
import type { MapView } from '../../../ui/map/map-canvas.tsx';
import { useFormat } from '../../../ui/words.ts';

type FailedDays = z.infer<typeof Days>;
const daysOf = (text: string | null): FailedDays => (text === '1' || text === '30' ? text : '7');
const PLACE = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?),(\d{1,2}(?:\.\d+)?)$/;

export type MapCriteria = NonNullable<InputOf<typeof mapCalls.view>['criteria']>;

/** What the address says: filters, which part of the world, and what is listed below the map. */
export function useMapAddress() {
  const view = useView();
  const { timeZone } = useFormat();
  const { search } = view;
  const all = useMemo(() => readCriteria(deviceCalls.page, search, timeZone), [search, timeZone]);
  const { area, cell, placed, failed, deleted: _deleted, ...chosen } = all;
  const found = PLACE.exec(search.get('at') ?? '');
  const put = (change: Criteria) => chooseSearch(view, writeCriteria(searchNow(view), change, timeZone));
  return {
    active: view.active,
    chosen: chosen as Criteria & MapCriteria,
    area: area as string | undefined,
    cell: cell as string | undefined,
    isUnplaced: placed === false,
    start: found ? { lat: Number(found[1]), lon: Number(found[2]), zoom: Number(found[3]) } : undefined,
    failed: failed as FailedDays | undefined,
    isOfFailures: search.get('show') === 'failures',
    days: daysOf(search.get('days')),
    /** Filters that failures can't be counted by are left. */
    show(of: 'terminals' | 'failures') {
      const gone = Object.keys(all).filter((field) => of === 'terminals' || !Object.hasOwn(failureFilters, field));
      const next = writeCriteria(
        searchNow(view),
        Object.fromEntries(gone.filter((field) => field !== 'below' && field !== 'productId').map((field) => [field, undefined])),
        timeZone,
      );
      if (of === 'failures') next.set('show', of);
      else for (const name of ['show', 'days']) next.delete(name);
      chooseSearch(view, next);
    },
    showDays(days: FailedDays) {
      const next = writeCriteria(searchNow(view), { cell: undefined, failed: undefined }, timeZone);
      if (days === '7') next.delete('days');
      else next.set('days', days);
      chooseSearch(view, next);
    },
    isWithShops: search.get('shops') !== 'off',
    showShops: (isShown: boolean) => {
      const next = searchNow(view);
      if (isShown) next.delete('shops');
      else next.set('shops', 'off');
      chooseSearch(view, next);
    },
    filter: put,
    /** What is listed below the map is one thing at a time. */
    list: (of: { area?: string; cell?: string; placed?: false; failed?: FailedDays }) =>
      put({ area: undefined, cell: undefined, placed: undefined, failed: undefined, ...of }),
    clearFilters: () => put(Object.fromEntries(Object.keys(chosen).map((field) => [field, undefined]))),
    stand: ({ lat, lon, zoom }: MapView) => {
      // Its last move is told when another tab was chosen already.
      if (new URLSearchParams(location.search).has('tab')) return;
      const next = searchNow(view);
      next.set('at', `${lat},${lon},${zoom}`);
      goSearch(view, next);
    },
  };
}
