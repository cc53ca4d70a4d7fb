import { roleCalls } from '@mooring/contract/access/role-calls';
import { inviteCalls, memberCalls } from '@mooring/contract/account/member-calls';
import { inviteMachine, userMachine } from '@mooring/contract/account/state-machines';
import { useDepts } from '../../kit/choices.ts';
import { bulkAct, type ListSpec, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';
import { ImportMembers } from './import-members.tsx';
import { AddMember, ask, InviteMember, type Member } from './member-dialogs.tsx';
import { MemberPanel } from './member-panel.tsx';

function State({ row }: { row: Member }) {
  const t = useT();
  return row.lockedUntil ? <StatusTag tone="bad">{t('member.locked')}</StatusTag> : <StateTag machine={userMachine} code={row.state} />;
}

/** One list for both platforms: /sys/member of the centre, /managerSys/member of the manager. */
function useRoles(text: string) {
  const found = useCall(roleCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? []).map((one) => ({ value: one.id, label: { text: one.name } })),
    busy: found.fetching,
    madeOn: ['role', 'managerRole'],
  };
}

export const members: ListSpec<typeof memberCalls.page> = {
  code: 'access.members',
  title: 'member.title',
  call: memberCalls.page,
  search: { field: 'text', hint: 'member.search' },
  columns: [
    { key: 'account', title: 'member.account', sort: true, pinned: 'left', width: 160 },
    { key: 'userName', title: 'member.userName', sort: true, width: 160 },
    { key: 'state', title: 'member.state', width: 140, cell: (row) => <State row={row} /> },
    { key: 'deptName', title: 'member.dept', width: 180 },
    { key: 'roles', title: 'member.roles', width: 220, cell: (row) => row.roles.map((one) => one.name).join(', ') },
    { key: 'userType', title: 'member.userType', kind: 'name', names: 'member.userType.', width: 180 },
    { key: 'email', title: 'member.email', width: 210 },
    { key: 'mfaBound', title: 'member.mfaBound', kind: 'yes', width: 130, off: true },
    { key: 'lastLoginAt', title: 'member.lastLoginAt', kind: 'ago', width: 120 },
    { key: 'createdAt', title: 'member.createdAt', kind: 'moment', sort: true, width: 170, off: true },
  ],
  filters: [
    { field: 'state', label: 'member.state', machine: userMachine },
    { field: 'deptId', label: 'member.dept', kind: 'one', useChoices: useDepts },
    { field: 'roleId', label: 'member.roles', useChoices: useRoles },
    { field: 'userType', label: 'member.userType', names: 'member.userType.' },
  ],
  actions: [
    { key: 'import', label: 'member.import', icon: 'upload', call: memberCalls.import, Dialog: ImportMembers },
    { key: 'invite', label: 'member.invite', icon: 'send', call: inviteCalls.add, Dialog: InviteMember },
    { key: 'add', label: 'member.add', icon: 'add', primary: true, call: memberCalls.add, Dialog: AddMember },
  ],
  rowActions: [
    { key: 'approve', label: 'member.approve', icon: 'check', allowedAction: 'approve', run: ask('approve') },
    { key: 'refuse', label: 'member.refuse', allowedAction: 'refuse', danger: true, run: ask('refuse') },
    { key: 'edit', label: 'member.edit', icon: 'edit', allowedAction: 'update', run: ask('edit') },
    rowAction(memberCalls.enable, { successText: 'done.enabled', label: 'event.user.enable', icon: 'check', allowedAction: 'enable' }),
    rowAction(memberCalls.unlock, { successText: 'done.unlocked', label: 'event.user.unlock', icon: 'lock', allowedAction: 'unlock' }),
    { key: 'reset', label: 'member.resetPassword', icon: 'key', allowedAction: 'resetPassword', run: ask('reset') },
    rowAction(memberCalls.unbindMfa, {
      successText: 'member.mfaRemoved',
      label: 'member.unbindMfa',
      allowedAction: 'unbindMfa',
      danger: true,
      confirm: { text: 'member.unbindMfa.about' },
    }),
    { key: 'disable', label: 'event.user.disable', allowedAction: 'disable', danger: true, run: ask('disable') },
  ],
  bulk: [
    bulkAct(memberCalls.enableMany, { successText: 'member.enabledMany', label: 'member.enableMany' }),
    bulkAct(memberCalls.disableMany, { successText: 'member.disabledMany', label: 'member.disableMany', danger: true }),
  ],
  export: memberCalls.export,
  nameOf: (row) => row.account,
  empty: { title: 'member.empty', text: 'member.emptyText', icon: 'people' },
  slots: { aside: MemberPanel },
};

export const invitations: ListSpec<typeof inviteCalls.page> = {
  code: 'access.invitations',
  title: 'member.tab.invites',
  call: inviteCalls.page,
  export: inviteCalls.export,
  search: { field: 'text', hint: 'member.invite.search' },
  columns: [
    { key: 'email', title: 'member.email', pinned: 'left', width: 240 },
    { key: 'state', title: 'member.state', kind: 'state', machine: inviteMachine, width: 120 },
    { key: 'deptName', title: 'member.dept', width: 180 },
    { key: 'roles', title: 'member.roles', width: 220, cell: (row) => row.roles.map((one) => one.name).join(', ') },
    { key: 'invitedBy', title: 'member.invite.by', width: 150 },
    { key: 'expiresAt', title: 'member.invite.expiresAt', kind: 'moment', sort: true, width: 170 },
    { key: 'createdAt', title: 'member.invite.createdAt', kind: 'moment', sort: true, width: 170 },
  ],
  filters: [{ field: 'state', label: 'member.state', machine: inviteMachine }],
  rowActions: [
    rowAction(inviteCalls.withdraw, {
      successText: 'done.withdrawn',
      label: 'event.invite.withdraw',
      allowedAction: 'withdraw',
      danger: true,
      confirm: { text: 'member.invite.withdraw.about' },
    }),
  ],
  nameOf: (row) => row.email,
  empty: { title: 'member.invite.empty', text: 'member.invite.emptyText', icon: 'send' },
};
