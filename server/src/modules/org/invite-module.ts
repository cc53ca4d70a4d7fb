import { deptInviteCalls } from '@mooring/contract/org/invite-calls';
import type { AppContext } from '../../platform/app-context.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { deptInviteExporter } from './exports.ts';
import { expireDeptInvites, inviteDept, pageDeptInvites, readJoinSettings, setDoor, withdrawDeptInvite } from './invite-dept.ts';

/** Organisations that are asked to register, and who finds a unit at the door. */
export const makeOrgInvites = (app: AppContext): Module => ({
  name: 'org-invite',
  jobs: [expireDeptInvites],
  exporters: [deptInviteExporter],
  routes: handlers(deptInviteCalls, {
    page: pageDeptInvites,
    export: (ctx, input) => startExport(ctx, deptInviteExporter, input),
    add: inviteDept(app),
    withdraw: withdrawDeptInvite,
    door: readJoinSettings,
    setDoor,
  }),
});
