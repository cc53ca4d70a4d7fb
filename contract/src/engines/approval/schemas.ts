import { z } from 'zod';
import { allowedActions } from '../../kit/allowed-actions.ts';
import { documented, Id, Moment } from '../../kit/schema.ts';
import { stateOf } from '../../kit/state-machine.ts';
import { Ring } from '../rollout/rings.ts';
import { Delivery } from '../rollout/schemas.ts';
import { approvalMachine } from './state-machines.ts';
import { releaseTypes } from './steps.ts';

/** What is configured and listed as an approval: releases alone. */
export const TaskTypeField = z.enum(Object.values(releaseTypes));
export const StepField = stateOf(approvalMachine);
export const Comment = z.string().trim().max(500).default('');
/** Of one act. */
export const MOST_APPROVAL_FILES = 10;
/** Own uploads that are given with an act: a test report, screenshots, a plan. */
export const GivenFiles = z.array(Id).max(MOST_APPROVAL_FILES).default([]);
/** What somebody says and gives when they hand in what has to be approved. */
export const HandingIn = { comment: Comment, files: GivenFiles };
/** A file that stands in the history. */
export const KeptFile = z.object({ id: Id, name: z.string(), size: z.number() });
/** Pass or refuse (specification section 4). */
export const Decision = z.enum(['0', '1']);
export const ContentHash = z.string().regex(/^[0-9a-f]{64}$/, 'invalid.custom');

/** An approval in a list, and the head of its page. */
export const AuditHead = z
  .object({
    id: Id,
    taskId: Id,
    taskType: TaskTypeField,
    taskClass: z.enum(['0', '1']),
    name: z.string(),
    step: StepField,
    result: z.enum(['0', '1', '2']),
    author: z.string(),
    deptName: z.string(),
    createdAt: Moment,
    /** Since when it stands at its step. */
    stepAt: Moment,
    /** By when a decision is due; null where nobody set a limit, or nothing is left to decide. */
    dueAt: Moment.nullable(),
    overdue: z.boolean(),
    /** The person who asks may decide or act at this step. */
    mine: z.boolean(),
    ...allowedActions,
  })
  .register(documented, { id: 'Approval' });

/** One that somebody looks at: also for whom they would decide. */
export const AuditShown = AuditHead.extend({ standsInFor: z.array(z.string()) }).register(documented, { id: 'ApprovalShown' });

/** Parts of the content that a change is named by. */
export const contentParts = ['name', 'package', 'content', 'product', 'scope', 'delivery', 'remark'] as const;

/** How many more are named that are none of the reader's: of them it is told that they are there, not who they are. */
const OthersNamed = z.object({ sns: z.int(), depts: z.int(), groups: z.int(), merchants: z.int(), tags: z.int(), releases: z.int() });

/** A ring and its rules. Of those that it names, the reader's own by their names. */
const AgreedRing = Ring.pick({ openAt: true, haltAt: true, soakMinutes: true, waitForPerson: true }).extend({
  no: z.int(),
  share: z.int().nullable(),
  named: z.array(z.string()),
  others: OthersNamed,
});

/** All that the hash is of, as it is read: whoever agrees to a release agrees to each of these. */
export const Agreed = z
  .object({
    name: z.string(),
    package: z
      .object({ name: z.string(), version: z.string(), kind: z.string(), productName: z.string(), size: z.number(), sha256: z.string() })
      .nullable(),
    releaseScope: z.enum(['0', '1', '2']),
    /** Organisations, groups, merchants, versions, tags or SNs that it is limited to. */
    targets: z.array(z.string()),
    others: OthersNamed,
    rings: z.array(AgreedRing),
    delivery: Delivery.omit({ rings: true }),
    remark: z.string(),
  })
  .register(documented, { id: 'ApprovedContent' });

/** What is asked for: the content that the hash is of. */
export const AuditDetail = Agreed.extend({
  id: Id,
  contentHash: ContentHash,
  /** It isn't what was applied for: somebody changed it past the approval. */
  changed: z.boolean(),
  /** Parts that differ from what was sent back, or was agreed in the stage before. */
  changes: z.array(z.enum(contentParts)),
  /** What it was then; null the first time. */
  earlier: Agreed.nullable(),
}).register(documented, { id: 'ApprovalContent' });

export const AuditDevices = z
  .object({
    productList: z.array(z.object({ productName: z.string(), count: z.int() })),
    /** The first 200. */
    taskAuditDeviceVoList: z.array(
      z.object({
        id: Id,
        sn: z.string(),
        deptName: z.string(),
        version: z.string().nullable(),
        ring: z.int(),
        state: z.string().nullable(),
      }),
    ),
    /** Given SNs that are no terminal of it, and those that fell out since. */
    invalidDeviceList: z.array(z.object({ sn: z.string(), reason: z.string() })),
    total: z.int(),
    /** Of those that aren't reached, of whom the first 200 are named. */
    invalidTotal: z.int(),
  })
  .register(documented, { id: 'ApprovalTerminals' });

/** What was done, by whom, when. */
export const AuditRecord = z.object({
  id: Id,
  event: z.enum([
    'apply',
    'confirm',
    'approveLine',
    'approveMarket',
    'resultConfirm',
    'applyTrial',
    'applyFull',
    'cancelTrial',
    'cancelFull',
    'refuse',
    'return',
    'edit',
    'end',
    'expire',
    'extend',
  ]),
  step: StepField,
  toStep: StepField,
  actor: z.string(),
  /** Who was away, and for whom it was decided. */
  onBehalfOf: z.array(z.string()),
  comment: z.string(),
  way: z.enum(['console', 'email']),
  at: Moment,
  /** To when a limit was extended. */
  dueAt: Moment.nullable(),
  contentHash: z.string().nullable(),
  files: z.array(KeptFile),
});

/** Who decides what, and whether that is asked for at all. */
export const ApproveConfig = z.object({
  enabled: z.boolean(),
  steps: z.array(z.object({ step: StepField, role: z.enum(['1', '2', '3', 'customer']) })),
});
