import { IOT_COUNT_CAP } from '@mooring/contract/customer/customer';
import { awsCalls, IotRegistration } from '@mooring/contract/customer/registration';
import { iotRegistrationMachine } from '@mooring/contract/customer/state-machines';
import { useState } from 'react';
import { useGroups, useProducts, useTerminals } from '../../kit/choices.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { bulkAct } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { mayCall } from '../../kit/session.ts';
import { go } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { MultiSelect, RadioGroup } from '../../ui/controls.tsx';
import { Stat } from '../../ui/figures.tsx';
import { toast } from '../../ui/toast.tsx';
import { useFormat, useT, wordsOf } from '../../ui/words.ts';
import { Reason } from './acts.tsx';

const EVERY_SECONDS = 30;
const states = ['registered', 'waiting', 'failed', 'revoking', 'stuck', 'revoked'] as const;
type Chosen = { readonly ids: readonly number[] } | { readonly criteria: object; readonly except: readonly number[] };

const ways = ['some', 'groups', 'all'] as const;
type Way = (typeof ways)[number];
const groupsOf = (value: Chosen | undefined): readonly number[] =>
  value && 'criteria' in value ? ((value.criteria as { groupId?: { in: readonly number[] } }).groupId?.in ?? []) : [];

/** All of the organisation, those of groups, or some by their serial numbers. */
function WhichControl({ value, onChange, onBlur, disabled }: ControlPart<Chosen | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const [way, setWay] = useState<Way>('some');
  const ids = value && 'ids' in value ? value.ids : [];
  const groups = groupsOf(value);
  const terminals = useTerminals(way === 'some' ? text : '', ids);
  const grouped = useGroups(way === 'groups' ? text : '', groups);
  const choose = (next: Way) => {
    setWay(next);
    setText('');
    onChange(next === 'all' ? { criteria: {}, except: [] } : undefined);
  };
  const offered = way === 'groups' ? grouped : terminals;
  const put = (next: readonly number[]) =>
    onChange(next.length === 0 ? undefined : way === 'groups' ? { criteria: { groupId: { in: next } }, except: [] } : { ids: next });
  return (
    <div className="m-stack-tight">
      <RadioGroup
        label={t('iotRegistration.register.which')}
        value={way}
        onChange={choose}
        disabled={disabled}
        options={ways.map((one) => ({ value: one, label: t(`iotRegistration.register.which.${one}`) }))}
      />
      {way === 'all' ? null : (
        <MultiSelect
          key={way}
          label={t(`iotRegistration.register.which.${way}`)}
          value={way === 'groups' ? groups : ids}
          onChange={put}
          onBlur={onBlur}
          onSearch={setText}
          busy={offered.busy}
          disabled={disabled}
          options={offered.choices.map((one) => ({ value: Number(one.value), label: wordsOf(one.label) }))}
        />
      )}
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
      fields={[
        {
          name: 'of',
          label: 'iotRegistration.register.which',
          help: 'iotRegistration.register.which.help',
          Control: WhichControl,
          wide: true,
        },
      ]}
      onClose={onClose}
      onDone={({ total, done, refused, work }) => {
        if (work !== null)
          toast('info', t('iotRegistration.later', { n: total }), { label: t('kit.work.open'), onClick: () => go('/task/export') });
        else if (refused > 0) toast('warning', t('iotRegistration.partly', { done, refused }));
        else toast('done', t('iotRegistration.registered', { n: done }));
      }}
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

/** How many there are in each state; one of them filters the list. */
function States({ customerId }: { customerId: number }) {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(awsCalls.counts, { customerId }, { keep: true, every: EVERY_SECONDS });
  if (error && !data) return <CallFailed part error={error} onRetry={retry} />;
  const open = (state: string) => `/customerConfig/${customerId}?tab=terminals&t.state=${state}`;
  return (
    <div className="m-stats">
      {states.map((state) => (
        <Stat
          key={state}
          label={t(`life.iotRegistration.${state}`)}
          tone={iotRegistrationMachine.states[state].tone}
          loading={!data}
          value={data ? format.total(data.counts[state] ?? 0, (data.counts[state] ?? 0) >= IOT_COUNT_CAP) : ''}
          href={open(state)}
          onClick={(event) => {
            event.preventDefault();
            go(open(state));
          }}
        />
      ))}
    </div>
  );
}

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
      <States customerId={row.id} />
      <ListView spec={registrations} fixed={{ customerId: row.id }} queryPrefix="t." />
      {registering ? <Register customerId={row.id} onClose={() => setRegistering(false)} /> : null}
    </div>
  );
}
