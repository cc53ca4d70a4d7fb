import type { RowOf } from '@mooring/contract/kit/entity';
import type { Order } from '@mooring/contract/order/calls';
import { Tag } from '../../ui/status-tag.tsx';
import { useFormat, useT } from '../../ui/words.ts';

export type Row = RowOf<typeof Order>;
export const orderPath = ({ id }: { readonly id: number }) => `/orderDetail/${id}`;

/** What it costs, once that is known. */
export function Total({ row: { total, currency } }: { row: Pick<Row, 'total' | 'currency'> }) {
  const format = useFormat();
  return total === 0 ? '–' : format.money(total / 100, currency);
}

/** A day, as it is written here, and whether it is over. */
export function Due({ row: { dueOn, late } }: { row: Pick<Row, 'dueOn' | 'late'> }) {
  const t = useT();
  const format = useFormat();
  if (dueOn === null) return '–';
  return (
    <span className="m-row">
      {format.moment(dueOn, 'date', 'UTC')}
      {late ? <Tag tone="danger">{t('order.lateBy')}</Tag> : null}
    </span>
  );
}
