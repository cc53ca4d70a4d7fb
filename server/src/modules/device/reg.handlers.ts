import type { regCalls } from '@mooring/contract/device/reg-calls';
import type { Handler } from '../../platform/module.ts';
import { acceptPending, refusePending } from './decide-pending.ts';
import { addFactory, deleteFactory, pageFactories, updateFactory } from './factory-calls.ts';
import { addCode, pageCodes, withdrawCode } from './make-enrol-code.ts';
import { pageExpected, pagePending } from './reg-pages.ts';
import { addRule, deleteRule, pageRules, updateRule } from './rule-calls.ts';

export const regHandlers: { readonly [K in keyof typeof regCalls]: Handler<(typeof regCalls)[K]> } = {
  page: pagePending,
  expected: pageExpected,
  accept: acceptPending,
  refuse: refusePending,
  codes: pageCodes,
  code: addCode,
  codeWithdraw: withdrawCode,
  rules: pageRules,
  ruleAdd: addRule,
  ruleUpdate: updateRule,
  ruleDelete: deleteRule,
  factories: pageFactories,
  factoryAdd: addFactory,
  factoryUpdate: updateFactory,
  factoryDelete: deleteFactory,
};
