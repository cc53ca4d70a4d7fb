import { deviceLogCalls, LOG_SEARCH_HOURS } from '@mooring/contract/device/log/log-calls';
import type { InputOf, OutputOf } from '@mooring/contract/kit/call';
import { useMemo, useState } from 'react';
import { type Criteria, readCriteria, writeCriteria } from '../../../kit/list/list-url.ts';
import { useCall, useCalls } from '../../../kit/queries.ts';
import { chooseSearch, searchNow, useView } from '../../../kit/view.ts';
import { useFormat } from '../../../ui/words.ts';

/** Of several terminals without a period a day is shown, and said; a download has it in its criteria. */
const isOfDay = ({ deviceId, at }: Criteria) => at === undefined && (deviceId === undefined || typeof deviceId === 'object');
const lastDay = (criteria: Criteria): Criteria => {
  const now = Date.now();
  const at = {
    greaterThanOrEqual: new Date(now - LOG_SEARCH_HOURS * 3_600_000).toISOString(),
    lessThanOrEqual: new Date(now).toISOString(),
  };
  return isOfDay(criteria) ? { ...criteria, at } : criteria;
};

type Input = InputOf<typeof deviceLogCalls.page>;
export type Line = OutputOf<typeof deviceLogCalls.page>['content'][number];

const SIZE = 200;
const call = deviceLogCalls.page;

/** What is chosen of a log, in the address. */
export function useLogFilters(fixed: Criteria | undefined, prefix: string) {
  const view = useView();
  const { timeZone } = useFormat();
  const { search } = view;
  const chosen = useMemo(() => readCriteria(call, search, timeZone, prefix), [search, timeZone, prefix]);
  const put = (change: Criteria) => chooseSearch(view, writeCriteria(searchNow(view), change, timeZone, prefix));
  return {
    chosen,
    criteria: useMemo(() => ({ ...chosen, ...fixed }), [chosen, fixed]),
    ofDay: isOfDay({ ...chosen, ...fixed }),
    exported: () => lastDay({ ...chosen, ...fixed }),
    at: (name: string) => search.get(prefix + name),
    filter: put,
    clearFilters: () => put(Object.fromEntries(Object.keys(chosen).map((field) => [field, undefined]))),
  };
}

/** Lines from the newest on, older ones as far as somebody goes, and how many are newer than those that are held still. */
export function useLines(criteria: Criteria) {
  const inputOf = (after?: string): Input => ({ criteria, page: { size: SIZE, ...(after === undefined ? {} : { after }) } }) as Input;
  const key = JSON.stringify(criteria);
  const [held, setHeld] = useState<{ key: string; first: OutputOf<typeof call> }>();
  const [further, setFurther] = useState<{ key: string; cursors: readonly string[] }>({ key, cursors: [] });
  const asked = useCall(call, inputOf(), { keep: true });
  const cursors = further.key === key ? further.cursors : [];
  const older = useCalls(
    call,
    cursors.map((after) => inputOf(after)),
  );
  const isHeld = held !== undefined && held.key === key;
  const first = isHeld ? held.first : asked.data;
  const pages = first ? [first, ...older.flatMap((one) => one.data ?? [])] : [];
  const lines = [...new Map(pages.flatMap((page) => page.content).map((line) => [line.id, line])).values()];
  const known = new Set(lines.map(({ id }) => id));
  const next = pages.at(-1)?.next ?? null;
  const busy = older.some((one) => one.data === undefined);
  return {
    asked,
    lines,
    next,
    busy,
    isHeld,
    newer: isHeld ? (asked.data?.content ?? []).filter(({ id }) => !known.has(id)).length : 0,
    /** Where older lines were asked for, what is above them must not move on by itself: its cursors hang on it. */
    hold: () => setHeld(asked.data && !asked.outdated ? { key, first: asked.data } : undefined),
    release: () => {
      setHeld(undefined);
      setFurther({ key, cursors: [] });
    },
    goFurther: () => {
      if (next === null || busy) return;
      if (!isHeld && asked.data) setHeld({ key, first: asked.data });
      setFurther({ key, cursors: [...cursors, next] });
    },
  };
}
export type Lines = ReturnType<typeof useLines>;
