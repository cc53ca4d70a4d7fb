import { userCalls } from '@mooring/contract/account/calls';
import { policyCalls } from '@mooring/contract/account/policy-calls';
import { handlers, type Module } from '../../platform/module.ts';
import { policiesAt } from '../auth/api.ts';
import { changePassword } from './change-password.ts';
import { editLoginPolicy, editPasswordPolicy, policies } from './policy-calls.ts';
import { userInfo } from './user-info.ts';

export const account: Module = {
  name: 'account',
  routes: [
    ...handlers(userCalls, {
      info: (ctx) => userInfo(ctx),
      pwdPolicy: (ctx) => ctx.unscoped(async (db) => (await policiesAt(db, ctx.actor.deptPath)).password),
      password: (ctx, input) => changePassword(ctx, input),
      editAccount: async (ctx, input) => {
        const { language, timeZone } = input;
        if (language === undefined && timeZone === undefined) return null;
        const set = { ...(language === undefined ? {} : { language }), ...(timeZone === undefined ? {} : { time_zone: timeZone }) };
        await ctx.unscoped((db) => db.updateTable('account_user').set(set).where('id', '=', ctx.actor.userId).execute());
        return null;
      },
    }),
    ...handlers(policyCalls, {
      loginDetail: async (ctx, input) => (await policies(ctx, input.productLineId)).login,
      loginEdit: (ctx, input) => editLoginPolicy(ctx, input),
      pwdDetail: async (ctx, input) => (await policies(ctx, input.productLineId)).password,
      pwdEdit: (ctx, input) => editPasswordPolicy(ctx, input),
    }),
  ],
};
