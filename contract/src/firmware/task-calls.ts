import { z } from 'zod';
import { RingStanding } from '../engines/rollout/rings.ts';
import {
  Attempt,
  Curve,
  Delivery,
  Previous,
  Reasons,
  TaskFilters,
  TaskHead,
  TaskPreview,
  TaskResult,
  TaskScope,
} from '../engines/rollout/schemas.ts';
import { resultMachine, taskMachine } from '../engines/rollout/state-machines.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Name, Remark, ref, revises } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';

const PackageOfTask = z.object({
  id: Id,
  /** Its name alone is left: only ended tasks used it. */
  deleted: z.boolean(),
  version: z.string(),
  kind: z.string(),
  productName: z.string(),
  size: z.number(),
  sha256: z.string(),
});
export const FirmwareTask = TaskHead.extend({ package: PackageOfTask });
export type FirmwareTask = z.infer<typeof FirmwareTask>;
export const FirmwareTaskDetail = FirmwareTask.extend({
  scope: TaskScope,
  delivery: Delivery,
  openRing: z.int(),
  rings: z.array(RingStanding),
});
export type FirmwareTaskDetail = z.infer<typeof FirmwareTaskDetail>;

export const TaskNew = z.strictObject({
  name: Name,
  packageId: ref('firmwarePackage'),
  scope: TaskScope,
  delivery: Delivery.prefault({}),
  remark: Remark.default(''),
});
const seeing = 'firmware:task:page';
const one = z.strictObject({ id: Id });
/** A part of the package's version, beside what every kind's list filters by. */
const taskFilters = { ...TaskFilters, version: filter.text() };
const many = (can: `firmware:${string}`) => call({ can, input: bulkOf(criteriaOf(taskFilters)), output: BulkOutcome, tx: 'own' });

const tasksAt = (path: string) =>
  calls('firmware', path, {
    page: call({ can: seeing, reads: true, input: pageQuery(taskFilters, ['-createdAt', 'name']), output: pageOf(FirmwareTask) }),
    detail: call({ can: seeing, reads: true, input: one, output: FirmwareTaskDetail }),
    /** With `release` it is enabled in the same step. */
    add: call({
      can: 'firmware:task:add',
      input: TaskNew.extend({ release: z.boolean().default(false) }),
      output: FirmwareTask,
      faults: ['PACKAGE_NOT_PUBLISHED', 'NO_DEVICES', 'SCOPE_EMPTY', 'EXPIRY_PAST'],
    }),
    edit: call({
      can: 'firmware:task:add',
      input: TaskNew.extend({ id: Id, ...revises('task') }),
      output: FirmwareTask,
      faults: ['PACKAGE_NOT_PUBLISHED', 'NO_DEVICES', 'SCOPE_EMPTY', 'EXPIRY_PAST', 'TASK_NOT_EDITABLE'],
    }),
    /** Before the release: how many, from which versions, bytes, expected end. */
    preview: call({
      can: 'firmware:task:add',
      reads: true,
      input: TaskNew.omit({ name: true, remark: true }),
      output: TaskPreview,
      faults: ['PACKAGE_NOT_PUBLISHED', 'SCOPE_EMPTY'],
    }),
    submit: transition(taskMachine, 'submit', 'firmware:task:add', FirmwareTask),
    enable: transition(taskMachine, 'enable', 'firmware:task:enable', FirmwareTask, {
      faults: ['PACKAGE_NOT_PUBLISHED', 'EXPIRY_PAST', 'NO_DEVICES'],
    }),
    disable: transition(taskMachine, 'disable', 'firmware:task:enable', FirmwareTask),
    start: transition(taskMachine, 'start', 'firmware:task:enable', FirmwareTask),
    pause: transition(taskMachine, 'pause', 'firmware:task:pause', FirmwareTask),
    recover: transition(taskMachine, 'recover', 'firmware:task:pause', FirmwareTask),
    /** Opens the next ring now, whatever the open one stands at. `ring` is the number of the one to open. */
    openRing: call({
      can: 'firmware:task:enable',
      input: one.extend({ ring: z.int().min(2).max(10) }),
      output: FirmwareTaskDetail,
    }),
    cancel: transition(taskMachine, 'cancel', 'firmware:task:cancel', FirmwareTask),
    delete: call({ can: 'firmware:task:delete', input: one, faults: ['TASK_NOT_DELETABLE'] }),
    pauseMany: many('firmware:task:pause'),
    recoverMany: many('firmware:task:pause'),
    cancelMany: many('firmware:task:cancel'),
    deleteMany: many('firmware:task:delete'),
    curve: call({ can: seeing, reads: true, input: one, output: Curve }),
    reasons: call({ can: seeing, reads: true, input: one, output: Reasons }),
    /** For the way back. */
    previous: call({ can: 'firmware:task:add', reads: true, input: one, output: Previous }),
  });

/** Daily tasks, for terminals in the field. */
export const taskCalls = tasksAt('/api/fotaUptask');
/** Pre-tasks: the same calls for what waits for terminals that aren't active yet. What goes by an id is the same task by either. */
export const preTaskCalls = tasksAt('/api/fotaPreUptask');
export type TaskCalls = typeof taskCalls;

export const resultFilters = {
  taskId: Id,
  sn: filter.text(32),
  state: filter.exact(stateOf(resultMachine)),
  reason: filter.exact(z.string().max(64)),
};
const resultCriteria = criteriaOf(resultFilters).required({ taskId: true });

/** The devices of a task. */
export const taskDeviceCalls = calls('firmware', '/api/fotataskdevice', {
  page: call({
    can: seeing,
    reads: true,
    input: pageQuery(resultFilters, ['attention', 'sn']).refine((it) => it.criteria.taskId !== undefined, {
      path: ['criteria', 'taskId'],
      message: 'invalid.required',
    }),
    output: pageOf(TaskResult),
  }),
  attempts: call({ can: seeing, reads: true, input: one, output: z.array(Attempt) }),
  /** Failed and timed-out devices go out again, until the task's expiry. */
  retry: call({
    can: 'firmware:task:retry',
    input: bulkOf(resultCriteria),
    output: BulkOutcome,
    faults: ['TASK_EXPIRED', 'PACKAGE_NOT_PUBLISHED'],
  }),
  export: exporting('firmware:task:export', resultCriteria),
});
/** Firmware on a device's own page: its tasks and why it isn't updated. */
export const deviceFirmwareCalls = calls('firmware', '/fota/device', {
  tasks: call({
    can: 'device:device:page||device:all:page',
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    output: z.array(TaskResult.extend({ taskName: z.string(), taskVersion: z.string() })),
  }),
});
