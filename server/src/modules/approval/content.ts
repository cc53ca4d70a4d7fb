import { isDeepStrictEqual } from 'node:util';
import type { AuditDetail } from '@mooring/contract/engines/approval/schemas';
import { contentParts } from '@mooring/contract/engines/approval/schemas';
import type { Ring } from '@mooring/contract/engines/rollout/rings';
import { namesTerminals } from '@mooring/contract/engines/rollout/rings';
import type { TaskScope } from '@mooring/contract/engines/rollout/schemas';
import { fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import type { Audit } from '../../engines/approval/audit.ts';
import { taskToAgree } from '../../engines/rollout/approved.ts';
import type { Task } from '../../engines/rollout/task.ts';
import { contentOfTask, hashOfContent } from '../../engines/rollout/task-content.ts';
import type { Db } from '../../platform/context.ts';

const NAMED = 20;
const first = (all: readonly string[]) => (all.length > NAMED ? [...all.slice(0, NAMED), `+${all.length - NAMED}`] : [...all]);

async function deptNames(db: Db, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('org_dept')
    .select('name')
    .where('id', 'in', [...ids])
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}

/** "Winter update, ring 2": the release whose terminals it is for. */
async function updatedBy(db: Db, by: Extract<TaskScope, { releaseScope: '1' }>['updatedBy']): Promise<string[]> {
  if (by === null) return [];
  const row = await db.selectFrom('rollout_task').select('name').where('id', '=', by.taskId).executeTakeFirst();
  return [`${row?.name ?? by.taskId}${by.ring === null ? '' : ` (${by.ring})`}`];
}

async function targetsOf(db: Db, { scope }: Task): Promise<string[]> {
  if (scope.releaseScope === '2') return first(scope.sns);
  if (scope.releaseScope === '0') return [];
  return first([...(await updatedBy(db, scope.updatedBy)), ...(await deptNames(db, scope.deptIds)), ...scope.firmware, ...scope.tags]);
}
const namedBy = async (db: Db, ring: Ring) =>
  first([...(await deptNames(db, ring.deptIds ?? [])), ...(ring.tags ?? []), ...(ring.sns ?? [])]);

/** Parts that differ between what was handed in last and what was handed in before it; after an edit, what is written now. */
async function changesOf(db: Db, audit: Audit, now: Readonly<Record<string, unknown>>) {
  const [last, before] = await db
    .selectFrom('approval_application')
    .select(['content', 'content_hash'])
    .where('audit_id', '=', audit.id)
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  const isEdited = last !== undefined && audit.step.endsWith('0');
  const earlier = isEdited ? last : before;
  const from: unknown = earlier?.content;
  if (typeof from !== 'object' || from === null) return [];
  const then: Record<string, unknown> = { ...from };
  return contentParts.filter((part) => !isDeepStrictEqual(plain(then[part]), plain(now[part])));
}
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const windowText = ({ window }: Task['delivery']): string | null =>
  window ? `${window.from}–${window.to}${window.days.length < 7 ? ` (${window.days.join(', ')})` : ''}` : null;

/** What an approval is about, as it is now. Read past the range policy, by whom the approval itself is shown to. */
export async function detailOf(db: Db, audit: Audit): Promise<z.input<typeof AuditDetail>> {
  const task = await taskToAgree(db, audit.task_id);
  if (!task) throw fault('NOT_FOUND');
  const content = await contentOfTask(db, task);
  const hash = hashOfContent(task, content);
  const { delivery, scope } = task;
  const of = content.package;
  return {
    id: audit.id,
    contentHash: hash,
    // Before it is handed in again, it is being written.
    changed: !audit.step.endsWith('0') && !audit.step.endsWith('6') && hash !== audit.content_hash,
    changes: await changesOf(db, audit, { ...content }),
    package: of && { name: of.name, version: of.version, kind: of.kind, productName: of.product, size: of.size, sha256: of.sha256 },
    releaseScope: scope.releaseScope,
    targets: await targetsOf(db, task),
    rings: await Promise.all(
      delivery.rings.map(async (ring, at) => ({
        no: at + 1,
        share: namesTerminals(ring) ? null : ring.share,
        named: await namedBy(db, ring),
        opened: task.started_at !== null && at < task.open_ring,
      })),
    ),
    startAt: delivery.startAt,
    expiresAt: delivery.expiresAt,
    window: windowText(delivery),
    network: delivery.network,
    pacePerMinute: delivery.pacePerMinute,
    remark: task.remark,
  };
}
