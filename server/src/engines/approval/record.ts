import type { Db } from '../../platform/context.ts';
import type { Audit } from './audit.ts';
import { keepFiles } from './files.ts';
import type { Said } from './subject.ts';

/** A line of the history, with what was given. */
export async function noteRecord(
  db: Db,
  before: Audit,
  after: Audit,
  event: string,
  { by, path, comment, files = [], way, onBehalfOf = [], dueAt, now }: Said,
): Promise<void> {
  const { id } = await db
    .insertInto('approval_record')
    .values({
      audit_id: before.id,
      event,
      step: before.step,
      to_step: after.step,
      comment,
      way,
      on_behalf_of: [...onBehalfOf],
      content_hash: after.content_hash,
      actor_id: by.id,
      actor_name: by.name,
      actor_path: path,
      at: now,
      due_at: dueAt ?? null,
      dept_path: before.dept_path,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepFiles(db, before, id, files);
}
