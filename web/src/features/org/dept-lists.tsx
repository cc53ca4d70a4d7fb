import { deptCalls } from '@mooring/contract/org/calls';
import type { Dept } from '@mooring/contract/org/schemas';
import { orgMachine, trustMachine } from '@mooring/contract/org/state-machines';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import { useState } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import { RefuseDept } from './dept-dialogs.tsx';

/** What registered and waits, or was refused. */
export function Applications() {
  const [refused, setRefused] = useState<Dept>();
  const [spec] = useState<ListSpec<typeof deptCalls.applications>>(() => ({
    code: 'org.applications',
    title: 'org.tab.applications',
    call: deptCalls.applications,
    export: deptCalls.exportApplications,
    search: { field: 'text', hint: 'org.applications.search' },
    columns: [
      { key: 'name', title: 'org.name', sort: true, pinned: 'left', width: 220 },
      { key: 'state', title: 'org.state', kind: 'state', machine: orgMachine, width: 110 },
      { key: 'createdAt', title: 'org.appliedAt', kind: 'ago', sort: true, width: 130 },
      { key: 'parentName', title: 'org.parent', width: 150 },
      { key: 'contactName', title: 'org.contactName', width: 140 },
      { key: 'contactEmail', title: 'org.contactEmail', width: 200 },
      { key: 'reason', title: 'org.reason', width: 200 },
      { key: 'contactPhone', title: 'org.contactPhone', width: 150 },
      { key: 'address', title: 'org.address', width: 200 },
    ],
    filters: [
      {
        field: 'state',
        label: 'org.state',
        choices: (['applied', 'refused'] as const).map((value) => ({ value, label: `life.org.${value}` as const })),
      },
    ],
    rowActions: [
      rowAction(deptCalls.approve, {
        successText: 'done.approved',
        label: 'event.org.approve',
        icon: 'check',
        allowedAction: 'approve',
        confirm: { text: 'org.approve.about' },
      }),
      { key: 'refuse', label: 'event.org.refuse', allowedAction: 'refuse', danger: true, run: setRefused },
    ],
    nameOf: (row) => row.name,
    empty: { title: 'org.applications.empty', text: 'org.applications.emptyText', icon: 'inbox' },
  }));
  return (
    <>
      <ListView spec={spec} queryPrefix="a." />
      {refused ? <RefuseDept row={refused} onClose={() => setRefused(undefined)} /> : null}
    </>
  );
}

/** Terms of trusteeship, given and received. */
export const trusts: ListSpec<typeof trustCalls.page> = {
  code: 'org.trusts',
  title: 'org.tab.trust',
  call: trustCalls.page,
  export: trustCalls.export,
  columns: [
    { key: 'deptName', title: 'org.trust.giver', pinned: 'left', width: 220 },
    { key: 'trusteeName', title: 'org.trust.trustee', width: 220 },
    { key: 'state', title: 'org.state', kind: 'state', machine: trustMachine, width: 120 },
    { key: 'until', title: 'org.trust.until', kind: 'moment', sort: true, width: 170 },
    { key: 'givenBy', title: 'org.trust.givenBy', width: 150 },
    { key: 'createdAt', title: 'org.createdAt', kind: 'moment', sort: true, width: 170 },
  ],
  filters: [
    { field: 'state', label: 'org.state', machine: trustMachine },
    { field: 'deptId', label: 'org.kind.organisation', kind: 'one', useChoices: useDepts },
  ],
  rowActions: [
    rowAction(trustCalls.end, {
      successText: 'org.trust.ended',
      label: 'event.trust.end',
      allowedAction: 'end',
      danger: true,
      confirm: { text: 'org.trust.end.about' },
    }),
  ],
  nameOf: (row) => row.deptName,
  empty: { title: 'org.trust.empty', text: 'org.trust.emptyText', icon: 'swap' },
};
