import { deptCalls } from '@mooring/contract/org/calls';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { countApplications, pageApplications } from './applications.ts';
import { newDept, updateDept } from './change-dept.ts';
import { deptInScope, deptOf, impactOf } from './dept.queries.ts';
import { approveDept, disableDept, enableDept, refuseDept } from './dept-state.ts';
import { applicationExporter, trustExporter } from './exports.ts';
import { deptImport } from './import-depts.ts';
import { managedDepts } from './managed-depts.ts';
import { deptExporter, pageDepts } from './page-depts.ts';
import { regroup, regroupJob, sweepJob } from './regroup.ts';
import { searchDepts } from './search-depts.ts';
import { seedPlatform } from './seed-platform.ts';
import { treeOf } from './tree.ts';
import { endTrust, expireTrusts, giveTrust, pageTrusts, trustCandidates } from './trust.ts';
import { unitExporters, unitRoutes } from './units.ts';

export function makeOrg(app: AppContext): Module {
  const imported = deptImport(openStore(app.config, app.counts));
  return {
    name: 'org',
    seed: seedPlatform,
    refs: { dept: 'org_dept' },
    jobs: [regroupJob, sweepJob, expireTrusts, imported.job],
    exporters: [deptExporter, applicationExporter, trustExporter, ...unitExporters],
    counts: { dept: { can: 'org:dept:audit', count: countApplications } },
    routes: [
      ...handlers(deptCalls, {
        managed: (ctx) => managedDepts(ctx),
        search: (ctx, input) => searchDepts(ctx.db, ctx.scope.path, input.text, input.ids),
        tree: treeOf,
        detail: async (ctx, { id }) => {
          const row = await deptInScope(ctx, ctx.db, id);
          return { ...deptOf(ctx)(row), impact: await impactOf(ctx.db, row.dept_path) };
        },
        page: pageDepts,
        export: (ctx, input) => startExport(ctx, deptExporter, input),
        template: (ctx, _input, wire) => imported.template(ctx, wire),
        import: imported.start,
        add: newDept,
        update: (ctx, { id, ...fields }) => updateDept(ctx, id, fields),
        enable: (ctx, { id }) => enableDept(ctx, id),
        disable: (ctx, { id, preview }) => disableDept(ctx, id, preview),
        approve: (ctx, { id }) => approveDept(ctx, id),
        refuse: (ctx, { id, reason }) => refuseDept(ctx, id, reason),
        applications: pageApplications,
        exportApplications: (ctx, input) => startExport(ctx, applicationExporter, input),
        move: (ctx, { id, parentId, preview }) => regroup(ctx, 'move', id, parentId, preview),
        merge: (ctx, { id, into, preview }) => regroup(ctx, 'merge', id, into, preview),
      }),
      ...handlers(trustCalls, {
        page: pageTrusts,
        export: (ctx, input) => startExport(ctx, trustExporter, input),
        candidates: trustCandidates,
        give: giveTrust,
        end: endTrust,
      }),
      ...unitRoutes,
    ],
  };
}
