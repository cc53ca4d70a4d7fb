import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import type { TaskCalls, TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import { fault } from '@mooring/contract/kit/fault';
import { handlers, type Route } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { manyTasks } from './many-tasks.ts';
import { cancelTask, disableTask, enableTask, openNextRing, pauseTask, recoverTask, startTask, submitTask } from './move-task.ts';
import { pageResults, resultExporter } from './page-results.ts';
import { pageTasks, taskExporter } from './page-tasks.ts';
import { previewTask } from './preview-task.ts';
import { previousVersions } from './previous-versions.ts';
import { attemptsOf, curveOf, reasonsOf, releaseBefore } from './result-queries.ts';
import { retryDevices } from './retry-devices.ts';
import type { RolloutKind } from './task.ts';
import { showDetail, taskById } from './task-row.ts';
import { addTask, deleteTask, editTask } from './write-task.ts';

/** Tasks of a kind and class. */
export const taskRoutes = (kind: RolloutKind, calls: TaskCalls, taskClass: TaskClass): Route[] => {
  const { of } = kind;
  return handlers(calls, {
    page: pageTasks(kind, taskClass),
    export: (ctx, input) => startExport(ctx, taskExporter(kind, calls, taskClass), input),
    detail: (ctx, input) => showDetail(ctx, kind, input.id),
    add: addTask(kind, taskClass),
    edit: (ctx, input) => editTask(ctx, kind, input),
    preview: previewTask(kind, taskClass),
    submit: (ctx, input) => submitTask(ctx, kind, input.id, input),
    enable: (ctx, input) => enableTask(ctx, kind, input.id, input),
    disable: (ctx, input) => disableTask(ctx, kind, input.id),
    start: (ctx, input) => startTask(ctx, kind, input.id),
    pause: (ctx, input) => pauseTask(ctx, kind, input.id),
    recover: (ctx, input) => recoverTask(ctx, kind, input.id),
    openRing: (ctx, input) => openNextRing(ctx, kind, input),
    cancel: (ctx, input) => cancelTask(ctx, kind, input.id),
    delete: (ctx, input) => deleteTask(ctx, kind, input.id),
    pauseMany: (ctx, input) => manyTasks(ctx, [kind], taskClass, 'pause', input),
    recoverMany: (ctx, input) => manyTasks(ctx, [kind], taskClass, 'recover', input),
    cancelMany: (ctx, input) => manyTasks(ctx, [kind], taskClass, 'cancel', input),
    deleteMany: (ctx, input) => manyTasks(ctx, [kind], taskClass, 'delete', input),
    curve: async (ctx, input) => curveOf(ctx.db, (await taskById(ctx, of, input.id)).id),
    previous: (ctx, input) => previousVersions(ctx, kind, input),
    before: async (ctx, input) => releaseBefore(ctx.db, await taskById(ctx, of, input.id)),
    reasons: async (ctx, input) => reasonsOf(ctx.db, [(await taskById(ctx, of, input.id)).id]),
  });
};

export const dailyTaskRoutes = (kind: RolloutKind, calls: TaskCalls) => taskRoutes(kind, calls, taskClasses.daily);
export const preTaskRoutes = (kind: RolloutKind, calls: TaskCalls) => taskRoutes(kind, calls, taskClasses.preset);

/** Devices of tasks of a kind. */
export const taskDeviceRoutes = (kind: RolloutKind, calls: TaskDeviceCalls): Route[] =>
  handlers(calls, {
    page: (ctx, input) => {
      if (input.criteria.taskId === undefined) throw fault('BAD_INPUT');
      return pageResults(ctx, kind, input);
    },
    attempts: (ctx, input) => attemptsOf(ctx.db, kind.of, input.id),
    retry: (ctx, input) => retryDevices(ctx, kind, input),
    export: (ctx, input) => startExport(ctx, resultExporter(kind), input),
  });
