import type { Dept } from '@mooring/contract/org/schemas';
import { orgMachine } from '@mooring/contract/org/state-machines';
import { businessUnitCalls, productLineCalls } from '@mooring/contract/org/unit-calls';
import { useState } from 'react';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type Column, type ListSpec, type PageAction, type RowAction, type RowOf, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { useFormat } from '../../ui/words.ts';
import { DisableDept, EditDept } from './dept-dialogs.tsx';
import { deptFields } from './dept-fields.ts';

type Row = RowOf<typeof businessUnitCalls.page>;
type Group = typeof businessUnitCalls | typeof productLineCalls;

function useLines(text: string) {
  const found = useCall(productLineCalls.page, { criteria: text ? { text } : {}, page: { size: 50 } }, { keep: true });
  return {
    choices: (found.data?.content ?? []).map((one) => ({ value: one.id, label: { text: one.name } })),
    busy: found.fetching,
    madeOn: ['businessUnit?tab=lines'],
  };
}
function Figure({ of }: { of: number }) {
  return useFormat().number(of);
}

const columns: readonly Column<Row, 'name' | 'createdAt'>[] = [
  { key: 'name', title: 'org.name', sort: true, pinned: 'left', width: 220 },
  { key: 'state', title: 'org.state', kind: 'state', machine: orgMachine, width: 120 },
  { key: '_units', title: 'org.units', width: 120, cell: (row) => <Figure of={row.impact.units} /> },
  { key: '_people', title: 'org.people', width: 110, cell: (row) => <Figure of={row.impact.people} /> },
  { key: '_devices', title: 'org.devices', width: 120, cell: (row) => <Figure of={row.impact.devices} /> },
  { key: 'contactName', title: 'org.contactName', width: 150 },
  { key: 'timeZone', title: 'org.timeZone', width: 150, off: true },
  { key: 'createdAt', title: 'org.createdAt', kind: 'moment', sort: true, width: 170 },
];

const AddRegion = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="org.unit.addRegion"
    call={businessUnitCalls.add}
    successText="done.added"
    submit="org.unit.addRegion"
    fields={[{ name: 'productLineId', label: 'org.unit.line', kind: 'one', useChoices: useLines }, ...deptFields]}
    onClose={onClose}
  />
);
const AddLine = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="org.unit.addLine"
    call={productLineCalls.add}
    successText="done.added"
    submit="org.unit.addLine"
    fields={deptFields}
    onClose={onClose}
  />
);
const adding: Record<'regions' | 'lines', PageAction> = {
  regions: { key: 'add', label: 'org.unit.addRegion', icon: 'add', primary: true, call: businessUnitCalls.add, Dialog: AddRegion },
  lines: { key: 'add', label: 'org.unit.addLine', icon: 'add', primary: true, call: productLineCalls.add, Dialog: AddLine },
};

function UnitList({ group, mark }: { group: Group; mark: string }) {
  const calls = group as typeof productLineCalls;
  const [asked, setAsked] = useState<{ what: 'edit' | 'disable'; row: Dept }>();
  const ask = (what: 'edit' | 'disable') => (row: Row) => setAsked({ what, row });
  const [spec] = useState<ListSpec<typeof productLineCalls.page>>(() => ({
    code: `org.units${mark}`,
    title: 'org.unit.title',
    call: calls.page,
    export: calls.export,
    search: { field: 'text', hint: 'org.name' },
    columns,
    filters: [
      { field: 'state', label: 'org.state', machine: orgMachine },
      // Only the regions' call takes it.
      ...(group === businessUnitCalls ? [{ field: 'productLineId' as never, label: 'org.unit.line', useChoices: useLines } as const] : []),
    ],
    rowActions: [
      { key: 'edit', label: 'org.edit', icon: 'edit', allowedAction: 'update', run: ask('edit') } as RowAction<Row>,
      rowAction(calls.enable, { successText: 'done.enabled', label: 'event.org.enable', icon: 'check', allowedAction: 'enable' }),
      { key: 'disable', label: 'event.org.disable', allowedAction: 'disable', danger: true, run: ask('disable') },
    ],
    nameOf: (row) => row.name,
    empty: { title: 'org.unit.empty', text: 'org.unit.emptyText', icon: 'shop' },
  }));
  const close = () => setAsked(undefined);
  return (
    <>
      <ListView spec={spec} queryPrefix={mark} />
      {asked?.what === 'edit' ? <EditDept row={asked.row} onClose={close} call={calls.update} /> : null}
      {asked?.what === 'disable' ? <DisableDept row={asked.row} onClose={close} call={calls.disable} /> : null}
    </>
  );
}

export const unitPage = tabsPage({
  title: 'org.unit.title',
  tabs: [
    {
      key: 'regions',
      title: 'org.unit.tab.regions',
      actions: [adding.regions],
      Body: () => <UnitList group={businessUnitCalls} mark="r." />,
    },
    { key: 'lines', title: 'org.unit.tab.lines', actions: [adding.lines], Body: () => <UnitList group={productLineCalls} mark="l." /> },
  ],
});
