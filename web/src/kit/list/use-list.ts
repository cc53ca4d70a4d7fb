import type { Call, InputOf } from '@mooring/contract/kit/call';
import { PAGE_SIZE_MAX, type Page, type PageInput } from '@mooring/contract/kit/page';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RowId, Sort } from '../../ui/table.tsx';
import { type Asked, useCall } from '../queries.ts';
import { chooseSearch, searchNow } from '../view.ts';
import { type Criteria, querySchema } from './list-url.ts';
import * as selecting from './selection.ts';
import type { ListSpec, RowOf } from './types.ts';
import { useFiltering } from './use-filtering.ts';
import { useTableConfig } from './use-table-config.ts';

type Cursor = Pick<PageInput, 'after' | 'before'>;

export interface ListOptions {
  /** Criteria that the place sets and nobody changes: the rows of this device. */
  fixed?: Criteria | undefined;
  /** Set before the list's words in the address, where a page holds several lists. */
  queryPrefix?: string | undefined;
}

const rowId = (row: unknown): RowId => {
  const { id, sn, code } = row as { id?: RowId; sn?: string; code?: string };
  return id ?? sn ?? code ?? '';
};

/** A list apart from its view: state in the address, rows, selection, settings. */
export function useList<C extends Call>(spec: ListSpec<C>, { fixed, queryPrefix = '' }: ListOptions = {}) {
  type Row = RowOf<C>;
  const filtering = useFiltering<C, ListSpec<C>>(spec, queryPrefix);
  const { view, chosen, at } = filtering;
  const config = useTableConfig(spec.code, spec.columns);
  const { search } = view;
  const criteria = useMemo(() => ({ ...chosen, ...fixed }), [chosen, fixed]);
  const offered = useMemo(() => querySchema(spec.call).page, [spec.call]);
  const sort = useMemo((): Sort => {
    const first = offered.sort?.safeParse(undefined).data as string;
    const text = search.get(`${queryPrefix}sort`) ?? spec.sort;
    const key = text?.replace(/^-/, '');
    if (text && offered.sort?.safeParse(key).success) return { key: key as string, order: text.startsWith('-') ? 'desc' : 'asc' };
    return { key: first, order: (offered.order?.safeParse(undefined).data as 'asc' | 'desc') ?? 'asc' };
  }, [offered, search, queryPrefix, spec.sort]);
  const size = Math.min(PAGE_SIZE_MAX, Math.max(1, Number(at('size')) || config.choice.size));
  const wanted = at('page');
  // Behind 10,000 counted rows pages have no number: they are counted from the end, `last`, `last-1`, …
  const fromEnd = wanted === 'last' ? 0 : Number(/^last-(\d+)$/.exec(wanted ?? '')?.[1] ?? Number.NaN);
  const isFromEnd = Number.isInteger(fromEnd);
  const number = Math.max(1, Number(wanted) || 1);

  // Keyset cursors under the page numbers: walking on or back reads from the row where the page before ended.
  const cursors = useRef(new Map<string, Cursor>());
  const place = JSON.stringify([criteria, sort, size]);
  const cursor = cursors.current.get(`${place}#${isFromEnd ? wanted : number}`);
  const last = isFromEnd && cursor === undefined;
  const page = {
    size,
    number: isFromEnd ? 1 : number,
    sort: sort.key,
    order: sort.order,
    ...(last ? { last } : isFromEnd || number > 1 ? cursor : {}),
  };
  const [rowsShown, setRowsShown] = useState<readonly Row[]>([]);
  // Asked for beside the person's settings, which rarely name another size, and drawn once those are here.
  const found = useCall(spec.call, { criteria, page } as InputOf<C>, { keep: true, every: spec.every?.(rowsShown) }) as Asked<unknown>;
  const asked = config.ready ? found : { ...found, data: undefined, loading: true };
  const data = asked.data as Page<Row> | undefined;
  const rows = useMemo(() => data?.content ?? [], [data]);
  const atEnd = isFromEnd && (data?.capped ?? false);
  const shownNumber = isFromEnd ? (data?.number ?? 1) : number;

  useEffect(() => {
    setRowsShown(rows);
    if (!data || asked.outdated) return;
    if (atEnd) {
      if (data.prev) cursors.current.set(`${place}#last-${fromEnd + 1}`, { before: data.prev });
      return;
    }
    if (data.next) cursors.current.set(`${place}#${shownNumber + 1}`, { after: data.next });
    if (data.prev && shownNumber > 1) cursors.current.set(`${place}#${shownNumber - 1}`, { before: data.prev });
  }, [data, rows, asked.outdated, place, shownNumber, atEnd, fromEnd]);

  /** Whether somebody works in it already: nothing opens over that by itself. */
  const inHand = useRef(false);
  const [selection, setSelection] = useState(selecting.nothing);
  const invalidated = useRef<RowId>(undefined);
  const key = JSON.stringify(criteria);
  const lastKey = useRef(key);
  const awaited = useRef(false);
  useEffect(() => {
    // What was chosen belongs to what was looked for, and the rows of before are shown until the answer comes.
    if (lastKey.current !== key) {
      lastKey.current = key;
      awaited.current = asked.outdated;
      setSelection(selecting.nothing);
    } else if (awaited.current && !asked.outdated) {
      awaited.current = false;
      setSelection((now) => selecting.among(now, rows.map(rowId)));
    }
  }, [key, asked.outdated, rows]);

  const nameOf = useCallback(
    (row: Row) => spec.nameOf?.(row) ?? String((row as Record<string, unknown>)[spec.columns[0]?.key ?? 'id'] ?? ''),
    [spec],
  );
  const named = (row: Row) => ({ id: rowId(row), name: nameOf(row) });

  const put = (name: string, value: string | undefined, replace = true) => {
    const next = searchNow(view);
    if (value === undefined) next.delete(queryPrefix + name);
    else next.set(queryPrefix + name, value);
    if (name === 'sort' || name === 'size') next.delete(`${queryPrefix}page`);
    chooseSearch(view, next, replace);
  };

  return {
    ...filtering,
    asked,
    data,
    rows,
    criteria,
    sort,
    size,
    config,
    nameOf,
    idOf: rowId as (row: Row) => RowId,
    number: shownNumber,
    /** Pages from the end, where they have no number. */
    fromEnd: atEnd ? fromEnd : undefined,
    current: at('row') ?? undefined,
    inHand,
    sortBy: (by: string) => put('sort', sort.key === by ? (sort.order === 'asc' ? `-${by}` : by) : by),
    go: (to: number) => put('page', to <= 1 ? undefined : String(to), false),
    goLast: () => put('page', 'last', false),
    goFromEnd: (back: number) => put('page', back <= 0 ? 'last' : `last-${back}`, false),
    resize: (next: number) => {
      config.change({ ...config.choice, size: next });
      put('size', undefined);
    },
    pick: (row: Row | undefined) => put('row', row === undefined ? undefined : String(rowId(row))),
    selection,
    setSelection,
    selectedCount: selecting.countOf(selection, data?.total ?? 0),
    tableSelection: {
      has: (row: Row) => selecting.has(selection, rowId(row)),
      toggle: (row: Row, range: boolean) => {
        const chosenNow = !selecting.has(selection, rowId(row));
        const hit = range ? selecting.between(rows.map(named), invalidated.current, rowId(row)) : [named(row)];
        invalidated.current = rowId(row);
        setSelection((now) => selecting.setRows(now, hit, chosenNow));
      },
      page: selecting.pageState(selection, rows.map(named)),
      togglePage: () => setSelection((now) => selecting.setRows(now, rows.map(named), selecting.pageState(now, rows.map(named)) !== 'all')),
    },
  };
}
export type List<C extends Call = Call> = ReturnType<typeof useList<C>>;
