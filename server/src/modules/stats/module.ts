import { homeCalls, statisticCalls, wallCalls } from '@mooring/contract/stats/calls';
import { complianceCalls } from '@mooring/contract/stats/compliance-calls';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { complianceDepts, complianceExporter, complianceVersions, deptComplianceExporter } from './compliance.ts';
import { failuresOf } from './failures.ts';
import { fleetOf, versionsOf } from './fleet.ts';
import { foldJob } from './fold.ts';
import { onlineOf } from './online.ts';
import { overview } from './overview.ts';
import { releasesOf } from './releases.ts';
import { pruneJob, sampleJob } from './sample.ts';
import { trend } from './trend.ts';
import { versionHistory } from './version-history.ts';
import { wallView } from './wall.ts';
import { whereOf } from './where.ts';

export const stats: Module = {
  name: 'stats',
  routes: [
    ...handlers(homeCalls, {
      overview,
      fleet: async (ctx, input) => fleetOf(ctx, await whereOf(ctx, input)),
      online: async (ctx, { days, ...of }) => onlineOf(ctx, await whereOf(ctx, of), days),
      releases: async (ctx, { days, ...of }) => releasesOf(ctx, await whereOf(ctx, of), days),
      failures: async (ctx, { days, ...of }) => failuresOf(ctx, await whereOf(ctx, of), days),
      versions: async (ctx, input) => versionsOf(ctx, await whereOf(ctx, input)),
    }),
    ...handlers(statisticCalls, { trend }),
    ...handlers(complianceCalls, {
      versions: complianceVersions,
      history: async (ctx, { days, kind, ...of }) => versionHistory(ctx, { ...(await whereOf(ctx, of)), kind }, days),
      export: (ctx, input) => startExport(ctx, complianceExporter, input),
      depts: complianceDepts,
      exportDepts: (ctx, input) => startExport(ctx, deptComplianceExporter, input),
    }),
    ...handlers(wallCalls, { view: wallView }),
  ],
  exporters: [complianceExporter, deptComplianceExporter],
  jobs: [foldJob, sampleJob, pruneJob],
};
