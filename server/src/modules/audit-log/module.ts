import { footprintCalls, logCalls } from '@mooring/contract/audit-log/calls';
import { z } from 'zod';
import { writeRefusals } from '../../platform/audit/refusals.ts';
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

/** Each minute: what was refused in the full ones before. Running twice finds none left. */
const refusals = job({
  name: 'audit:refusals',
  payload: z.object({}),
  every: '* * * * *',
  run: (ctx) => ctx.unscoped((db) => writeRefusals(db, ctx.now())),
});

export const auditLog: Module = {
  name: 'audit-log',
  exporters: [logExporter],
  jobs: [verifyJob, refusals, forgetVisits, prune],
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
