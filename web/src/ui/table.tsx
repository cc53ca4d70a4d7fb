import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { look } from './look.ts';
import { useNarrow } from './media.ts';
import { RowCheck } from './row-parts.tsx';
import { ScrollRegion } from './scroll-region.tsx';
import { useStore } from './store.ts';
import { TableCards } from './table-cards.tsx';
import { fitWidths, windowOf } from './table-fit.ts';
import { ColumnHead } from './table-head.tsx';
import { type Pinned, TableRow } from './table-row.tsx';
import { sizes } from './tokens.ts';
import { useT } from './words.ts';
import './table.css';

export type RowId = string | number;
export interface Sort {
  readonly key: string;
  readonly order: 'asc' | 'desc';
}
export interface TableColumn<R> {
  readonly key: string;
  readonly title: string;
  readonly width: number;
  readonly minWidth?: number | undefined;
  readonly end?: boolean | undefined;
  readonly pinned?: 'left' | 'right' | undefined;
  readonly sortable?: boolean | undefined;
  /** Chosen by the person. */
  readonly resized?: boolean | undefined;
  readonly cell: (row: R) => ReactNode;
}
export interface TableSelection<R> {
  readonly has: (row: R) => boolean;
  readonly toggle: (row: R, range: boolean) => void;
  readonly page: 'all' | 'some' | 'none';
  readonly togglePage: () => void;
}
export interface TableProps<R> {
  label: string;
  columns: readonly TableColumn<R>[];
  rows: readonly R[];
  idOf: (row: R) => RowId;
  nameOf: (row: R) => string;
  sort?: Sort | undefined;
  onSort?: (key: string) => void;
  selection?: TableSelection<R> | undefined;
  acts?: ((row: R) => ReactNode) | undefined;
  singleLine?: boolean;
  /** The row that the address names. */
  current?: RowId | undefined;
  onPick?: ((row: R) => void) | undefined;
  onResize?: (key: string, width: number) => void;
  /** Rows of before while others are on their way. */
  dim?: boolean;
}

const CHECK = 40;
const ACTS = 56;
/** From here on only the rows in view are drawn. */
const VIRTUAL_FROM = 100;

/** How wide the columns are, and where the pinned ones stand. */
function layoutOf<R>(columns: readonly TableColumn<R>[], width: number, checks: boolean, acts: boolean) {
  const extra = (checks ? CHECK : 0) + (acts ? ACTS : 0);
  const widths = fitWidths(
    columns.map((column) => ({ key: column.key, width: column.width, fixed: column.resized ?? false, min: column.minWidth })),
    width - extra,
  );
  const widthOf = (column: TableColumn<R>) => widths[column.key] ?? column.width;
  const lastLeft = columns.findLast((column) => column.pinned === 'left')?.key;
  const before = (at: number, side: 'left' | 'right') =>
    (side === 'left' ? columns.slice(0, at) : columns.slice(at + 1))
      .filter((column) => column.pinned === side)
      .reduce((sum, column) => sum + widthOf(column), side === 'left' ? (checks ? CHECK : 0) : acts ? ACTS : 0);
  const pins = columns.map((column, at): Pinned => {
    const side = column.pinned;
    if (!side) return {};
    return {
      className: `m-pin m-pin-${side}${column.key === lastLeft ? ' m-pin-last' : ''}`,
      style: side === 'left' ? { insetInlineStart: before(at, side) } : { insetInlineEnd: before(at, side) },
    };
  });
  return { widths, total: extra + columns.reduce((sum, column) => sum + widthOf(column), 0), pins };
}

export function Table<R>(props: TableProps<R>) {
  const narrow = useNarrow();
  return narrow ? <TableCards {...props} /> : <Grid {...props} />;
}

