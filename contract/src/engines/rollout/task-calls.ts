import { z } from 'zod';
import { type Call, call, calls } from '../../kit/call.ts';
import { exporting } from '../../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../../kit/page.ts';
import { ById, documented, Id, Name, Remark, ref, revises } from '../../kit/schema.ts';
import { stateOf, transition } from '../../kit/state-machine.ts';
import { HandingIn } from '../approval/schemas.ts';
import { MAX_RINGS, RingStanding } from './rings.ts';
import {
  ApprovalStanding,
  Attempt,
  Curve,
  Delivery,
  Openings,
  Previous,
  Reasons,
  ReleaseBefore,
  TaskFilters,
  TaskHead,
  TaskPreview,
  TaskResult,
  TaskScope,
} from './schemas.ts';
import { resultMachine, taskMachine } from './state-machines.ts';
import { type TaskAct, type TaskKind, taskPermission } from './task-kind.ts';

export const PackageOfTask = z.object({
  id: Id,
  /** Its name alone is left: only ended tasks used it. */
  deleted: z.boolean(),
  /** Of which part it is a version; empty where the kind has only one. */
  name: z.string(),
  version: z.string(),
  kind: z.string(),
  productName: z.string(),
  size: z.number(),
  sha256: z.string(),
});
/** `package` of a kind that is sent as one; `content` of settings, as their kind declares them. */
export const Task = TaskHead.extend({
  package: PackageOfTask.nullable(),
  content: z.record(z.string(), z.json()).nullable(),
  productName: z.string().nullable(),
}).register(documented, { id: 'Release' });
export type Task = z.infer<typeof Task>;
export const TaskDetail = Task.extend({
  scope: TaskScope,
  delivery: Delivery,
  openRing: z.int(),
  rings: z.array(RingStanding),
  /** Of terminals that aren't through; null until they are chosen. */
  openings: Openings.nullable(),
  approval: ApprovalStanding.nullable(),
}).register(documented, {
  id: 'ReleaseDetail',
});
export type TaskDetail = z.infer<typeof TaskDetail>;

/** A part of the package's version, beside what every kind's list filters by. */
const taskFilters = { ...TaskFilters, version: filter.text() };

// Of every kind alike, and so declared once.
const tasksInput = pageQuery(taskFilters, ['-createdAt', 'name']);
const tasksOutput = pageOf(Task);
const taskCriteria = criteriaOf(taskFilters);
const bulkTasks = bulkOf(taskCriteria);
const delivery = Delivery.prefault({});
const remark = Remark.default('');
const release = z.boolean().default(false);
const ringInput = ById.extend({ ring: z.int().min(2).max(10) });
const previousInput = z.strictObject({ id: Id, ring: z.int().min(1).max(MAX_RINGS).optional(), deviceId: Id.optional() });

