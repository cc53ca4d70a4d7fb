import { targetOf } from '@mooring/contract/engines/approval/steps';
import type { Db } from '../../platform/context.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import { applyFor, readAudit } from './apply.ts';
import { type Audit, auditRows } from './audit.ts';
import { noteRecord, type Said } from './record.ts';
import type { Content } from './subject.ts';

export interface Of {
  readonly type: string;
  readonly id: number;
}
const find = (db: Db, { type, id }: Of) =>
  db.selectFrom('approval_audit').selectAll().where('task_type', '=', type).where('task_id', '=', id).executeTakeFirst();

export interface HandedIn extends Of {
  readonly taskClass: string;
  readonly name: string;
  readonly author: { readonly id: number; readonly name: string };
  readonly dept: { readonly id: number; readonly path: string };
}

/** Handed in for the first time, or again after it was sent back. */
export async function handIn(db: Db, of: HandedIn, content: Content, said: Said): Promise<Audit> {
  const found = await find(db, of);
  if (found) return applyFor(db, found, content, said);
  const { id } = await db
    .insertInto('approval_audit')
    .values({
      task_type: of.type,
      task_class: of.taskClass,
      task_id: of.id,
      name: of.name,
      step_at: said.now,
      content_hash: content.hash,
      author_id: of.author.id,
      author_name: of.author.name,
      dept_id: of.dept.id,
      dept_path: of.dept.path,
      created_at: said.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordCreated(db, auditRows, [id], said.by.id);
  return applyFor(db, await readAudit(db, id), content, said);
}

/** What was agreed in its stage counts no more. */
export async function voidStage(db: Db, of: Of, said: Said): Promise<void> {
  const audit = await find(db, of);
  const to = audit && targetOf(audit.step, 'edit');
  if (!audit || !to) return;
  await move(db, auditRows, 'edit', [audit.id], { to, set: { step_at: said.now, result: '0' }, actorId: said.by.id });
  await noteRecord(db, audit, await readAudit(db, audit.id), 'edit', said);
}

/** What it was about has ended by itself or by a person. A result that is still to be confirmed may be, once all terminals have theirs. */
export async function endFor(db: Db, of: Of, said: Omit<Said, 'by'> & { readonly by: Said['by'] | null }): Promise<void> {
  const audit = await find(db, of);
  if (!audit || audit.step === '34' || !targetOf(audit.step, 'end')) return;
  await move(db, auditRows, 'end', [audit.id], { set: { step_at: said.now }, actorId: said.by?.id ?? null });
  if (said.by) await noteRecord(db, audit, await readAudit(db, audit.id), 'end', { ...said, by: said.by });
}

export async function forget(db: Db, { type, id }: Of): Promise<void> {
  await db.deleteFrom('approval_audit').where('task_type', '=', type).where('task_id', '=', id).execute();
}
