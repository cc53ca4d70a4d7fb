import { z } from 'zod';
import {
  ApproveConfig,
  AuditDetail,
  AuditDevices,
  AuditHead,
  AuditRecord,
  Comment,
  ContentHash,
  Decision,
} from '../engines/approval/schemas.ts';
import { FileToken } from '../file/calls.ts';
import { call, calls } from '../kit/call.ts';
import { Id, Moment, secret } from '../kit/schema.ts';
import { beside } from './calls.ts';

const faults = ['APPROVAL_LINK'];
/** What a mailed link says: which approval, who is asked, and the proof that it was sent. */
const Signed = z.strictObject({ taskAuditId: Id, auditUserId: Id, sign: secret(z.string().min(16).max(128)) });
const read = <O extends z.ZodType>(output: O) =>
  call({ can: 'public', reads: true, tx: 'own', input: Signed.extend(beside), output, faults });

/** Approvals from a mail, without a sign-in. A link is one person's, for one step of one content, and decides once. */
export const approvalEmailCalls = calls('approval', '/task/audit/email', {
  baseInfo: read(
    AuditHead.omit({ allowedActions: true, offers: true, mine: true }).extend({
      approver: z.string(),
      /** Who is away, and whom the approver decides for. */
      standsInFor: z.array(z.string()),
      expiresAt: Moment,
      asksCustomer: z.boolean(),
    }),
  ),
  detailInfo: read(AuditDetail),
  deviceList: read(AuditDevices),
  result: read(z.array(AuditRecord)),
  /** The token that opens a file of the history for a minute. Who fetched which one stands in the log. */
  file: call({ can: 'public', tx: 'own', input: Signed.extend({ fileId: Id }), output: FileToken, faults }),
  configByTask: read(ApproveConfig),
  config: read(ApproveConfig),
  auditResult: call({
    can: 'public',
    tx: 'own',
    input: Signed.extend({ decision: Decision, contentHash: ContentHash, comment: Comment }),
    output: z.object({ step: z.string() }),
    faults: [...faults, 'APPROVAL_CHANGED', 'APPROVAL_OVER', 'CHANGE_ONE_HAND'],
  }),
});
