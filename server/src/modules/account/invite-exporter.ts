import { inviteCalls } from '@mooring/contract/account/member-calls';
import { inviteMachine } from '@mooring/contract/account/state-machines';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { pageInvites } from './member-invite.ts';

export const inviteExporter = rowExporter(inviteCalls.page, inviteCalls.export, {
  title: 'member.tab.invites',
  page: pageInvites,
  sort: 'createdAt',
  columns: {
    email: 'member.email',
    state: ['member.state', inviteMachine],
    deptName: 'member.dept',
    roles: 'member.roles',
    invitedBy: 'member.invite.by',
    expiresAt: 'member.invite.expiresAt',
    createdAt: 'member.invite.createdAt',
  },
});
