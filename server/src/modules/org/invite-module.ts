import { deptInviteCalls } from '@mooring/contract/org/invite-calls';
import type { House } from '../../platform/house.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { expireDeptInvites, inviteDept, pageDeptInvites, readDoor, setDoor, withdrawDeptInvite } from './invite-dept.ts';

/** Organisations that are asked to register, and who finds a unit at the door. */
export const makeOrgInvites = (house: House): Module => ({
  name: 'org-invite',
  jobs: [expireDeptInvites],
  routes: handlers(deptInviteCalls, {
    page: pageDeptInvites,
    add: inviteDept(house),
    withdraw: withdrawDeptInvite,
    door: readDoor,
    setDoor,
  }),
});
