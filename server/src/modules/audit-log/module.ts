import { footprintCalls, logCalls } from '@mooring/contract/audit-log/calls';
import { forwardCalls } from '@mooring/contract/audit-log/forward-calls';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import { writeRefusals } from '../../platform/audit/refusals.ts';
import { pruneAudit, signHead } from '../../platform/audit/seal-chain.ts';
import { sealKeys } from '../../platform/audit/seal-keys.ts';
import { handlers, job, type Module } from '../../platform/module.ts';
import { readSetting } from '../../platform/settings.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { findPeople } from '../account/api.ts';
import { forgetVisits, noteVisit, pageFootprint } from './footprint.ts';
import { forwardService } from './forward/forward.ts';
import { forwardState, testForward } from './forward/handlers.ts';
import { logExporter, pageLogs, readLog } from './page-logs.ts';
import { readProof } from './proof.ts';
import { startVerify, verifyJob } from './verify-chain.ts';

/** Nightly: sealed rows older than the settings say. The chain goes on from its last link that went. */
const prune = (app: AppContext) =>
  job({
    name: 'audit:prune',
    fixed: true,
    payload: z.object({}),
    every: '53 3 * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        const { auditMonths } = await readSetting(db, 'retention');
        const before = new Date(ctx.now());
        before.setUTCMonth(before.getUTCMonth() - auditMonths);
        await pruneAudit(db, sealKeys(app.masterKey), before);
      }),
  });

/** Daily: a signature of what the log has come to. Running twice finds that day's. */
const head = (app: AppContext) =>
  job({ name: 'audit:head', payload: z.object({}), every: '2 0 * * *', fixed: true, run: async () => void (await signHead(app)) });

/** Each minute: what was refused in the full ones before. Running twice finds none left. */
const refusals = job({
  name: 'audit:refusals',
  payload: z.object({}),
  every: '* * * * *',
  run: (ctx) => ctx.unscoped((db) => writeRefusals(db, ctx.now())),
});

export const makeAuditLog = (app: AppContext): Module => ({
  name: 'audit-log',
  exporters: [logExporter],
  services: [forwardService],
  jobs: [verifyJob(app), refusals, forgetVisits, prune(app), head(app)],
  routes: [
    ...handlers(logCalls, {
      page: pageLogs,
      detail: readLog,
      export: (ctx, input) => startExport(ctx, logExporter, input),
      verify: startVerify,
      proof: (ctx) => readProof(ctx, app),
    }),
    ...handlers(forwardCalls, { state: (ctx) => forwardState(ctx, app), test: (ctx) => testForward(ctx, app) }),
    ...handlers(footprintCalls, { page: pageFootprint, people: (ctx, input) => findPeople(ctx, input), visit: noteVisit }),
  ],
});
