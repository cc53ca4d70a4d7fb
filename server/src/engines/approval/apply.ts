import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { type Course, positionOf, targetOf } from '@mooring/contract/engines/approval/steps';
import { fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { type Audit, auditRows } from './audit.ts';
import { noteRecord } from './record.ts';
import type { Content, Said } from './subject.ts';

/** Hands a stage in: from here on its content is what is asked about, by its hash. */
export async function applyFor(db: Db, audit: Audit, course: Course, content: Content, said: Said): Promise<Audit> {
  const to = targetOf(course, audit.step, 'apply');
  if (!to) throw fault('OVERTAKEN');
  const set = {
    content_hash: content.hash,
    step_at: said.now,
    result: '0',
    ...(typeof content.parts.name === 'string' ? { name: content.parts.name } : {}),
  };
  if ((await move(db, auditRows, 'apply', [audit.id], { to, set, actorId: said.by.id })).length === 0) throw fault('OVERTAKEN');
  await db
    .insertInto('approval_application')
    .values({
      audit_id: audit.id,
      stage: positionOf(approvalMachine.states[to].code).stage ?? 1,
      content_hash: content.hash,
      content: JSON.stringify(content.parts),
      applied_by: said.by.id,
      applied_at: said.now,
      dept_path: audit.dept_path,
    })
    .execute();
  const after = await readAudit(db, audit.id);
  await noteRecord(db, audit, after, 'apply', said);
  return after;
}

/** What was handed in last is agreed to. */
export async function noteAgreed(db: Db, auditId: number, now: Date): Promise<void> {
  const last = db
    .selectFrom('approval_application')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('audit_id', '=', auditId);
  await db.updateTable('approval_application').set({ approved_at: now }).where('id', '=', last).execute();
}

export const readAudit = (db: Db, id: number): Promise<Audit> =>
  db.selectFrom('approval_audit').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
