import { awsCalls, IotRegistration } from '@mooring/contract/customer/registration';
import { iotRegistrationMachine } from '@mooring/contract/customer/state-machines';
import { useState } from 'react';
import { useProducts, useTerminals } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { bulkAct } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { MultiSelect, RadioGroup } from '../../ui/controls.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT, wordsOf } from '../../ui/words.ts';
import { Reason } from './acts.tsx';

type Chosen = { readonly ids: readonly number[] } | { readonly criteria: object; readonly except: readonly number[] };

/** All of the organisation, or some by their serial numbers. */
function WhichControl({ value, onChange, onBlur, disabled }: ControlPart<Chosen | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const [some, setSome] = useState(true);
  const ids = value && 'ids' in value ? value.ids : [];
  const offered = useTerminals(text, ids);
  const choose = (which: 'all' | 'some') => {
    setSome(which === 'some');
    onChange(which === 'all' ? { criteria: {}, except: [] } : undefined);
  };
  return (
    <div className="m-stack-tight">
      <RadioGroup
        label={t('iotRegistration.register.which')}
        value={some ? 'some' : 'all'}
        onChange={choose}
        disabled={disabled}
        options={(['some', 'all'] as const).map((one) => ({ value: one, label: t(`iotRegistration.register.which.${one}`) }))}
      />
      {some ? (
        <MultiSelect
          label={t('iotRegistration.register.which.some')}
          value={ids}
          onChange={(next) => onChange(next.length === 0 ? undefined : { ids: next })}
          onBlur={onBlur}
          onSearch={setText}
          busy={offered.busy}
          disabled={disabled}
          options={offered.choices.map((one) => ({ value: Number(one.value), label: wordsOf(one.label) }))}
        />
      ) : null}
    </div>
  );
}

function Register({ customerId, onClose }: { customerId: number; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title="iotRegistration.register"
      call={awsCalls.register}
      submit="iotRegistration.register"
      about={<p className="m-muted">{t('iotRegistration.register.about')}</p>}
      initial={{ customerId }}
      fields={[{ name: 'of', label: 'iotRegistration.register.which', Control: WhichControl, wide: true }]}
      onClose={onClose}
      onDone={({ done }) => toast('done', t('iotRegistration.registered', { n: done }))}
    />
  );
}

const registrations = listOf(IotRegistration, awsCalls, {
  code: 'customer.registrations',
  texts: { add: 'iotRegistration.register', edit: 'iotCustomer.edit', delete: 'iotCustomer.delete' },
  columns: [
    {
      key: 'sn',
      width: 190,
      link: ({ deviceId }: { readonly deviceId: number | null }) => (deviceId === null ? undefined : `/device/deviceDetail/${deviceId}`),
    },
    { key: 'state', width: 150 },
    { key: 'reason', width: 300, cell: ({ reason }) => <Reason of={reason} /> },
    { key: 'productName', width: 170 },
    { key: 'registeredAt', width: 170 },
    { key: 'createdAt', width: 170 },
    off('thingName'),
  ],
  filters: [
    { field: 'state', label: 'iotRegistration.state', machine: iotRegistrationMachine },
    { field: 'productId', label: 'device.product', useChoices: useProducts },
  ],
  bulk: [
    bulkAct(awsCalls.retry, {
      label: 'iotRegistration.retry',
      icon: 'retry',
      text: 'iotRegistration.retry.about',
      successText: 'iotRegistration.retried',
    }),
    bulkAct(awsCalls.revoke, {
      label: 'iotRegistration.revoke',
      icon: 'cancel',
      danger: true,
      text: 'iotRegistration.revoke.about',
      successText: 'iotRegistration.revoked',
    }),
  ],
  nameOf: (row) => row.sn,
  empty: { title: 'iotRegistration.empty', text: 'iotRegistration.emptyText', icon: 'device' },
});

/** Terminals at one AWS account. */
export function RegistrationsOf({ row }: { row: { readonly id: number } }) {
  const t = useT();
  const [registering, setRegistering] = useState(false);
  return (
    <div className="m-stack">
      {mayCall(awsCalls.register) ? (
        <div className="m-row m-row-wrap">
          <Button icon="add" look="primary" onClick={() => setRegistering(true)}>
            {t('iotRegistration.register')}
          </Button>
        </div>
      ) : null}
      <ListView spec={registrations} fixed={{ customerId: row.id }} queryPrefix="t." />
      {registering ? <Register customerId={row.id} onClose={() => setRegistering(false)} /> : null}
    </div>
  );
}
