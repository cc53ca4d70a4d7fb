import { deptCalls } from '@mooring/contract/org/calls';
import { deptInviteCalls } from '@mooring/contract/org/invite-calls';
import { deptInviteMachine, orgMachine, trustMachine } from '@mooring/contract/org/state-machines';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { pageApplications } from './applications.ts';
import { pageDeptInvites } from './invite-dept.ts';
import { pageTrusts } from './trust.ts';

export const applicationExporter = rowExporter(deptCalls.applications, deptCalls.exportApplications, {
  title: 'org.tab.applications',
  page: pageApplications,
  sort: 'name',
  columns: {
    name: 'org.name',
    state: ['org.state', orgMachine],
    createdAt: 'org.appliedAt',
    parentName: 'org.parent',
    contactName: 'org.contactName',
    contactEmail: 'org.contactEmail',
    reason: 'org.reason',
    contactPhone: 'org.contactPhone',
    address: 'org.address',
  },
});

export const deptInviteExporter = rowExporter(deptInviteCalls.page, deptInviteCalls.export, {
  title: 'org.tab.invites',
  page: pageDeptInvites,
  sort: 'createdAt',
  columns: {
    name: 'org.name',
    email: 'org.invite.email',
    state: ['org.state', deptInviteMachine],
    parentName: 'org.parent',
    invitedBy: 'org.invite.by',
    expiresAt: 'org.invite.until',
    createdAt: 'org.createdAt',
  },
});

export const trustExporter = rowExporter(trustCalls.page, trustCalls.export, {
  title: 'org.tab.trust',
  page: pageTrusts,
  sort: 'createdAt',
  columns: {
    deptName: 'org.trust.giver',
    trusteeName: 'org.trust.trustee',
    state: ['org.state', trustMachine],
    until: 'org.trust.until',
    givenBy: 'org.trust.givenBy',
    createdAt: 'org.createdAt',
  },
});
