import type { Handler } from '../../platform/module.ts';
import { acceptPending, refusePending } from './decide-pending.ts';
import { addCode, pageCodes, withdrawCode } from './make-enrol-code.ts';
import type { enrolCalls } from './reg-groups.ts';
import { pageExpected, pagePending } from './reg-pages.ts';

export const regHandlers: { readonly [K in keyof typeof enrolCalls]: Handler<(typeof enrolCalls)[K]> } = {
  page: pagePending,
  expected: pageExpected,
  accept: acceptPending,
  refuse: refusePending,
  codes: pageCodes,
  code: addCode,
  codeWithdraw: withdrawCode,
};
