import { type ApprovalEvent, approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { auditResults, type Course, LAST, positionOf, targetOf } from '@mooring/contract/engines/approval/steps';
import type { Db } from '../../platform/context.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import { applyFor, noteAgreed, readAudit } from './apply.ts';
import { type Audit, auditRows } from './audit.ts';
import { noteRecord } from './record.ts';
import type { Content, Said } from './subject.ts';

export interface Of {
  readonly type: string;
  readonly id: number;
  readonly course: Course;
}
const auditsOf = (db: Db, { type, id }: Omit<Of, 'course'>) =>
  db.selectFrom('approval_audit').selectAll().where('task_type', '=', type).where('task_id', '=', id);
export const findAudit = (db: Db, what: Omit<Of, 'course'>) => auditsOf(db, what).executeTakeFirst();
/** Held until the act is done: what ended meanwhile isn't brought back by what was read before. */
const heldAudit = (db: Db, what: Omit<Of, 'course'>) => auditsOf(db, what).forUpdate().executeTakeFirst();

const noteAuthor = (db: Db, id: number, author: HandedIn['author']) =>
  db.updateTable('approval_audit').set({ author_id: author.id, author_name: author.name }).where('id', '=', id).execute();

export interface HandedIn extends Of {
  readonly taskClass: string;
  readonly name: string;
  readonly author: { readonly id: number; readonly name: string };
  readonly dept: { readonly id: number; readonly path: string };
}

/** Handed in for the first time, or again after it was sent back; its author is who did so by what the subject says. */
export async function handIn(db: Db, of: HandedIn, content: Content, said: Said): Promise<Audit> {
  const found = await heldAudit(db, of);
  if (found) {
    await noteAuthor(db, found.id, of.author);
    return applyFor(db, found, of.course, content, said);
  }
  const { id } = await db
    .insertInto('approval_audit')
    .values({
      task_type: of.type,
      task_class: of.taskClass,
      task_id: of.id,
      name: of.name,
      step: approvalMachine.states[of.course.first].code,
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
  return applyFor(db, await readAudit(db, id), of.course, content, said);
}

/** What was agreed in its stage counts no more. */
export async function voidStage(db: Db, of: Of, said: Said): Promise<void> {
  const audit = await heldAudit(db, of);
  const to = audit && targetOf(of.course, audit.step, 'edit');
  if (!audit || !to) return;
  await move(db, auditRows, 'edit', [audit.id], { to, set: { step_at: said.now, result: '0' }, actorId: said.by.id });
  await noteRecord(db, audit, await readAudit(db, audit.id), 'edit', said);
}

/** The fewest events that lead from a step to another one; undefined where none do. */
function wayTo(course: Course, from: string, to: string): ApprovalEvent[] | undefined {
  const ways = new Map<string, ApprovalEvent[]>([[from, []]]);
  for (const [step, way] of ways)
    for (const event of Object.keys(course.next) as ApprovalEvent[]) {
      const target = targetOf(course, step, event);
      const code = target && approvalMachine.states[target].code;
      if (code && !ways.has(code)) ways.set(code, [...way, event]);
    }
  return ways.get(to);
}

/** What was done past it, by a server that knows no approvals: it goes there by the same steps, and what it remembers stays. */
export async function follow(
  db: Db,
  audit: Audit,
  of: Of,
  to: string,
  content: Content,
  saidOf: (event: ApprovalEvent) => Said,
): Promise<Audit> {
  const way = wayTo(of.course, audit.step, to);
  if (!way) throw new Error(`no way of ${of.type} from ${audit.step} to ${to}`);
  let at = audit;
  for (const event of way) {
    const said = saidOf(event);
    if (event === 'apply') {
      await noteAuthor(db, at.id, said.by);
      at = await applyFor(db, at, of.course, content, said);
      continue;
    }
    const before = at;
    const target = targetOf(of.course, at.step, event);
    const results: Partial<Record<ApprovalEvent, string>> = {
      [of.course.settles]: auditResults.approved,
      return: auditResults.rejected,
      end: at.result,
    };
    const set = { step_at: said.now, result: results[event] ?? auditResults.pending };
    await move(db, auditRows, event, [at.id], { ...(target ? { to: target } : {}), set, actorId: said.by.id });
    if (event === of.course.settles) await noteAgreed(db, at.id, said.now);
    at = await readAudit(db, at.id);
    await noteRecord(db, before, at, event, said);
  }
  return at;
}

/** By itself it is over for nobody: the history has a line of it all the same. */
const NOBODY = { id: 0, name: '' };

/**
 * What it was about has ended by itself or by a person. A result that is still to be confirmed may be, once all terminals have theirs; of one that
 * `isDone`, that of each stage, and what was confirmed of it stays confirmed.
 */
export async function endFor(db: Db, of: Of, said: Omit<Said, 'by'> & { readonly by: Said['by'] | null }, isDone = false): Promise<void> {
  const audit = await heldAudit(db, of);
  if (!audit || !targetOf(of.course, audit.step, 'end')) return;
  const { place } = positionOf(audit.step);
  const isChecked = place === 'result' && of.course.roleAt.result !== undefined;
  if (isChecked && (isDone || audit.step === LAST)) return;
  if (isDone && place === 'verified') return;
  await move(db, auditRows, 'end', [audit.id], { set: { step_at: said.now }, actorId: said.by?.id ?? null });
  await noteRecord(db, audit, await readAudit(db, audit.id), 'end', { ...said, by: said.by ?? NOBODY });
}

/** What it is about is gone. `free` lets go of what was given, where nothing else names it. */
export async function forget(db: Db, { type, id }: Omit<Of, 'course'>, free: (fileId: number) => Promise<unknown>): Promise<void> {
  const given = await db
    .selectFrom('approval_file as f')
    .innerJoin('approval_record as r', 'r.id', 'f.record_id')
    .innerJoin('approval_audit as a', 'a.id', 'r.audit_id')
    .select('f.file_id')
    .distinct()
    .where('a.task_type', '=', type)
    .where('a.task_id', '=', id)
    .execute();
  await db.deleteFrom('approval_audit').where('task_type', '=', type).where('task_id', '=', id).execute();
  for (const { file_id } of given) await free(file_id);
}
