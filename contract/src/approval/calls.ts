import { z } from 'zod';
import {
  ApproveConfig,
  AuditDetail,
  AuditDevices,
  AuditHead,
  AuditRecord,
  AuditShown,
  Comment,
  ContentHash,
  Decision,
  GivenFiles,
  StepField,
  TaskTypeField,
} from '../engines/approval/schemas.ts';
import { type Can, call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Moment } from '../kit/schema.ts';

/** The specification's lookups: what is given beside the approval must fit it; `id` is its release's. */
export const beside = { auditStep: StepField.optional(), businessType: TaskTypeField.optional(), id: Id.optional() };
export const lookup = { taskAuditId: Id, ...beside };
/** Lists on Operations are by kind; on Customer there is one of all. */
const see = 'approval:firmware:page||approval:module:page||approval:patch:page||approval:own:page';
const decide = 'approval:firmware:decide||approval:module:decide||approval:patch:decide';
const own = 'approval:own:decide';
/** Whoever may release it. */
const applying = 'firmware:task:enable||module:task:enable||patch:task:enable';

const faults = ['APPROVAL_ROLE', 'APPROVAL_OWN', 'APPROVAL_CHANGED', 'APPROVAL_OVER', 'CHANGE_ONE_HAND', 'FILE_KIND_REFUSED'];
const said = { taskAuditId: Id, comment: Comment, files: GivenFiles };
const act = (can: Can) => call({ can, tx: 'own', input: z.strictObject(said), output: AuditShown, faults });
const deciding = { auditStep: StepField, contentHash: ContentHash.optional(), decision: Decision };

const filters = {
  name: filter.text(),
  /** The one of a release, beside its type. */
  taskId: Id,
  taskType: filter.exact(TaskTypeField),
  taskClass: z.enum(['0', '1']),
  step: filter.exact(StepField),
  createdAt: filter.moment(),
  /** Those alone that wait for the person who asks. */
  mine: z.boolean(),
  /** Those whose decision is late. */
  overdue: z.boolean(),
};

/** Approvals of releases. */
export const approvalCalls = calls('approval', '/task/audit', {
  page: call({
    can: see,
    reads: true,
    input: pageQuery(filters, ['-stepAt', 'name', 'createdAt']),
    output: pageOf(AuditHead),
  }),
  export: exporting(see, criteriaOf(filters)),
  baseInfo: call({ can: see, reads: true, input: z.strictObject(lookup), output: AuditShown }),
  detailInfo: call({ can: see, reads: true, input: z.strictObject(lookup), output: AuditDetail }),
  deviceList: call({ can: see, reads: true, input: z.strictObject(lookup), output: AuditDevices }),
  result: call({ can: see, reads: true, input: z.strictObject(lookup), output: z.array(AuditRecord) }),
  /** Of one release, or of a kind for the actor's organisation. */
  configByTask: call({ can: see, reads: true, input: z.strictObject({ taskAuditId: Id }), output: ApproveConfig }),
  config: call({ can: see, reads: true, input: z.strictObject({ taskType: TaskTypeField }), output: ApproveConfig }),
  /** At 12, 13 and their like of stages 2 and 3. */
  auditResult: call({
    can: decide,
    tx: 'own',
    input: z.strictObject({ ...said, ...deciding }),
    output: AuditShown,
    faults,
  }),
  /** At 11, 21 and 31. */
  confirm: call({
    can: decide,
    tx: 'own',
    input: z.strictObject({ ...said, ...deciding }),
    output: AuditShown,
    faults,
  }),
  /** At 14, 24 and 34, by the organisation whose terminals they are; by the region where no organisation has any. */
  resultConfirm: call({
    can: `${own}||${decide}`,
    tx: 'own',
    input: z.strictObject({ ...said, ...deciding }),
    output: AuditShown,
    faults,
  }),
  /** Back for a change, without a refusal: by who decides at this step, or by the applicants themselves. */
  returnToUpdate: act(`${applying}||${decide}||${own}`),
  applyTrial: act(applying),
  applyFull: act(applying),
  cancelTrial: act(applying),
  cancelFull: act(applying),
  /** Without a further edit: 51. */
  end: act(applying),
  /** By those who keep the rules, on Customer: a later time for the decision that it waits for. The reason goes into the history. */
  extend: call({
    can: 'settings:system:update',
    tx: 'own',
    input: z.strictObject({ taskAuditId: Id, auditStep: StepField, dueAt: Moment, comment: z.string().trim().min(1).max(500) }),
    output: AuditShown,
    faults: ['APPROVAL_NO_LIMIT', 'APPROVAL_DUE'],
  }),
  taskCount: call({ can: 'session', reads: true, path: '/task/audit/count', output: z.int() }),
  maintenanceCount: call({
    can: 'session',
    reads: true,
    path: '/task/audit/maintenanceCount',
    output: z.object({
      fota: z.object({ allCnt: z.int(), dailyCnt: z.int(), presetCnt: z.int() }),
      module: z.object({ allCnt: z.int() }),
      patch: z.object({ allCnt: z.int(), dailyCnt: z.int(), presetCnt: z.int() }),
    }),
  }),
});
