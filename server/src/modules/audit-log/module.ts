import { footprintCalls, logCalls } from '@mooring/contract/audit-log/calls';
import { z } from 'zod';
import { pruneAudit } from '../../platform/audit/seal-chain.ts';
import { handlers, job, type Module } from '../../platform/module.ts';
import { readSetting } from '../../platform/settings.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { findPeople } from '../account/api.ts';
import { forgetVisits, noteVisit, pageFootprint } from './footprint.ts';
import { logExporter, pageLogs, readLog } from './page-logs.ts';
import { startVerify, verifyJob } from './verify-chain.ts';

/** Nightly: sealed rows older than the settings say. The chain goes on from its last link that went. */
const prune = job({
  name: 'audit:prune',
  payload: z.object({}),
  every: '53 3 * * *',
  run: (ctx) =>
    ctx.unscoped(async (db) => {
      const { auditMonths } = await readSetting(db, 'retention');
      const before = new Date(ctx.now());
      before.setUTCMonth(before.getUTCMonth() - auditMonths);
      await pruneAudit(db, before);
    }),
});

export const auditLog: Module = {
  name: 'audit-log',
  exporters: [logExporter],
  jobs: [verifyJob, forgetVisits, prune],
  routes: [
    ...handlers(logCalls, {
      page: pageLogs,
      detail: readLog,
      export: (ctx, input) => startExport(ctx, logExporter, input),
      verify: startVerify,
    }),
    ...handlers(footprintCalls, { page: pageFootprint, people: (ctx, input) => findPeople(ctx.db, input), visit: noteVisit }),
  ],
};