/** Calls of the tasks of a kind below one path. `subject` is what a person chooses to send. */
function tasksAt<S extends z.ZodRawShape, H extends z.ZodRawShape>(
  kind: TaskKind,
  path: string,
  subject: S,
  faults: readonly string[],
  handing: H,
) {
  const can = (act: TaskAct) => taskPermission(kind, act);
  const seeing = can('page');
  const many = (act: TaskAct) => call({ can: can(act), input: bulkTasks, output: BulkOutcome, tx: 'own' });
  const given = Object.keys(handing).length > 0 ? ['FILE_KIND_REFUSED', 'APPROVAL_NOT_ASKED'] : [];
  const written = { name: Name, ...subject, scope: TaskScope, delivery, remark };
  const writing = [...faults, 'NO_DEVICES', 'SCOPE_EMPTY', 'EXPIRY_PAST', 'START_PAST', 'APPROVAL_RINGS'];
  return calls(kind.domain, path, {
    page: call({ can: seeing, reads: true, input: tasksInput, output: tasksOutput }),
    export: exporting(can('export'), taskCriteria),
    detail: call({ can: seeing, reads: true, input: ById, output: TaskDetail }),
    /** With `release` it is enabled in the same step: handed in with these words and files, where somebody has to agree. */
    add: call({
      can: can('add'),
      input: z.strictObject({ ...written, release, ...handing }),
      output: Task,
      faults: [...writing, ...given],
    }),
    edit: call({
      can: can('add'),
      input: z.strictObject({ ...written, id: Id, ...revises('task') }),
      output: Task,
      faults: [...writing, 'TASK_NOT_EDITABLE', 'APPROVAL_FIXED'],
    }),
    /** Before the release: how many, from which versions, bytes, expected end. Of one that is edited it counts in the range of its owner. */
    preview: call({
      can: can('add'),
      reads: true,
      input: z.strictObject({ ...subject, scope: TaskScope, delivery, taskId: ref('task').optional() }),
      output: TaskPreview,
      faults: [...faults, 'SCOPE_EMPTY'],
    }),
    submit: call({
      can: can('add'),
      input: ById.extend(handing),
      output: Task,
      faults: ['START_PAST', 'APPROVAL_RINGS', ...given],
      about: 'task: submit',
    }),
    enable: call({
      can: can('enable'),
      input: ById.extend(handing),
      output: Task,
      faults: [...faults, 'EXPIRY_PAST', 'START_PAST', 'NO_DEVICES', 'APPROVAL_RINGS', ...given],
      about: 'task: enable',
    }),
    disable: transition(taskMachine, 'disable', can('enable'), Task),
    start: transition(taskMachine, 'start', can('enable'), Task),
    pause: transition(taskMachine, 'pause', can('pause'), Task),
    recover: transition(taskMachine, 'recover', can('pause'), Task, { faults }),
    /** Opens the next ring now, whatever the open one stands at. `ring` is the number of the one to open. */
    openRing: call({
      can: can('enable'),
      input: ringInput,
      output: TaskDetail,
      faults: ['APPROVAL_NEEDED'],
    }),
    cancel: transition(taskMachine, 'cancel', can('cancel'), Task),
    delete: call({ can: can('delete'), input: ById, faults: ['TASK_NOT_DELETABLE'] }),
    pauseMany: many('pause'),
    recoverMany: many('pause'),
    cancelMany: many('cancel'),
    deleteMany: many('delete'),
    curve: call({ can: seeing, reads: true, input: ById, output: Curve }),
    before: call({ can: seeing, reads: true, input: ById, output: ReleaseBefore }),
    reasons: call({ can: seeing, reads: true, input: ById, output: Reasons }),
    /** For the way back: of the whole release, of a ring, or of a terminal. */
    previous: call({
      can: can('add'),
      reads: true,
      input: previousInput,
      output: Previous,
    }),
  });
}

const packaged = { packageId: ref('package') };
const packageFaults = ['PACKAGE_NOT_PUBLISHED'];

/** Tasks of a kind that is sent as a package: these may have to be approved. Daily ones are for terminals in the field. */
export const packageTaskCalls = (kind: TaskKind) => tasksAt(kind, kind.paths.tasks, packaged, packageFaults, HandingIn);
/** The same calls for what waits for terminals that aren't active yet. What goes by an id is the same task by either. */
export const packagePreTaskCalls = (kind: TaskKind & { paths: { preTasks: string } }) =>
  tasksAt(kind, kind.paths.preTasks, packaged, packageFaults, HandingIn);
/** Tasks that set something on terminals; `content` says what. */
export const settingTaskCalls = <C extends z.ZodType>(kind: TaskKind, content: C, faults: readonly string[] = []) =>
  tasksAt(kind, kind.paths.tasks, { content, productId: ref('product').nullable().default(null) }, faults, {});

