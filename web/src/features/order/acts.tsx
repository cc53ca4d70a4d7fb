import { orderCalls } from '@mooring/contract/order/calls';
import { type ReactNode, useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { download } from '../../kit/downloads.ts';
import { useRowActs } from '../../kit/list/row-acts.tsx';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { go } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { type T, useFormat, useT } from '../../ui/words.ts';
import { dialogs } from './dialogs.tsx';
import { type Row, totalOf } from './order-cells.tsx';

/** What comes next stands first. */
const ORDER = [
  'accept',
  'receive',
  'approveCosts',
  'declineCosts',
  'acceptWarranty',
  'disputeWarranty',
  'diagnose',
  'quote',
  'repaired',
  'replace',
  'delivered',
  'ship',
  'assign',
  'update',
  'refuse',
  'cancel',
  'document',
  'print',
] as const;
export type OrderAct = (typeof ORDER)[number];
const OPEN = 2;
const dangers: readonly string[] = ['refuse', 'cancel'];
const papers: readonly string[] = ['document', 'print'];

export const labelOf = (t: T, act: OrderAct, row: Row): string =>
  t(act === 'update' ? 'order.edit' : act === 'quote' && row.diagnosis !== '' ? 'order.quote.again' : `order.${act}`);

/** Acts that ask for nothing, or for a yes. */
function usePlain() {
  const t = useT();
  const format = useFormat();
  const about = (row: Row) => t('order.approveCosts.about', { sn: row.sn, total: format.money(totalOf(row) / 100, row.currency) });
  return {
    receive: rowAction<Row, typeof orderCalls.receive>(orderCalls.receive, { label: 'order.receive', successText: 'order.receive.done' }),
    diagnose: rowAction<Row, typeof orderCalls.diagnose>(orderCalls.diagnose, {
      label: 'order.diagnose',
      successText: 'order.diagnose.done',
    }),
    approveCosts: rowAction<Row, typeof orderCalls.approveCosts>(orderCalls.approveCosts, {
      label: 'order.approveCosts',
      successText: 'order.approveCosts.done',
      input: (one) => ({ id: one.id, revision: one.revision, total: totalOf(one), currency: one.currency }),
      confirm: { text: about },
    }),
    acceptWarranty: rowAction<Row, typeof orderCalls.acceptWarranty>(orderCalls.acceptWarranty, {
      label: 'order.acceptWarranty',
      successText: 'order.acceptWarranty.done',
      input: ({ id, revision, diagnosis, warrantyReason }) => ({ id, revision, diagnosis, warrantyReason }),
      confirm: { text: (row) => t('order.acceptWarranty.about', { sn: row.sn }) },
    }),
    delivered: rowAction<Row, typeof orderCalls.delivered>(orderCalls.delivered, {
      label: 'order.delivered',
      successText: 'order.delivered.done',
      confirm: { text: (row) => t('order.delivered.about', { sn: row.replacementSn || row.sn }) },
    }),
  } satisfies Record<string, RowAction<Row>>;
}

/** Begins an act of an order, and gives the dialog that it opens. */
export function useOrderActs(): { start: (act: OrderAct, row: Row) => void; dialog: ReactNode } {
  const acts = useRowActs<Row>((one) => one.number);
  const [doing, setDoing] = useState<{ act: keyof typeof dialogs; row: Row }>();
  const plain = usePlain();
  const start = (act: OrderAct, row: Row) => {
    if (act === 'print') window.print();
    else if (act === 'document') download(orderCalls.document, { id: row.id }, `${row.number}.pdf`);
    else if (act === 'update') go(`/orderEdit/${row.id}`);
    else if (act in plain) acts.start(plain[act as keyof typeof plain], row);
    else setDoing({ act: act as keyof typeof dialogs, row });
  };
  const Doing = doing ? dialogs[doing.act] : undefined;
  const dialog = (
    <>
      {Doing && doing ? <Doing row={doing.row} onClose={() => setDoing(undefined)} /> : null}
      {acts.dialog}
    </>
  );
  return { start, dialog };
}

/** What may be done with an order, as entries of a menu. */
export const orderItems = (t: T, acts: readonly OrderAct[], row: Row, start: (act: OrderAct, row: Row) => void) =>
  acts.map((act) => ({ key: act, label: labelOf(t, act, row), danger: dangers.includes(act), onClick: () => start(act, row) }));
export const allowedActs = (row: Row): readonly OrderAct[] => ORDER.filter((act) => allows(row, act));

/** What this side may do now: the next step as a button that stands out, another one beside it, the rest in a menu. */
export function OrderActs({ row }: { row: Row }) {
  const t = useT();
  const { start, dialog } = useOrderActs();
  const shown = ORDER.filter((act) => papers.includes(act) || allows(row, act));
  const open = shown.filter((act) => !dangers.includes(act) && !papers.includes(act)).slice(0, OPEN);
  const rest = shown.filter((act) => !open.includes(act));
  return (
    <>
      {open.map((act, at) => (
        <Button key={act} look={at === 0 ? 'primary' : 'default'} onClick={() => start(act, row)}>
          {labelOf(t, act, row)}
        </Button>
      ))}
      {rest.length > 0 ? (
        <MenuButton align="end" items={orderItems(t, rest, row, start)}>
          <Button icon="more" of={row.number}>
            {t('kit.more')}
          </Button>
        </MenuButton>
      ) : null}
      {dialog}
    </>
  );
}
