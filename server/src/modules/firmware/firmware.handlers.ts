import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { deviceFirmwareCalls, preTaskCalls, type TaskCalls, taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { attemptsOf, curveOf, reasonsOf, resultsOf, taskResult } from '../../engines/rollout/result-queries.ts';
import { talliesOf } from '../../engines/rollout/tally.ts';
import { taskSorts } from '../../engines/rollout/task-queries.ts';
import { page } from '../../platform/db/page.ts';
import { handlers, type Route } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { addPackage } from './add-package.ts';
import { manyPackages, manyTasks, taskFilter } from './bulk.ts';
import { disableTask, enableTask, moveTask, openNextRing, recoverTask, startTask, submitTask } from './move-task.ts';
import { firmwarePackage, packageById, packageConditions, packageSorts, packagesOf } from './package-queries.ts';
import { pageResults, RETRY, resultExporter } from './page-results.ts';
import { previewTask } from './preview-task.ts';
import { previousVersions } from './previous-versions.ts';
import { deletePackage, publishPackage, unpublishPackage } from './publish-package.ts';
import { retryDevices } from './retry-devices.ts';
import type { SignManifest } from './sign-package.ts';
import { firmwareTask, showDetail, taskById, withPackage } from './task-row.ts';
import { addTask, deleteTask, editTask } from './write-task.ts';

const taskRoutes = (group: TaskCalls, taskClass: TaskClass): Route[] =>
  handlers(group, {
    page: async (ctx, input) => {
      const found = await page(ctx.db, withPackage(ctx).where('t.task_class', '=', taskClass).where(taskFilter(input.criteria)), {
        page: input.page,
        sorts: taskSorts,
        id: 't.id',
        map: (row: Parameters<typeof firmwareTask>[1]) => row,
      });
      const tallies = await talliesOf(
        ctx.db,
        found.content.map((row) => row.id),
      );
      return { ...found, content: found.content.map((row) => firmwareTask(ctx, row, tallies.get(row.id) ?? {})) };
    },
    detail: (ctx, input) => showDetail(ctx, input.id),
    add: addTask(taskClass),
    edit: editTask,
    preview: previewTask(taskClass),
    submit: (ctx, input) => submitTask(ctx, input.id),
    enable: (ctx, input) => enableTask(ctx, input.id),
    disable: (ctx, input) => disableTask(ctx, input.id),
    start: (ctx, input) => startTask(ctx, input.id),
    pause: (ctx, input) => moveTask(ctx, input.id, 'pause'),
    recover: (ctx, input) => recoverTask(ctx, input.id),
    openRing: openNextRing,
    cancel: (ctx, input) => moveTask(ctx, input.id, 'cancel', { set: { ended_at: ctx.now() } }),
    delete: (ctx, input) => deleteTask(ctx, input.id),
    pauseMany: (ctx, input) => manyTasks(ctx, taskClass, 'pause', input),
    recoverMany: (ctx, input) => manyTasks(ctx, taskClass, 'recover', input),
    cancelMany: (ctx, input) => manyTasks(ctx, taskClass, 'cancel', input),
    deleteMany: (ctx, input) => manyTasks(ctx, taskClass, 'delete', input),
    curve: async (ctx, input) => curveOf(ctx.db, (await taskById(ctx, input.id)).id),
    previous: (ctx, input) => previousVersions(ctx, input.id),
    reasons: async (ctx, input) => reasonsOf(ctx.db, (await taskById(ctx, input.id)).id),
  });

export const firmwareRoutes = (signer: () => Promise<SignManifest>): Route[] => [
  ...handlers(packageCalls, {
    page: (ctx, input) =>
      page(ctx.db, packagesOf(ctx.db).where(packageConditions(input.criteria)), {
        page: input.page,
        sorts: packageSorts,
        id: 'f.id',
        map: (row: Parameters<typeof firmwarePackage>[0]) => firmwarePackage(row, ctx.actor, ctx.scope.path),
      }),
    detail: async (ctx, input) => {
      const row = await packageById(ctx.db, input.id);
      if (!row) throw fault('NOT_FOUND');
      return firmwarePackage(row, ctx.actor, ctx.scope.path);
    },
    add: async (ctx, { publish, ...input }) => {
      if (publish && !isAllowed(ctx.actor.permissions, packageCalls.publish.can)) throw fault('FORBIDDEN');
      const made = await addPackage(ctx, input);
      return publish ? publishPackage(ctx, made.id, await signer()) : made;
    },
    publish: async (ctx, input) => publishPackage(ctx, input.id, await signer()),
    unpublish: (ctx, input) => unpublishPackage(ctx, input.id),
    delete: (ctx, input) => deletePackage(ctx, input.id),
    publishMany: (ctx, input) => manyPackages(ctx, 'publish', input, signer),
    unpublishMany: (ctx, input) => manyPackages(ctx, 'unpublish', input, signer),
    deleteMany: (ctx, input) => manyPackages(ctx, 'delete', input, signer),
  }),
  ...taskRoutes(taskCalls, taskClasses.daily),
  ...taskRoutes(preTaskCalls, taskClasses.preset),
  ...handlers(taskDeviceCalls, {
    page: pageResults,
    attempts: (ctx, input) => attemptsOf(ctx.db, input.id),
    retry: retryDevices,
    export: (ctx, input) => startExport(ctx, resultExporter, input),
  }),
  ...handlers(deviceFirmwareCalls, {
    tasks: async (ctx, input) => {
      const rows = await resultsOf(ctx.db)
        .innerJoin('firmware_package as f', 'f.id', 't.package_id')
        .select('f.version as task_version')
        .where('r.device_id', '=', input.deviceId)
        .where('r.kind', '=', 'firmware')
        .orderBy('r.id', 'desc')
        .limit(50)
        .execute();
      return rows.map((row) => ({
        ...taskResult(row, ctx.actor, ctx.now(), RETRY),
        taskName: row.task_name,
        taskVersion: row.task_version,
      }));
    },
  }),
];