function Grid<R>({
  label,
  columns,
  rows,
  idOf,
  nameOf,
  sort,
  onSort,
  selection,
  acts,
  singleLine = true,
  current,
  onPick,
  onResize,
  dim,
}: TableProps<R>) {
  const t = useT();
  const frame = useRef<HTMLElement>(null);
  const [box, setBox] = useState({ width: 0, height: 0 });
  const [scrolled, setScrolled] = useState({ top: 0, start: false, end: false });
  const rowHeight = sizes[useStore(look).density].row;

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      setBox({ width: element.clientWidth, height: element.clientHeight });
      setScrolled({
        top: element.scrollTop,
        start: Math.abs(element.scrollLeft) > 1,
        end: Math.abs(element.scrollLeft) + element.clientWidth < element.scrollWidth - 1,
      });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const virtual = rows.length > VIRTUAL_FROM;
  const view = virtual ? windowOf(rows.length, rowHeight, scrolled.top, box.height) : { first: 0, last: rows.length };
  const [checks, hasActs] = [selection !== undefined, acts !== undefined];
  const { widths, total, pins } = useMemo(() => layoutOf(columns, box.width, checks, hasActs), [columns, box.width, checks, hasActs]);

  const onScroll = () => {
    const element = frame.current;
    if (!element) return;
    const next = {
      top: virtual ? element.scrollTop : 0,
      start: Math.abs(element.scrollLeft) > 1,
      end: Math.abs(element.scrollLeft) + element.clientWidth < element.scrollWidth - 1,
    };
    setScrolled((now) => (now.start === next.start && now.end === next.end && Math.abs(now.top - next.top) < rowHeight ? now : next));
  };

  return (
    <ScrollRegion
      frameRef={frame}
      className={`m-table-frame${scrolled.start ? ' m-shade-start' : ''}${scrolled.end ? ' m-shade-end' : ''}`}
      onScroll={onScroll}
      label={label}
    >
      <table
        className={`m-table${singleLine || virtual ? ' m-table-single' : ''}${dim ? ' m-table-dim' : ''}`}
        style={{ inlineSize: Math.max(total, box.width) }}
        aria-rowcount={rows.length + 1}
      >
        <caption className="m-hidden">{label}</caption>
        <colgroup>
          {selection ? <col style={{ width: CHECK }} /> : null}
          {columns.map((column) => (
            <col key={column.key} style={{ width: widths[column.key] }} />
          ))}
          {acts ? <col style={{ width: ACTS }} /> : null}
        </colgroup>
        <thead>
          <tr>
            {selection ? (
              <th className="m-pin m-pin-left m-check" style={{ insetInlineStart: 0 }}>
                <RowCheck
                  value={selection.page === 'all'}
                  part={selection.page === 'some'}
                  onChange={selection.togglePage}
                  label={t('kit.table.selectPage')}
                />
              </th>
            ) : null}
            {columns.map((column, at) => (
              <ColumnHead
                key={column.key}
                column={column}
                width={widths[column.key] ?? column.width}
                sort={sort}
                onSort={onSort}
                onResize={onResize}
                {...pins[at]}
              />
            ))}
            {acts ? (
              <th className="m-pin m-pin-right m-acts" style={{ insetInlineEnd: 0 }}>
                <span className="m-hidden">{t('kit.table.acts')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {view.first > 0 ? (
            <tr>
              <td style={{ blockSize: view.first * rowHeight, padding: 0 }} colSpan={columns.length + 2} />
            </tr>
          ) : null}
          {rows.slice(view.first, view.last).map((row, at) => {
            const id = idOf(row);
            return (
              <TableRow
                key={id}
                row={row}
                index={view.first + at + 2}
                name={nameOf(row)}
                columns={columns}
                pins={pins}
                selection={selection}
                chosen={selection?.has(row) ?? false}
                isCurrent={current === id}
                acts={acts}
                onPick={onPick}
              />
            );
          })}
          {view.last < rows.length ? (
            <tr>
              <td style={{ blockSize: (rows.length - view.last) * rowHeight, padding: 0 }} colSpan={columns.length + 2} />
            </tr>
          ) : null}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
