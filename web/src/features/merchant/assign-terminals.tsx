import { merchantCalls } from '@mooring/contract/merchant/calls';
import { useState } from 'react';
import { ShopControl } from '../../kit/assign-merchant.tsx';
import { useTerminals } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { MultiSelect } from '../../ui/controls.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT, wordsOf } from '../../ui/words.ts';

type Chosen = { readonly ids: readonly number[] };

function TerminalsControl({ value, onChange, onBlur, disabled }: ControlPart<Chosen | undefined>) {
  const [text, setText] = useState('');
  const ids = value?.ids ?? [];
  const { choices, busy } = useTerminals(text, ids);
  return (
    <MultiSelect
      value={ids}
      onChange={(next) => onChange(next.length === 0 ? undefined : { ids: next })}
      onBlur={onBlur}
      onSearch={setText}
      busy={busy}
      disabled={disabled}
      options={choices.map((one) => ({ value: one.value, label: wordsOf(one.label) }))}
    />
  );
}

/** Terminals come to a merchant from the merchant's own page. */
export function AssignTerminals({ merchantId, onClose }: { merchantId: number; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title="merchant.assign.terminals"
      call={merchantCalls.assign}
      submit="merchant.assign.take"
      about={<p className="m-muted">{t('merchant.assign.elsewhere')}</p>}
      initial={{ merchantId }}
      fields={[
        { name: 'of', label: 'merchant.terminals', Control: TerminalsControl, wide: true },
        { name: 'shopId', label: 'merchant.assign.shop', Control: ShopControl, wide: true },
      ]}
      onClose={onClose}
      onDone={({ done }) => done > 0 && toast('done', t('device.done.assignedMany', { done }))}
    />
  );
}
