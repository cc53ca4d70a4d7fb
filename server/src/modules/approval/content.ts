import { isDeepStrictEqual } from 'node:util';
import type { AuditDetail } from '@mooring/contract/engines/approval/schemas';
import { contentParts } from '@mooring/contract/engines/approval/schemas';
import { namesTerminals } from '@mooring/contract/engines/rollout/rings';
import { fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import type { Audit } from '../../engines/approval/audit.ts';
import { taskToAgree } from '../../engines/rollout/approved.ts';
import type { Task } from '../../engines/rollout/task.ts';
import { contentOfTask, hashOfContent } from '../../engines/rollout/task-content.ts';
import type { Db } from '../../platform/context.ts';
import { namedIn, readerOf, targetsOf } from './named.ts';

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

/** What an approval is about, as it is now, to a reader at a path. Read past the range policy, by whom the approval itself is shown to. */
export async function detailOf(db: Db, audit: Audit, path: string): Promise<z.input<typeof AuditDetail>> {
  const task = await taskToAgree(db, audit.task_id);
  if (!task) throw fault('NOT_FOUND');
  const content = await contentOfTask(db, task);
  const hash = hashOfContent(task, content);
  const { delivery, scope } = task;
  const of = content.package;
  const reader = readerOf(audit, path);
  return {
    id: audit.id,
    contentHash: hash,
    // Before it is handed in again, it is being written.
    changed: !audit.step.endsWith('0') && !audit.step.endsWith('6') && hash !== audit.content_hash,
    changes: await changesOf(db, audit, { ...content }),
    package: of && { name: of.name, version: of.version, kind: of.kind, productName: of.product, size: of.size, sha256: of.sha256 },
    releaseScope: scope.releaseScope,
    ...(await targetsOf(db, reader, scope)),
    rings: await Promise.all(
      delivery.rings.map(async (ring, at) => ({
        no: at + 1,
        share: namesTerminals(ring) ? null : ring.share,
        ...(await namedIn(db, reader, ring)),
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
