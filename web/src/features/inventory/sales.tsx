import { Sale, saleCalls } from '@mooring/contract/inventory/sale';
import { saleMachine } from '@mooring/contract/inventory/state-machines';
import type { RowOf } from '@mooring/contract/kit/entity';
import { dayOf } from '@mooring/contract/shared/date-range';
import { useState } from 'react';
import { useMerchants } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { PriceControl } from '../../kit/parts/price-control.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { useFormat } from '../../ui/words.ts';
import { useStocked } from './choices.ts';
import { SellMany } from './sell-many.tsx';

type Row = RowOf<typeof Sale>;

const form = formDialogs(Sale, saleCalls, {
  fields: [
    { name: 'deviceId', kind: 'one', useChoices: useStocked, wide: true },
    { name: 'merchantId', kind: 'one', useChoices: useMerchants },
    'buyer',
    'number',
    { name: 'soldAt', kind: 'day' },
    'currency',
    { name: 'price', Control: PriceControl, wide: false },
    { name: 'warrantyUntil', kind: 'day' },
    { name: 'remark', kind: 'area' },
  ],
  added: 'sale.added',
  texts: { delete: 'dispatch.delete' },
  wide: true,
});
function AddSale({ onClose }: { onClose: () => void }) {
  const { timeZone } = useFormat();
  const [given] = useState(() => ({ soldAt: dayOf(new Date(), timeZone), merchantId: null, warrantyUntil: null }));
  return <form.Add given={given} onClose={onClose} />;
}

const Price = ({ row }: { row: Pick<Row, 'price' | 'currency'> }) => {
  const format = useFormat();
  return row.price === '' ? '–' : format.money(row.price, row.currency);
};
const device = ({ deviceId }: Row) => `/device/deviceDetail/${deviceId}`;

/** Terminals that were issued for good, to whom, at what price and with which warranty. */
export const saleList = listPage(Sale, saleCalls, {
  code: 'inventory.sale',
  texts: { delete: 'dispatch.delete' },
  columns: [
    { key: 'sn', link: device, width: 180 },
    { key: 'number', width: 170 },
    { key: 'state', width: 110 },
    { key: 'merchantName', width: 160 },
    { key: 'buyer', width: 160 },
    { key: 'price', kind: 'number', width: 120, cell: (row) => <Price row={row} /> },
    { key: 'soldAt', width: 120 },
    { key: 'warrantyUntil', width: 130 },
    off('productName'),
    off('deptName'),
    off('returnedAt'),
    off('createdBy'),
    off('createdAt'),
    off('remark'),
  ],
  filters: [
    { field: 'state', label: 'sale.state', machine: saleMachine },
    { field: 'merchantId', label: 'sale.merchantId', useChoices: useMerchants },
    { field: 'soldAt', label: 'sale.soldAt' },
    { field: 'warrantyUntil', label: 'sale.warrantyUntil' },
    { field: 'createdAt', label: 'sale.createdAt' },
  ],
  actions: [
    { key: 'addMany', label: 'sale.addMany', icon: 'upload', call: saleCalls.addMany, Dialog: SellMany },
    { key: 'add', label: 'sale.add', icon: 'add', primary: true, call: saleCalls.add, Dialog: AddSale },
  ],
  edit: form.edit,
  rowActions: [
    rowAction(saleCalls.takeBack, {
      label: 'event.sale.takeBack',
      icon: 'back',
      allowedAction: 'takeBack',
      successText: 'sale.takeBack.done',
      confirm: { text: 'sale.takeBack.about' },
    }),
  ],
  nameOf: (row) => row.sn,
  open: device,
  empty: { title: 'sale.empty', text: 'sale.emptyText', icon: 'sale' },
  slots: { above: form.Edit },
});
