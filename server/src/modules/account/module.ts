import { userCalls } from '@mooring/contract/account/calls';
import { defaultPasswordRules } from '@mooring/contract/shared/password';
import { handlers, type Module } from '../../platform/module.ts';
import { changePassword } from './change-password.ts';
import { userInfo } from './user-info.ts';

export const account: Module = {
  name: 'account',
  routes: handlers(userCalls, {
    info: (ctx) => userInfo(ctx),
    pwdPolicy: async () => ({ ...defaultPasswordRules, remainValidPeriod: 0 }),
    password: (ctx, input) => changePassword(ctx, input),
    editAccount: async (ctx, input) => {
      const { language, timeZone } = input;
      if (language === undefined && timeZone === undefined) return null;
      const set = { ...(language === undefined ? {} : { language }), ...(timeZone === undefined ? {} : { time_zone: timeZone }) };
      await ctx.unscoped((db) => db.updateTable('account_user').set(set).where('id', '=', ctx.actor.userId).execute());
      return null;
    },
  }),
};
