import { deptCalls } from '@mooring/contract/org/calls';
import type { Dept } from '@mooring/contract/org/schemas';
import { orgMachine } from '@mooring/contract/org/state-machines';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { type Fact, Facts } from '../../kit/detail/detail-page.tsx';
import { ActBar, useRowActs } from '../../kit/list/row-acts.tsx';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { AddDept, DisableDept, EditDept, GiveTrust, RegroupDept } from './dept-dialogs.tsx';
import { JoinSettings } from './dept-invites.tsx';

type Detail = NonNullable<ReturnType<typeof useDetail>['data']>;
const useDetail = (id: number | undefined) => useCall(deptCalls.detail, { id: id ?? 0 }, { enabled: id !== undefined });
type Asked = 'add' | 'edit' | 'disable' | 'move' | 'merge' | 'give';

const figures: readonly Fact<Detail['impact']>[] = [
  { key: 'units', title: 'org.units', kind: 'number' },
  { key: 'people', title: 'org.people', kind: 'number' },
  { key: 'devices', title: 'org.devices', kind: 'number' },
  { key: 'tasks', title: 'org.tasks', kind: 'number' },
];
const facts: readonly Fact<Detail>[] = [
  { key: 'kind', title: 'org.kind', kind: 'name', names: 'org.kind.' },
  { key: 'parentName', title: 'org.parent', when: (row) => row.parentName !== null },
  { key: 'timeZone', title: 'org.timeZone' },
  { key: 'contactName', title: 'org.contactName' },
  { key: 'contactPhone', title: 'org.contactPhone' },
  { key: 'contactEmail', title: 'org.contactEmail' },
  { key: 'address', title: 'org.address' },
  { key: 'createdAt', title: 'org.createdAt', kind: 'moment' },
  { key: 'remark', title: 'org.remark', when: (row) => row.remark !== '' },
];

/** One unit: what it is, what lies below it, and what may be done with it. */
export function DeptPanel({ id, onPick }: { id: number | undefined; onPick: (id: number) => void }) {
  const t = useT();
  const asked = useDetail(id);
  const [dialog, setDialog] = useState<Asked>();
  const acts = useRowActs<Detail>((row) => row.name);
  if (id === undefined) return <Empty icon="people" title={t('org.tree.pick')} text={t('org.tree.pickText')} />;
  if (!asked.data) return asked.error ? <CallFailed part error={asked.error} onRetry={asked.retry} /> : <PageSkeleton />;
  const row = asked.data;
  const ask = (key: Asked) => () => setDialog(key);
  const actions: readonly RowAction<Detail>[] = [
    { key: 'add', label: 'org.add', icon: 'add', allowedAction: 'add', run: ask('add') },
    { key: 'edit', label: 'org.edit', icon: 'edit', allowedAction: 'update', run: ask('edit') },
    { key: 'give', label: 'org.trust.give', icon: 'swap', allowedAction: 'give', run: ask('give') },
    { key: 'move', label: 'org.move', allowedAction: 'move', run: ask('move') },
    rowAction(deptCalls.enable, { successText: 'done.enabled', label: 'event.org.enable', icon: 'check', allowedAction: 'enable' }),
    { key: 'merge', label: 'event.org.merge', allowedAction: 'merge', danger: true, run: ask('merge') },
    { key: 'disable', label: 'event.org.disable', allowedAction: 'disable', danger: true, run: ask('disable') },
  ];
  return (
    <div className="m-stack">
      <div className="m-panel">
        <div className="m-panel-head m-tree-head">
          <h2 className="m-row m-row-wrap">
            {row.name} <StateTag machine={orgMachine} code={row.state} />
          </h2>
          <ActBar actions={actions} row={row} name={row.name} start={acts.start} />
        </div>
      </div>
      {row.mergedInto ? <Note>{t('org.mergedInto', { name: row.mergedInto.name })}</Note> : null}
      {row.state === 'enabled' && !row.open ? <Note tone="warn">{t('org.shut')}</Note> : null}
      <Facts facts={figures} row={row.impact} />
      <Facts facts={facts.filter((one) => one.when?.(row) ?? true)} row={row} />
      {row.kind === 'businessUnit' || row.kind === 'organisation' ? <JoinSettings id={row.id} /> : null}
      {acts.dialog}
      <Dialogs asked={dialog} row={row} onClose={() => setDialog(undefined)} onPick={onPick} />
    </div>
  );
}

function Dialogs({
  asked,
  row,
  onClose,
  onPick,
}: {
  asked: Asked | undefined;
  row: Dept;
  onClose: () => void;
  onPick: (id: number) => void;
}) {
  const part = { row, onClose };
  if (asked === 'add') return <AddDept {...part} onDone={onPick} />;
  if (asked === 'edit') return <EditDept {...part} />;
  if (asked === 'disable') return <DisableDept {...part} />;
  if (asked === 'give') return <GiveTrust {...part} />;
  if (asked === 'move' || asked === 'merge') return <RegroupDept {...part} kind={asked} />;
  return null;
}
