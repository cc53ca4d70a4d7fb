import { type CSSProperties, memo, type ReactNode } from 'react';
import { isOwnClick, RowCheck } from './row-parts.tsx';
import type { TableColumn, TableSelection } from './table.tsx';
import { useT } from './words.ts';

export interface Pinned {
  readonly className?: string;
  readonly style?: CSSProperties;
}

interface RowProps<R> {
  readonly row: R;
  /** Counted by the screen reader; the head is the first. */
  readonly index: number;
  readonly name: string;
  readonly columns: readonly TableColumn<R>[];
  /** One for each column. */
  readonly pins: readonly Pinned[];
  readonly selection: TableSelection<R> | undefined;
  readonly chosen: boolean;
  readonly isCurrent: boolean;
  readonly acts: ((row: R) => ReactNode) | undefined;
  readonly onPick: ((row: R) => void) | undefined;
}

function Row<R>({ row, index, name, columns, pins, selection, chosen, isCurrent, acts, onPick }: RowProps<R>) {
  const t = useT();
  return (
    <tr
      className={chosen ? 'm-chosen' : undefined}
      aria-rowindex={index}
      {...(selection ? { 'aria-selected': chosen } : {})}
      {...(isCurrent ? { 'data-current': true } : {})}
      onClick={(event) => onPick && !isOwnClick(event) && !getSelection()?.toString() && onPick(row)}
    >
      {selection ? (
        <td
          className="m-pin m-pin-left m-check"
          style={{ insetInlineStart: 0 }}
          onClickCapture={(event) => {
            if (event.shiftKey) {
              event.preventDefault();
              event.stopPropagation();
              selection.toggle(row, true);
            }
          }}
        >
          <RowCheck value={chosen} onChange={() => selection.toggle(row, false)} label={t('kit.table.selectRow', { name })} />
        </td>
      ) : null}
      {columns.map((column, at) => (
        <td key={column.key} className={`${pins[at]?.className ?? ''}${column.end ? ' m-num' : ''}`} style={pins[at]?.style}>
          {column.cell(row)}
        </td>
      ))}
      {acts ? (
        <td className="m-pin m-pin-right m-acts" style={{ insetInlineEnd: 0 }}>
          {acts(row)}
        </td>
      ) : null}
    </tr>
  );
}

/** Scrolling draws the rows that come in and leaves the others alone. */
export const TableRow = memo(Row) as typeof Row;