export type PackageTaskCalls = ReturnType<typeof packageTaskCalls>;
/** What a person writes of a task of any kind: a package, or content and the product that it is for. */
export interface TaskInput {
  readonly name: string;
  readonly packageId?: number;
  readonly content?: unknown;
  readonly productId?: number | null;
  readonly scope: TaskScope;
  readonly delivery: Delivery;
  readonly remark: string;
}
/** The same before defaults are filled in. */
export interface TaskDraft extends Pick<TaskInput, 'name' | 'packageId' | 'content' | 'productId'> {
  readonly scope: z.input<typeof TaskScope>;
  readonly delivery?: z.input<typeof Delivery> | undefined;
  readonly remark?: string | undefined;
}
type Written<More, Draft> = z.ZodType<TaskInput & More, TaskDraft & Draft>;
/** Of one that is edited. */
interface Edited {
  readonly taskId?: number | undefined;
}
export type PreviewInput = Omit<TaskInput, 'name' | 'remark'> & Edited;
type Asked = z.ZodType<PreviewInput, Omit<TaskDraft, 'name' | 'remark'> & Edited>;
/** Of kinds that may have to be approved alone. */
export interface Handing {
  readonly comment?: string | undefined;
  readonly files?: number[] | undefined;
}
type Handed = z.ZodType<Handing & { readonly id: number }, Handing & { readonly id: number }>;
/** Calls of the tasks of any kind. */
export interface TaskCalls extends Omit<PackageTaskCalls, 'add' | 'edit' | 'preview' | 'submit' | 'enable'> {
  readonly add: Call<Written<Handing & { readonly release: boolean }, Handing & { readonly release?: boolean | undefined }>, typeof Task>;
  readonly submit: Call<Handed, typeof Task>;
  readonly enable: Call<Handed, typeof Task>;
  readonly edit: Call<Written<{ readonly id: number }, { readonly id: number; readonly revision?: number | undefined }>, typeof Task>;
  readonly preview: Call<Asked, typeof TaskPreview>;
}

export const resultFilters = {
  taskId: Id,
  sn: filter.text(32),
  state: filter.exact(stateOf(resultMachine)),
  reason: filter.exact(z.string().max(64)),
};
const resultCriteria = criteriaOf(resultFilters).required({ taskId: true });

const resultsInput = pageQuery(resultFilters, ['attention', 'sn']).refine((it) => it.criteria.taskId !== undefined, {
  path: ['criteria', 'taskId'],
  message: 'invalid.required',
});
const resultsOutput = pageOf(TaskResult);
const attempts = z.array(Attempt);
const bulkResults = bulkOf(resultCriteria);

/** The devices of a task. */
export const taskDeviceCallsOf = (kind: TaskKind) =>
  calls(kind.domain, kind.paths.results, {
    page: call({
      can: taskPermission(kind, 'page'),
      reads: true,
      input: resultsInput,
      output: resultsOutput,
    }),
    attempts: call({ can: taskPermission(kind, 'page'), reads: true, input: ById, output: attempts }),
    /** Failed and timed-out devices go out again, until the task's expiry. */
    retry: call({
      can: taskPermission(kind, 'retry'),
      input: bulkResults,
      output: BulkOutcome,
      faults: ['TASK_EXPIRED', 'PACKAGE_NOT_PUBLISHED'],
    }),
    export: exporting(taskPermission(kind, 'export'), resultCriteria),
  });
export type TaskDeviceCalls = ReturnType<typeof taskDeviceCallsOf>;

/** A task as one device has it. */
export const DeviceRelease = TaskResult.extend({
  kind: z.string(),
  taskName: z.string(),
  /** Part and version of a package; of a setting what is set says its content. */
  taskVersion: z.string(),
  content: Task.shape.content,
});
export type DeviceRelease = z.infer<typeof DeviceRelease>;
/** Releases that are, or were, for a device, newest first: of one kind, or of all. */
export const releasesOfDevice = () =>
  call({
    can: 'device:device:page||device:all:page',
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    output: z.array(DeviceRelease),
  });
