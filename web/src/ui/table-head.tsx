import { isRightToLeft } from '@mooring/contract/shared/format';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import type { Sort, TableColumn } from './table.tsx';
import { speech, useT } from './words.ts';

interface HeadProps<R> {
  column: TableColumn<R>;
  width: number;
  sort: Sort | undefined;
  onSort: ((key: string) => void) | undefined;
  onResize: ((key: string, width: number) => void) | undefined;
  className?: string;
  style?: CSSProperties;
}

const STEP = 16;

export function ColumnHead<R>({ column, width, sort, onSort, onResize, className, style }: HeadProps<R>) {
  const t = useT();
  const order = sort?.key === column.key ? sort.order : undefined;
  const sorted = order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : 'none';
  return (
    <th
      scope="col"
      className={`${className ?? ''}${column.end ? ' m-num' : ''}`}
      style={style}
      {...(column.sortable ? { 'aria-sort': sorted } : {})}
    >
      {column.sortable && onSort ? (
        <button
          type="button"
          className="m-plain m-head-button"
          onClick={() => onSort(column.key)}
          title={t('kit.table.sortBy', { name: column.title })}
        >
          <span className="m-clip">{column.title}</span>
          <span className="m-sort" aria-hidden="true">
            {order ? <Icon name={order} /> : null}
          </span>
        </button>
      ) : column.title === '' ? (
        // What a row offers: the eye sees what it is.
        <span className="m-hidden">{t('kit.table.acts')}</span>
      ) : (
        <span className="m-clip m-head-text" title={column.title}>
          {column.title}
        </span>
      )}
      {onResize ? <Grip column={column} width={width} onResize={onResize} /> : null}
    </th>
  );
}

/** Dragged, or moved with the arrow keys. */
function Grip<R>({ column, width, onResize }: { column: TableColumn<R>; width: number; onResize: (key: string, width: number) => void }) {
  const t = useT();
  const from = useRef({ x: 0, width: 0 });
  const [line, setLine] = useState<number>();
  const least = column.minWidth ?? 60;
  const sign = () => (isRightToLeft(speech.get().lang) ? -1 : 1);
  const widthAt = (x: number) => Math.min(1200, Math.max(least, Math.round(from.current.width + (x - from.current.x) * sign())));
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width };
    setLine(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    onResize(column.key, Math.max(least, width + step * sign()));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be dragged
    <span
      className={`m-grip${line === undefined ? '' : ' m-grip-on'}`}
      role="separator"
      aria-orientation="vertical"
      tabIndex={0}
      aria-label={t('kit.table.resize', { name: column.title })}
      aria-valuenow={Math.round(width)}
      aria-valuemin={least}
      aria-valuemax={1200}
      style={line ? { transform: `translateX(${line}px)` } : undefined}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => line !== undefined && setLine((widthAt(event.clientX) - from.current.width) * sign())}
      onPointerUp={(event) => {
        if (line !== undefined) {
          setLine(undefined);
          const next = widthAt(event.clientX);
          if (next !== Math.round(width)) onResize(column.key, next);
        }
      }}
      onPointerCancel={() => setLine(undefined)}
      onKeyDown={onKeyDown}
    />
  );
}
