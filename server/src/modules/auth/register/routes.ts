import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import { registerCalls } from '@mooring/contract/auth/register-calls';
import type { AppContext } from '../../../platform/app-context.ts';
import { handlers, type Route } from '../../../platform/module.ts';
import { applyOnceMore, showApplication, withdrawApplication } from './application.ts';
import { findPlaces, registrationState } from './before-sign-in.ts';
import { confirmEmail } from './confirm-email.ts';
import { registerInvited, registerInvitedDept, showDeptInvite, showInvite } from './invited.ts';
import { register } from './register.ts';

const deptOf = (input: { name: string; timeZone: string; contactPhone: string; address: string }) => ({
  name: input.name,
  timeZone: input.timeZone,
  contactPhone: input.contactPhone,
  address: input.address,
});

export const registerRoutes = (app: AppContext): Route[] => [
  ...handlers(invitedCalls, {
    user: (ctx, { code }) => showInvite(ctx, code),
    userRegist: (ctx, input) => registerInvited(ctx, input),
    dept: (ctx, { code }) => showDeptInvite(ctx, code),
    deptRegist: (ctx, input) => registerInvitedDept(ctx, input),
  }),
  ...handlers(registerCalls, {
    state: (ctx) => registrationState(ctx),
    find: (ctx, input) => findPlaces(ctx, input.kind, input.text),
    captcha: (ctx, input) => confirmEmail(app, ctx, input),
    dept: (ctx, input) => register(app, ctx, { ...input, kind: 'org', placeId: input.unitId, field: 'unitId', dept: deptOf(input) }),
    child: (ctx, input) => register(app, ctx, { ...input, kind: 'child', placeId: input.parentId, field: 'parentId', dept: deptOf(input) }),
    join: (ctx, input) => register(app, ctx, { ...input, kind: 'join', placeId: input.deptId, field: 'deptId' }),
    one: (ctx, input) => register(app, ctx, { ...input, kind: 'one', field: '' }),
    detail: (ctx, { id }) => showApplication(ctx, id),
    withdraw: (ctx, { id }) => withdrawApplication(ctx, id),
    resubmit: (ctx, { id, dept }) => applyOnceMore(ctx, id, dept),
  }),
];
