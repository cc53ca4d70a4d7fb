import type { Agreed, AuditDetail } from '@mooring/contract/engines/approval/schemas';
import { contentParts } from '@mooring/contract/engines/approval/schemas';
import { namesTerminals } from '@mooring/contract/engines/rollout/rings';
import { Delivery, TaskScope } from '@mooring/contract/engines/rollout/schemas';
import { fault } from '@mooring/contract/kit/fault';
import { z } from 'zod';
import type { Audit } from '../../engines/approval/audit.ts';
import { earlierContent, partsThatDiffer } from '../../engines/approval/earlier.ts';
import { taskToAgree } from '../../engines/rollout/approved.ts';
import { contentOfTask, hashOfContent } from '../../engines/rollout/task-content.ts';
import type { Db } from '../../platform/context.ts';
import { namedIn, type Reader, readerOf, targetsOf } from './named.ts';

/** Of the content that was handed in, what is shown. */
const Written = z.object({
  name: z.string(),
  package: z
    .object({ name: z.string(), version: z.string(), kind: z.string(), product: z.string(), size: z.number(), sha256: z.string() })
    .nullable(),
  scope: TaskScope,
  delivery: Delivery,
  remark: z.string(),
});

const withProduct = ({ product: productName, ...sent }: NonNullable<z.output<typeof Written>['package']>) => ({ ...sent, productName });

/** What it is made of, as a reader may know it. Undefined where it was written by a version that had other parts. */
async function agreedOf(db: Db, reader: Reader, of: unknown): Promise<z.input<typeof Agreed> | undefined> {
  const written = Written.safeParse(of);
  if (!written.success) return undefined;
  const { name, scope, remark, package: sent } = written.data;
  const { rings, ...delivery } = written.data.delivery;
  return {
    name,
    package: sent && withProduct(sent),
    releaseScope: scope.releaseScope,
    ...(await targetsOf(db, reader, scope)),
    rings: await Promise.all(
      rings.map(async (ring, at) => ({
        no: at + 1,
        share: namesTerminals(ring) ? null : ring.share,
        ...(await namedIn(db, reader, ring)),
        openAt: ring.openAt,
        haltAt: ring.haltAt,
        soakMinutes: ring.soakMinutes,
        waitForPerson: ring.waitForPerson,
      })),
    ),
    delivery,
    remark,
  };
}

/** What an approval is about, as it is now, to a reader at a path. Read past the range policy, by whom the approval itself is shown to. */
export async function detailOf(db: Db, audit: Audit, path: string): Promise<z.input<typeof AuditDetail>> {
  const task = await taskToAgree(db, audit.task_id);
  const content = task && (await contentOfTask(db, task));
  const reader = readerOf(audit, path);
  const now = content && (await agreedOf(db, reader, content));
  if (!now) throw fault('NOT_FOUND');
  const hash = hashOfContent(task, content);
  const then = await earlierContent(db, audit);
  return {
    ...now,
    id: audit.id,
    contentHash: hash,
    // Before it is handed in again, it is being written.
    changed: !audit.step.endsWith('0') && !audit.step.endsWith('6') && hash !== audit.content_hash,
    changes: then ? partsThatDiffer(contentParts, { ...content }, then) : [],
    earlier: (then && (await agreedOf(db, reader, then))) ?? null,
  };
}
