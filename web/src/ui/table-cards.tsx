import { isOwnClick, RowCheck } from './row-parts.tsx';
import type { TableProps } from './table.tsx';
import { useT } from './words.ts';

/** The list on a phone: a card a row, the first column as its title. */
export function TableCards<R>({ label, columns, rows, idOf, nameOf, selection, acts, current, onPick, dim }: TableProps<R>) {
  const t = useT();
  const [head, ...rest] = columns;
  return (
    <ul className={`m-cards${dim ? ' m-table-dim' : ''}`} aria-label={label}>
      {rows.map((row) => {
        const id = idOf(row);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: a short cut for the pointer; its link is in the card's title
          <li
            key={id}
            className={`m-card${selection?.has(row) ? ' m-chosen' : ''}`}
            {...(current === id ? { 'data-current': true } : {})}
            onClick={(event) => onPick && !isOwnClick(event) && onPick(row)}
          >
            <div className="m-card-head">
              {selection ? (
                <RowCheck
                  value={selection.has(row)}
                  onChange={() => selection.toggle(row, false)}
                  label={t('kit.table.selectRow', { name: nameOf(row) })}
                />
              ) : null}
              <div className="m-grow m-card-title">{head?.cell(row)}</div>
              {acts?.(row)}
            </div>
            <dl>
              {rest.map((column) => (
                <div key={column.key}>
                  <dt>{column.title}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
