import { merchantCalls } from '@mooring/contract/merchant/calls';
import { useEffect, useRef, useState } from 'react';
import { Select } from '../ui/controls.tsx';
import { wordsOf } from '../ui/words.ts';
import { useMerchants, useShopsOf } from './choices.ts';
import type { ControlPart } from './form/types.ts';
import { bulkAct } from './list/types.ts';

/** The shops of the merchant that the form has chosen; another merchant's shop isn't kept. */
export function ShopControl({ value, onChange, onBlur, values, disabled }: ControlPart<number | null | undefined>) {
  const [text, setText] = useState('');
  // A row that has none says null, a form that nothing was chosen in nothing.
  const merchantId = (values.merchantId as number | null | undefined) ?? undefined;
  const { choices, busy } = useShopsOf(merchantId, text);
  const last = useRef(merchantId);
  useEffect(() => {
    if (last.current !== merchantId) onChange(undefined);
    last.current = merchantId;
  }, [merchantId, onChange]);
  return (
    <Select
      value={value ?? undefined}
      onChange={onChange}
      onBlur={onBlur}
      onSearch={setText}
      busy={busy}
      disabled={disabled || merchantId === undefined}
      options={choices.map((one) => ({ value: one.value, label: wordsOf(one.label) }))}
      clear
    />
  );
}

/** Terminals get a merchant and a shop of it. */
export const assignMerchant = bulkAct(merchantCalls.assign, {
  label: 'device.bulk.assign',
  icon: 'merchant',
  successText: 'device.done.assignedMany',
  text: 'merchant.assign.elsewhere',
  form: {
    fields: [
      { name: 'merchantId', label: 'merchant.assign.merchant', kind: 'one', useChoices: useMerchants },
      { name: 'shopId', label: 'merchant.assign.shop', Control: ShopControl },
    ],
    initial: {},
  },
});
export const unassignMerchant = bulkAct(merchantCalls.assign, {
  key: 'unassign',
  label: 'device.bulk.unassign',
  successText: 'device.done.unassignedMany',
  extra: { merchantId: null },
});
