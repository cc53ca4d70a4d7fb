import { userCalls } from '@mooring/contract/account/calls';
import { contactCalls, leavingCalls, mfaCalls, passkeyCalls, profileCalls, sessionCalls } from '@mooring/contract/account/own-calls';
import { policyCalls } from '@mooring/contract/account/policy-calls';
import { tokenAdminCalls, tokenCalls } from '@mooring/contract/account/token-calls';
import { Fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../platform/app-context.ts';
import { handlers, type Module, type Route } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { endSessionsOf, policiesAt } from '../auth/api.ts';
import { isCountry } from '../language/api.ts';
import { addToken, pageOwnTokens, pageTokens, revokeOwnToken, revokeToken } from './api-tokens.ts';
import { changePassword } from './change-password.ts';
import { bindContact, sendContactCode, unbindMobile } from './contact.ts';
import { cancelOwn, restoreOwn } from './leave.ts';
import { memberParts } from './member-routes.ts';
import { bindInfo, bindTotp, mfaStatus, newRecovery, switchMfa, unbindOwn, verifyCode, verifyPassword } from './mfa.ts';
import { addOwnPasskey, askOwnPasskey, deleteOwnPasskey, offerOwnPasskey, proveByPasskey } from './own-passkeys.ts';
import { endOwn, ownSessions } from './own-sessions.ts';
import { editLoginPolicy, editPasswordPolicy, policies, policyLines } from './policy-calls.ts';
import { setOwn, setPicture } from './profile.ts';
import { tokenExporter } from './token-exporter.ts';
import { userInfo } from './user-info.ts';

const profileRoutes = (app: AppContext): Route[] => [
  ...handlers(userCalls, {
    info: (ctx) => userInfo(ctx),
    pwdPolicy: (ctx) => ctx.unscoped(async (db) => (await policiesAt(db, ctx.actor.deptPath)).password),
    password: (ctx, input) => changePassword(ctx, input),
    editAccount: async (ctx, { language, timeZone }) => {
      const set = { ...(language === undefined ? {} : { language }), ...(timeZone === undefined ? {} : { time_zone: timeZone }) };
      return Object.keys(set).length === 0 ? null : setOwn(ctx, set);
    },
  }),
  ...handlers(profileCalls, {
    editName: (ctx, input) => setOwn(ctx, { name: input.name }),
    country: (ctx, { country }) => {
      if (country !== null && !isCountry(country)) throw new Fault('COUNTRY_UNKNOWN', { fields: { country: 'fault.COUNTRY_UNKNOWN' } });
      return setOwn(ctx, { country });
    },
    image: (ctx, input) => setPicture(ctx, input.image),
  }),
  ...handlers(sessionCalls, {
    list: (ctx) => ownSessions(ctx),
    end: (ctx, input) => endOwn(ctx, input.id),
    endOthers: async (ctx) => {
      await ctx.unscoped((db) => endSessionsOf(db, ctx.actor.userId, ctx.actor.sessionId));
      return null;
    },
  }),
  ...handlers(leavingCalls, {
    cancel: (ctx, input) => cancelOwn(ctx, input.account),
    restoreAuth: (ctx, input) => restoreOwn(ctx, input.ticket),
  }),
  ...handlers(policyCalls, {
    lines: (ctx) => policyLines(ctx),
    loginDetail: async (ctx, input) => (await policies(ctx, input.productLineId)).login,
    loginEdit: (ctx, input) => editLoginPolicy(app, ctx, input),
    pwdDetail: async (ctx, input) => (await policies(ctx, input.productLineId)).password,
    pwdEdit: (ctx, input) => editPasswordPolicy(app, ctx, input),
  }),
];

/** One's own account, and the policies of everybody's. */
export function makeAccount(app: AppContext): Module {
  const members = memberParts(app);
  return {
    ...members,
    name: 'account',
    exporters: [...members.exporters, tokenExporter],
    refs: { user: 'account_user' },
    routes: [
      ...members.routes,
      ...profileRoutes(app),
      ...handlers(tokenCalls, { page: pageOwnTokens, add: addToken, revoke: revokeOwnToken }),
      ...handlers(tokenAdminCalls, {
        page: pageTokens,
        export: (ctx, input) => startExport(ctx, tokenExporter, input),
        revoke: revokeToken,
      }),
      ...handlers(contactCalls, {
        sendCode: (ctx, input) => sendContactCode(app, ctx, input),
        bindEmail: (ctx, input) => bindContact(app, ctx, 'email', input),
        bindMobile: (ctx, input) => bindContact(app, ctx, 'mobile', input),
        unbindMobile: (ctx) => unbindMobile(ctx),
      }),
      ...handlers(mfaCalls, {
        status: (ctx) => mfaStatus(ctx),
        bindInfo: (ctx) => bindInfo(app, ctx),
        bind: (ctx, input) => bindTotp(app, ctx, input.code),
        newRecovery: (ctx) => newRecovery(app, ctx),
        unbind: (ctx) => unbindOwn(ctx),
        modifyStatus: (ctx, input) => switchMfa(ctx, input.on),
        verify: (ctx, input) => verifyCode(app, ctx, input),
        passwordVerify: (ctx, input) => verifyPassword(ctx, input.password),
      }),
      ...handlers(passkeyCalls, {
        options: (ctx, _input, wire) => offerOwnPasskey(app, ctx, wire),
        add: (ctx, input, wire) => addOwnPasskey(app, ctx, input, wire),
        delete: (ctx, input) => deleteOwnPasskey(ctx, input.id),
        verifyOptions: (ctx, _input, wire) => askOwnPasskey(app, ctx, wire),
        verify: (ctx, input, wire) => proveByPasskey(app, ctx, input, wire),
      }),
    ],
  };
}
