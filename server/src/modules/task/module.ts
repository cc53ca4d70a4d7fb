import { GENERAL, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { fault } from '@mooring/contract/kit/fault';
import { generalDriftCalls, generalTaskCalls } from '@mooring/contract/task/calls';
import { driftRoutes } from '../../engines/rollout/drift/drift-routes.ts';
import { driftExporter } from '../../engines/rollout/drift/page-drift.ts';
import { manyGeneralTasks } from '../../engines/rollout/many-tasks.ts';
import { generalTaskExporter, pageGeneralTasks } from '../../engines/rollout/page-tasks.ts';
import type { RolloutKind } from '../../engines/rollout/task.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';

/** General releases: several kinds in one list. What is done with one is the engine's, by the calls of its kind; with many, by those of this list. */
export function makeGeneralTasks(all: readonly RolloutKind[]): Module {
  const kinds = all.filter(({ of }) => of.screens.list === GENERAL);
  const exporter = generalTaskExporter(kinds, generalTaskCalls.export);
  return {
    name: 'task',
    exporters: [exporter, driftExporter(kinds, generalDriftCalls.export)],
    routes: [
      ...driftRoutes(kinds, generalDriftCalls),
      ...handlers(generalTaskCalls, {
        page: pageGeneralTasks(kinds, 'page'),
        export: (ctx, input) => startExport(ctx, exporter, input),
        one: async (ctx, { id }) => {
          const row = await ctx.db.selectFrom('rollout_task').select(['id', 'kind', 'name']).where('id', '=', id).executeTakeFirst();
          const kind = kinds.find(({ of }) => of.kind === row?.kind);
          if (!row || !kind || !ctx.actor.permissions.has(taskPermission(kind.of, 'page'))) throw fault('NOT_FOUND');
          return row;
        },
        pauseMany: manyGeneralTasks(kinds, 'pause'),
        recoverMany: manyGeneralTasks(kinds, 'recover'),
        cancelMany: manyGeneralTasks(kinds, 'cancel'),
        deleteMany: manyGeneralTasks(kinds, 'delete'),
      }),
    ],
  };
}
