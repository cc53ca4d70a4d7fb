import { z } from 'zod';
import { driftCallsAt } from '../engines/rollout/drift-calls.ts';
import { TaskFilters } from '../engines/rollout/schemas.ts';
import { Task } from '../engines/rollout/task-calls.ts';
import { GENERAL, GENERAL_DRIFT, type TaskAct, taskPermission } from '../engines/rollout/task-kind.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id } from '../kit/schema.ts';
import { generalKinds } from './general-kinds.ts';

const anyOf = (act: TaskAct) => generalKinds.map((kind) => taskPermission(kind, act)).join('||') as `${string}:${string}`;
const { packageId: _sent, ...common } = TaskFilters;
const ofKind = { kind: filter.exact(z.enum(generalKinds.map(({ kind }) => kind))) };
const filters = { ...common, ...ofKind };
const criteria = criteriaOf(filters);
const bulk = bulkOf(criteria);
const many = (act: TaskAct) => call({ can: anyOf(act), input: bulk, output: BulkOutcome, tx: 'own' });

/** General releases of all kinds that the person may see. What is done with one is its kind's; with many, each by the rights of its own. */
export const generalTaskCalls = calls('task', GENERAL, {
  page: call({ can: anyOf('page'), reads: true, input: pageQuery(filters, ['-createdAt', 'name']), output: pageOf(Task) }),
  export: exporting(anyOf('export'), criteria),
  /** Of which kind a release is: its calls show it. */
  one: call({
    can: anyOf('page'),
    reads: true,
    input: ById,
    output: z.object({ id: Id, kind: z.string(), name: z.string() }),
  }),
  pauseMany: many('pause'),
  recoverMany: many('pause'),
  cancelMany: many('cancel'),
  deleteMany: many('delete'),
});

/** What differs on terminals from what general releases left there; each row by the rights of its kind. */
export const generalDriftCalls = driftCallsAt({
  domain: 'task',
  path: GENERAL_DRIFT,
  can: { page: anyOf('page'), export: anyOf('export'), again: anyOf('add') },
  more: ofKind,
});
