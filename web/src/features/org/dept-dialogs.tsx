import type { Call } from '@mooring/contract/kit/call';
import { deptCalls } from '@mooring/contract/org/calls';
import { type Dept, type Impact, kindBelow } from '@mooring/contract/org/schemas';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import { useState } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { messageOf } from '../../kit/client.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { useAct, useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT, wordsOf } from '../../ui/words.ts';
import { deptFields } from './dept-fields.ts';

interface Part {
  readonly row: Dept;
  readonly onClose: () => void;
}

export const AddDept = ({ row, onClose, onDone }: Part & { onDone: (id: number) => void }) => {
  const t = useT();
  return (
    <FormDialog
      title="org.add"
      call={deptCalls.add}
      successText="done.added"
      submit="org.add"
      about={<p className="m-muted">{t('org.add.below', { name: row.name, kind: t(`org.kind.${kindBelow[row.kind]}`) })}</p>}
      initial={{ parentId: row.id, timeZone: row.timeZone }}
      fields={deptFields}
      onClose={onClose}
      onDone={(made) => onDone(made.id)}
    />
  );
};

export const EditDept = ({ row, onClose, call = deptCalls.update }: Part & { call?: Call }) => (
  <FormDialog
    title="org.edit.title"
    call={call as typeof deptCalls.update}
    successText="done.saved"
    submit="kit.save"
    initial={{
      id: row.id,
      revision: row.revision,
      name: row.name,
      timeZone: row.timeZone,
      contactName: row.contactName,
      contactPhone: row.contactPhone,
      contactEmail: row.contactEmail,
      address: row.address,
      remark: row.remark,
    }}
    fields={deptFields}
    onClose={onClose}
  />
);

export const RefuseDept = ({ row, onClose }: Part) => {
  const t = useT();
  return (
    <FormDialog
      title="org.refuse"
      call={deptCalls.refuse}
      successText="done.rejected"
      submit="event.org.refuse"
      about={<p className="m-muted">{t('org.refuse.about')}</p>}
      initial={{ id: row.id }}
      fields={[{ name: 'reason', label: 'org.reason', kind: 'area' }]}
      onClose={onClose}
    />
  );
};

/** Says whom it meets before it is done. */
export function DisableDept({ row, onClose, call = deptCalls.disable }: Part & { call?: Call }) {
  const t = useT();
  const of = call as typeof deptCalls.disable;
  const seen = useCall(of, { id: row.id, preview: true });
  const act = useAct(of, { successText: 'org.disabled', done: onClose });
  return (
    <Confirm
      open
      danger
      title={t('org.disable.title', { name: row.name })}
      confirm={t('event.org.disable')}
      busy={act.busy}
      disabled={!seen.data}
      onClose={onClose}
      onConfirm={() => act.run({ id: row.id })}
    >
      {seen.error ? <Note tone="danger">{messageOf(seen.error)}</Note> : seen.data ? t('org.disable.about', { ...seen.data }) : <Bone />}
    </Confirm>
  );
}

const preview = (impact: Impact) => ({ units: impact.units, people: impact.people, devices: impact.devices, tasks: impact.tasks });

/** Moving below another unit, or merging into it: chosen, previewed, then done in the background. */
export function RegroupDept({ row, onClose, kind }: Part & { kind: 'move' | 'merge' }) {
  const t = useT();
  const [text, setText] = useState('');
  const [target, setTarget] = useState<number>();
  const { choices, busy } = useDepts(text, target === undefined ? [] : [target]);
  const call = (kind === 'move' ? deptCalls.move : deptCalls.merge) as typeof deptCalls.move;
  const input = (only: boolean) => ({ id: row.id, preview: only, [kind === 'move' ? 'parentId' : 'into']: target }) as never;
  const seen = useCall(call, input(true), { enabled: target !== undefined });
  const act = useAct(call, {
    done: () => {
      toast('done', t('org.regroup.started'));
      onClose();
    },
  });
  const label = t(kind === 'move' ? 'org.move' : 'event.org.merge');
  return (
    <Dialog
      open
      title={t(kind === 'move' ? 'org.move.title' : 'org.merge.title', { name: row.name })}
      onClose={onClose}
      busy={act.busy}
      footer={
        <>
          <Button onClick={onClose} disabled={act.busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" danger={kind === 'merge'} busy={act.busy} disabled={!seen.data} onClick={() => act.run(input(false))}>
            {label}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        {kind === 'merge' ? <Note tone="warn">{t('org.merge.about')}</Note> : null}
        <Field label={t(kind === 'move' ? 'org.move.to' : 'org.merge.into')}>
          <Select
            options={choices.filter((one) => one.value !== row.id).map((one) => ({ value: one.value, label: wordsOf(one.label) }))}
            value={target}
            onChange={setTarget}
            onSearch={setText}
            busy={busy}
          />
        </Field>
        {seen.error ? <Note tone="danger">{messageOf(seen.error)}</Note> : null}
        {seen.data && !seen.error ? <p>{t('org.regroup.preview', preview(seen.data))}</p> : null}
      </div>
    </Dialog>
  );
}

/** The parent, units in scope, or another organisation by its whole name. */
function TrusteeField({ value, onChange, onBlur, values }: ControlPart<number | undefined>) {
  const [text, setText] = useState('');
  const deptId = Number(values.deptId);
  const found = useCall(trustCalls.candidates, { deptId, text }, { keep: true });
  const isShown = value === undefined || (found.data?.some((one) => one.id === value) ?? false);
  const named = useCall(trustCalls.candidates, { deptId, ids: [value ?? 0] }, { enabled: !isShown });
  const all = [...(found.data ?? []), ...(isShown ? [] : (named.data ?? []))];
  return (
    <Select
      options={all.map((one) => ({ value: one.id, label: one.name }))}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      onSearch={setText}
      busy={found.fetching}
    />
  );
}

export function GiveTrust({ row, onClose }: Part) {
  const t = useT();
  return (
    <FormDialog
      title="org.trust.give"
      call={trustCalls.give}
      successText="org.trust.given"
      submit="org.trust.give"
      about={<p className="m-muted">{t('org.trust.give.about')}</p>}
      initial={{ deptId: row.id }}
      fields={[
        { name: 'trusteeId', label: 'org.trust.trustee', help: 'org.trust.trustee.help', Control: TrusteeField, wide: true },
        { name: 'until', label: 'org.trust.until', kind: 'moment' },
      ]}
      onClose={onClose}
    />
  );
}
