import type { Db } from '../../platform/context.ts';
import type { Audit } from './audit.ts';
import type { By } from './subject.ts';

/** Who did something, and what they said to it. */
export interface Said {
  readonly by: By;
  readonly path: string;
  readonly comment: string;
  readonly way: 'console' | 'email';
  /** Whom they decided for, who is away. */
  readonly onBehalfOf?: readonly string[];
  /** By when a decision is due from now on. */
  readonly dueAt?: Date;
  readonly now: Date;
}

/** A line of the history. */
export async function noteRecord(
  db: Db,
  before: Audit,
  after: Audit,
  event: string,
  { by, path, comment, way, onBehalfOf = [], dueAt, now }: Said,
): Promise<void> {
  await db
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
    .execute();
}
