import { HardwareTest, hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { hardwareTestMachine } from '@mooring/contract/hardware-test/state-machines';
import type { RowOf } from '@mooring/contract/kit/entity';
import { useDepts, useProducts, useTerminals } from '../../kit/choices.ts';
import { download } from '../../kit/downloads.ts';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { listOf } from '../../kit/resource/resource-list.ts';
import { NewTest } from './new-test.tsx';
import { PartNames } from './part-names.tsx';

type Test = RowOf<typeof HardwareTest>;

export const testActs: readonly RowAction<Pick<Test, 'id' | 'sn'>>[] = [
  rowAction(hardwareTestCalls.again, {
    label: 'hardwareTest.again',
    icon: 'reload',
    allowedAction: 'again',
    successText: 'hardwareTest.again.done',
    input: ({ id }: Pick<Test, 'id' | 'sn'>) => ({ id }),
  }),
  {
    key: 'document',
    label: 'hardwareTest.document',
    icon: 'download',
    run: ({ id, sn }) => download(hardwareTestCalls.document, { id }, `${sn}.pdf`),
  },
  rowAction(hardwareTestCalls.cancel, {
    label: 'hardwareTest.cancel',
    allowedAction: 'cancel',
    danger: true,
    confirm: { text: 'hardwareTest.cancel.about', keep: 'hardwareTest.cancel.keep' },
    successText: 'hardwareTest.cancel.done',
    input: ({ id }: Pick<Test, 'id' | 'sn'>) => ({ id }),
  }),
];

/** Those that a terminal may still answer. */
const isOpen = ({ state }: { state: string }) => state === 'requested' || state === 'running';

export const testList = listOf(HardwareTest, hardwareTestCalls, {
  code: 'hardwareTest.list',
  texts: { edit: 'hardwareTest.title', delete: 'hardwareTest.title' },
  columns: [
    { key: 'sn', width: 190 },
    { key: 'state', width: 130 },
    { key: 'failedParts', cell: (row) => <PartNames parts={row.failedParts} />, width: 200 },
    { key: 'parts', cell: (row) => <PartNames parts={row.parts} />, width: 240 },
    { key: 'productName', width: 150 },
    { key: 'deptName', width: 150 },
    { key: 'createdAt', width: 170 },
    { key: 'byName', width: 130 },
    { key: 'startedAt', off: true },
    { key: 'endedAt', off: true },
    { key: 'expiresAt', off: true },
  ],
  filters: [
    { field: 'state', label: 'hardwareTest.state', machine: hardwareTestMachine },
    { field: 'failedPart', label: 'hardwareTest.failedPart', names: 'hardwareTest.part.' },
    { field: 'deviceId', label: 'hardwareTest.device', useChoices: useTerminals },
    { field: 'productId', label: 'device.product', useChoices: useProducts },
    { field: 'deptId', label: 'device.dept', useChoices: useDepts },
    { field: 'createdAt', label: 'hardwareTest.createdAt' },
  ],
  actions: [{ key: 'add', label: 'hardwareTest.add', icon: 'add', primary: true, call: hardwareTestCalls.add, Dialog: NewTest }],
  rowActions: testActs,
  nameOf: (row) => row.sn,
  open: (row) => `/device/hardwareDetail/${row.id}`,
  every: (rows) => (rows.some(isOpen) ? 15 : undefined),
  empty: { title: 'hardwareTest.empty', text: 'hardwareTest.emptyText', icon: 'hardwareTest' },
});
