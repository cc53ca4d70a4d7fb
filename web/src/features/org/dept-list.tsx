import { deptCalls } from '@mooring/contract/org/calls';
import { orgMachine } from '@mooring/contract/org/state-machines';
import type { ListSpec } from '../../kit/list/types.ts';
import { ImportSheet } from '../../kit/upload/import-sheet.tsx';

const ImportDepts = ({ onClose }: { onClose: () => void }) => (
  <ImportSheet
    title="org.import.title"
    about="org.import.about"
    take="org.import.take"
    call={deptCalls.import}
    template={deptCalls.template}
    fileName="organisations.xlsx"
    names="org."
    onClose={onClose}
  />
);

/** The tree as a table: a row leads to its place in the tree, where everything is done with it. */
export const deptList: ListSpec<typeof deptCalls.page> = {
  code: 'org.list',
  title: 'org.title',
  call: deptCalls.page,
  search: { field: 'text', hint: 'org.list.search' },
  columns: [
    { key: 'name', title: 'org.name', sort: true, pinned: 'left', width: 220, link: (row) => `/sys/dept?id=${row.id}` },
    { key: 'kind', title: 'org.kind', kind: 'name', names: 'org.kind.', width: 130 },
    { key: 'parentName', title: 'org.parent', width: 180 },
    { key: 'state', title: 'org.state', kind: 'state', machine: orgMachine, width: 110 },
    { key: 'contactName', title: 'org.contactName', width: 150 },
    { key: 'contactPhone', title: 'org.contactPhone', width: 150 },
    { key: 'contactEmail', title: 'org.contactEmail', width: 200 },
    { key: 'timeZone', title: 'org.timeZone', width: 150 },
    { key: 'id', title: 'org.number', kind: 'number', off: true },
    { key: 'address', title: 'org.address', off: true },
    { key: 'remark', title: 'org.remark', off: true },
    { key: 'createdAt', title: 'org.createdAt', kind: 'moment', off: true },
  ],
  filters: [
    { field: 'kind', label: 'org.kind', names: 'org.kind.' },
    {
      field: 'state',
      label: 'org.state',
      choices: (['enabled', 'disabled', 'closed'] as const).map((value) => ({ value, label: `life.org.${value}` as const })),
    },
  ],
  actions: [{ key: 'import', label: 'org.import', icon: 'upload', call: deptCalls.import, Dialog: ImportDepts }],
  export: deptCalls.export,
  open: (row) => `/sys/dept?id=${row.id}`,
  nameOf: (row) => row.name,
  empty: { title: 'org.list.empty' },
};
