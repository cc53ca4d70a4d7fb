import type { ApproveConfig, AuditDevices, AuditRecord } from '@mooring/contract/engines/approval/schemas';
import { positionOf, releaseCourse, stages, stepsOf } from '@mooring/contract/engines/approval/steps';
import { fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import type { Audit } from '../../engines/approval/audit.ts';
import { filesOf } from '../../engines/approval/files.ts';
import { taskToAgree } from '../../engines/rollout/approved.ts';
import type { RolloutKind } from '../../engines/rollout/task.ts';
import { kindNamed } from '../../engines/rollout/task.ts';
import { terminalsToAgree } from '../../engines/rollout/terminals-to-agree.ts';
import type { Db } from '../../platform/context.ts';
import { recordSeenAt } from './files.ts';
import { kindOfType } from './kinds.ts';

/** Terminals at and below a path; of others a person learns nothing. */
export async function devicesOf(db: Db, kinds: readonly RolloutKind[], audit: Audit, path: string): Promise<z.input<typeof AuditDevices>> {
  const task = await taskToAgree(db, audit.task_id);
  const kind = kindNamed(kinds, kindOfType(audit.task_type).of.kind);
  if (!task || !kind) throw fault('NOT_FOUND');
  const found = await terminalsToAgree(db, kind, task, path);
  return {
    productList: found.products.map(({ name, count }) => ({ productName: name, count })),
    taskAuditDeviceVoList: found.terminals.map(({ dept_name: deptName, ...row }) => ({ ...row, deptName })),
    invalidDeviceList: [...found.invalid],
    total: found.total,
    invalidTotal: found.invalidTotal,
  };
}

/** What was done, to a reader at a path; with what was given. */
export async function recordsOf(db: Db, audit: Audit, path: string): Promise<z.input<typeof AuditRecord>[]> {
  const shown = await db
    .selectFrom('approval_record as r')
    .selectAll('r')
    .where('r.audit_id', '=', audit.id)
    .where(recordSeenAt(path))
    .orderBy('r.id')
    .limit(500)
    .execute();
  const files = await filesOf(
    db,
    shown.map(({ id }) => id),
  );
  return shown.map((row) => ({
    id: row.id,
    event: row.event as 'apply',
    step: row.step,
    toStep: row.to_step,
    actor: row.actor_name,
    onBehalfOf: row.on_behalf_of,
    comment: row.comment,
    way: row.way as 'console',
    at: row.at,
    dueAt: row.due_at,
    contentHash: row.content_hash,
    files: files.get(row.id) ?? [],
  }));
}

export const configOf = (enabled: boolean): z.input<typeof ApproveConfig> => ({
  enabled,
  steps: stages.flatMap((stage) =>
    stepsOf(stage).flatMap((step) => {
      const role = releaseCourse.roleAt[positionOf(step).place];
      return role ? [{ step, role }] : [];
    }),
  ),
});
