import { merchantCalls } from '@mooring/contract/merchant/calls';
import { useState } from 'react';
import { ShopControl } from '../../kit/assign-merchant.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { MultiSelect } from '../../ui/controls.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';

type Chosen = { readonly ids: readonly number[] };

/** Those that the merchant may have; who stands at another one leaves it, which is said before. */
function TerminalsControl({ value, onChange, onBlur, values, disabled }: ControlPart<Chosen | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const ids = value?.ids ?? [];
  const merchantId = Number(values.merchantId);
  const found = useCall(merchantCalls.terminals, { merchantId, text }, { keep: true });
  const chosen = useCall(merchantCalls.terminals, { merchantId, ids: [...ids] }, { keep: true, enabled: ids.length > 0 });
  const there = (chosen.data ?? []).filter((one) => ids.includes(one.id));
  const rows = [...new Map([...there, ...(found.data ?? [])].map((one) => [one.id, one])).values()];
  const from = [...new Set(there.flatMap((one) => (one.merchantId !== merchantId && one.merchantName !== null ? [one.merchantName] : [])))];
  const leaving = there.filter((one) => one.merchantName !== null && one.merchantId !== merchantId).length;
  return (
    <div className="m-stack-tight">
      <MultiSelect
        value={ids}
        onChange={(next) => onChange(next.length === 0 ? undefined : { ids: next })}
        onBlur={onBlur}
        onSearch={setText}
        busy={found.fetching}
        disabled={disabled}
        options={rows.map(({ id, sn, name, merchantName }) => ({
          value: id,
          label: [sn, name === sn ? undefined : name, merchantName].filter(Boolean).join(' · '),
        }))}
      />
      {leaving > 0 ? (
        <p className="m-small" role="status">
          {t('merchant.assign.leaving', { n: leaving, merchants: from.join(', ') })}
        </p>
      ) : null}
    </div>
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
      about={<p className="m-muted">{t('merchant.assign.own')}</p>}
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
