import { saleCalls } from '@mooring/contract/inventory/sale';
import { dayOf } from '@mooring/contract/shared/date-range';
import { useState } from 'react';
import { SnList } from '../../engines/rollout/sn-list.tsx';
import { useMerchants } from '../../kit/choices.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import { PriceControl } from '../../kit/parts/price-control.tsx';
import { useFormat } from '../../ui/words.ts';
import { SnsDialog } from './sns-dialog.tsx';

interface Item {
  readonly sn: string;
  readonly price: string;
}
const itemOf = (line: string): Item => {
  const [sn = '', ...price] = line.split(/[\s;,]+/).filter(Boolean);
  // More than one piece is no price: it is said, not cut.
  return { sn: sn.toUpperCase(), price: price.join(',') };
};
const lineOf = ({ sn, price }: Item) => (price === '' ? sn : `${sn} ${price}`);
/** A line each, as they were written; the heading of a sheet is none. */
const readLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => lineOf(itemOf(line.replaceAll('"', ''))))
    .filter((line) => line !== '' && !/^SN( |$)/.test(line));

const Items = ({ value, onChange, onBlur }: ControlPart<readonly Item[] | undefined>) => (
  <SnList value={(value ?? []).map(lineOf)} onChange={(lines) => onChange((lines ?? []).map(itemOf))} onBlur={onBlur} read={readLines} />
);

/** Terminals under one document, with a price each or one for all. */
export function SellMany({ onClose }: { onClose: () => void }) {
  const { timeZone } = useFormat();
  const [initial] = useState(() => ({
    soldAt: dayOf(new Date(), timeZone),
    merchantId: null,
    warrantyUntil: null,
    currency: '1',
  }));
  return (
    <SnsDialog
      call={saleCalls.addMany}
      title="sale.addMany.title"
      submit="sale.addMany"
      done="sale.addMany.done"
      sns={{ label: 'sale.items', help: 'sale.items.help' }}
      list={{ name: 'items', label: 'sale.items', help: 'sale.items.help', Control: Items, wide: true }}
      wide
      fields={[
        { name: 'merchantId', label: 'sale.merchantId', kind: 'one', useChoices: useMerchants },
        { name: 'buyer', label: 'sale.buyer', help: 'sale.buyer.help' },
        { name: 'number', label: 'sale.number', help: 'sale.number.help' },
        { name: 'soldAt', label: 'sale.soldAt', kind: 'day' },
        { name: 'currency', label: 'sale.currency', kind: 'one', names: 'sale.currency.' },
        { name: 'price', label: 'sale.price.all', help: 'sale.price.all.help', Control: PriceControl, wide: false },
        { name: 'warrantyUntil', label: 'sale.warrantyUntil', kind: 'day' },
        { name: 'remark', label: 'sale.remark', kind: 'area' },
      ]}
      initial={initial}
      onClose={onClose}
    />
  );
}
