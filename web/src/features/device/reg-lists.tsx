import { regCalls } from '@mooring/contract/device/reg-calls';
import { deviceMachine, pendingMachine } from '@mooring/contract/device/state-machines';
import { useDepts } from '../../kit/choices.ts';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';
import { belonging, createdColumn, deviceColumn, snColumn } from './columns.ts';
import { accept, decide, refuse } from './decide-pending.tsx';

/** Who would have it: the organisation whose code it brought, or the rule that would have let it in. */
function Claims({ of }: { of: { rule: string | null; codeOf: string | null } }) {
  const t = useT();
  if (of.codeOf) return t('reg.claims.code', { name: of.codeOf });
  return of.rule ? t('reg.claims.rule', { name: of.rule }) : null;
}

export const asking: ListSpec<typeof regCalls.page> = {
  code: 'reg.asking',
  title: 'reg.asking',
  call: regCalls.page,
  search: { field: 'sn', hint: 'device.sn' },
  columns: [
    snColumn,
    { key: 'state', title: 'device.status', kind: 'state', machine: pendingMachine, width: 120 },
    { key: 'expected', title: 'reg.expectedSn', kind: 'yes', width: 90 },
    { key: 'deptName', title: 'device.dept', width: 160 },
    { key: 'productCode', title: 'reg.productCode', width: 120 },
    { key: 'factory', title: 'reg.factory', width: 160 },
    { key: '_claims', title: 'reg.claims', width: 160, cell: (row) => <Claims of={row} /> },
    { key: 'fingerprint', title: 'reg.fingerprint', kind: 'code', width: 120 },
    { key: 'ip', title: 'reg.ip', width: 130 },
    { key: 'tries', title: 'reg.tries', kind: 'number', off: true },
    { key: 'lastAt', title: 'reg.lastAt', kind: 'ago', sort: true, width: 140 },
    { key: 'reason', title: 'reg.reason', off: true },
  ],
  filters: [{ field: 'state', label: 'device.status', machine: pendingMachine }],
  rowActions: [
    { key: 'accept', label: 'event.devicePending.accept', icon: 'check', allowedAction: 'accept', run: decide(accept) },
    { key: 'refuse', label: 'event.devicePending.refuse', danger: true, allowedAction: 'refuse', run: decide(refuse) },
  ],
  bulk: [accept, refuse],
  export: regCalls.export,
  nameOf: (row) => row.sn,
  empty: { title: 'reg.asking.empty', text: 'reg.asking.emptyText', icon: 'inbox' },
};

export const expected: ListSpec<typeof regCalls.expected> = {
  code: 'reg.expected',
  title: 'reg.expected',
  call: regCalls.expected,
  export: regCalls.exportExpected,
  search: { field: 'sn', hint: 'device.sn' },
  columns: [
    deviceColumn,
    { key: 'name', title: 'device.name', width: 180 },
    { key: 'status', title: 'device.status', kind: 'state', machine: deviceMachine, width: 120 },
    ...belonging,
    createdColumn,
  ],
  filters: [{ field: 'deptId', label: 'device.dept', useChoices: useDepts }],
  nameOf: (row) => row.sn,
  empty: { title: 'reg.expected.empty' },
};

const codeTones = { active: 'good', used: 'ended', expired: 'ended', withdrawn: 'ended' } as const;
function CodeStatus({ of }: { of: keyof typeof codeTones }) {
  const t = useT();
  return <StatusTag tone={codeTones[of]}>{t(`reg.code.status.${of}`)}</StatusTag>;
}

export const codes: ListSpec<typeof regCalls.codes> = {
  code: 'reg.codes',
  title: 'reg.codes',
  call: regCalls.codes,
  export: regCalls.exportCodes,
  columns: [
    { key: 'hint', title: 'reg.code.hint', width: 120, cell: (row) => <span className="m-mono">{row.hint}…</span> },
    { key: 'status', title: 'device.status', width: 120, cell: (row) => <CodeStatus of={row.status} /> },
    { key: 'sn', title: 'reg.code.sn', width: 160 },
    ...belonging,
    { key: '_uses', title: 'reg.code.uses', width: 110, cell: (row) => `${row.uses} / ${row.maxUses}` },
    { key: 'expiresAt', title: 'reg.code.expiresAt', kind: 'moment', width: 170 },
    createdColumn,
    { key: 'by', title: 'device.command.by', width: 130 },
  ],
  filters: [
    { field: 'status', label: 'device.status', names: 'reg.code.status.' },
    { field: 'deptId', label: 'device.dept', useChoices: useDepts },
  ],
  rowActions: [
    rowAction(regCalls.codeWithdraw, {
      successText: 'done.withdrawn',
      label: 'event.deviceEnrolCode.withdraw',
      allowedAction: 'withdraw',
      danger: true,
    }),
  ],
  nameOf: (row) => row.hint,
  empty: { title: 'reg.code.empty', icon: 'key' },
};
