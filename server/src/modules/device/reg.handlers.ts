import type { Handler } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { acceptPending, refusePending } from './decide-pending.ts';
import { codeExporter, expectedExporter } from './list-exporters.ts';
import { addCode, pageCodes, withdrawCode } from './make-enrol-code.ts';
import { pendingExporter } from './pending-exporter.ts';
import type { enrolCalls } from './reg-groups.ts';
import { pageExpected, pagePending } from './reg-pages.ts';

export const regHandlers: { readonly [K in keyof typeof enrolCalls]: Handler<(typeof enrolCalls)[K]> } = {
  page: pagePending,
  export: (ctx, input) => startExport(ctx, pendingExporter, input),
  expected: pageExpected,
  exportExpected: (ctx, input) => startExport(ctx, expectedExporter, input),
  accept: acceptPending,
  refuse: refusePending,
  codes: pageCodes,
  exportCodes: (ctx, input) => startExport(ctx, codeExporter, input),
  code: addCode,
  codeWithdraw: withdrawCode,
};
