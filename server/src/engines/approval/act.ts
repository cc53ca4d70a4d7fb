import type { ApprovalEvent } from '@mooring/contract/engines/approval/state-machines';
import { auditResults, type Course, positionOf, targetOf } from '@mooring/contract/engines/approval/steps';
import { fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { applyFor, noteAgreed, readAudit } from './apply.ts';
import { type Audit, auditRows, handedInAt, standingOf } from './audit.ts';
import { noteRecord } from './record.ts';
import type { Said, Subject, Subjects } from './subject.ts';
import { type Act, actsOf, eventOf, holdsStep, isOver, type Person, type Standing } from './who.ts';

export interface Wanted {
  readonly auditId: number;
  readonly act: Act;
  /** The step that the person looked at, and the hash of what they saw. */
  readonly step?: string | undefined;
  readonly hash?: string | undefined;
  readonly said: Said;
}

async function checkAct(db: Db, audit: Audit, subject: Subject, person: Person, { act, step }: Wanted) {
  const standing = await standingOf(db, audit, subject);
  if (step !== undefined && step !== audit.step) throw fault('OVERTAKEN');
  if (isOver(standing)) throw subject.refusals.over();
  if (actsOf(standing, person).includes(act)) return standing;
  if (standing.hasEnded) throw subject.refusals.over();
  if (standing.authors.has(person.userId) && holdsStep(standing, person)) throw subject.refusals.own();
  throw subject.refusals.role();
}

async function moveTo(db: Db, audit: Audit, course: Course, event: ApprovalEvent, result: string, { by, now }: Said): Promise<Audit> {
  const to = targetOf(course, audit.step, event);
  if (!to) throw fault('OVERTAKEN');
  const moved = await move(db, auditRows, event, [audit.id], { to, set: { step_at: now, result }, actorId: by.id });
  if (moved.length === 0) throw fault('OVERTAKEN');
  return readAudit(db, audit.id);
}

/** Nobody agrees to something else than what was handed in, nor to something else than they saw. */
async function contentAgreed(db: Db, audit: Audit, subject: Subject, seen: string | undefined) {
  const content = await subject.contentOf(db, audit.task_id);
  if (!content) throw subject.refusals.over();
  if (content.hash !== audit.content_hash || (seen !== undefined && seen !== content.hash)) throw subject.refusals.changed();
  return content;
}

async function release(db: Db, audit: Audit, subject: Subject, said: Said): Promise<void> {
  const { stage } = positionOf(audit.step);
  if (!stage) throw fault('OVERTAKEN');
  if (!(await subject.release(db, audit.task_id, { stage, hash: audit.content_hash, said }))) throw subject.refusals.over();
  await noteAgreed(db, audit.id, said.now);
}

async function pass(
  db: Db,
  audit: Audit,
  subject: Subject,
  event: ApprovalEvent,
  wanted: Wanted,
  { owners, authors }: Standing,
): Promise<Audit> {
  const { said } = wanted;
  await subject.mayAgree?.(db, audit.task_id, { said, authors: [...authors], handedIn: await handedInAt(db, audit) });
  await contentAgreed(db, audit, subject, wanted.hash);
  if (event === 'approveMarket') await release(db, audit, subject, said);
  // Each organisation speaks for its own terminals; the last one moves it on.
  if (event === 'resultConfirm' && owners.some((owner) => !owner.startsWith(said.path))) return audit;
  const { course } = subject;
  return moveTo(db, audit, course, event, event === course.settles ? auditResults.approved : auditResults.pending, said);
}

async function back(db: Db, audit: Audit, subject: Subject, event: ApprovalEvent, { act, said }: Wanted): Promise<Audit> {
  if (!(await subject.sendBack(db, audit.task_id, { act, said }))) throw subject.refusals.over();
  return moveTo(db, audit, subject.course, event, act === 'refuse' ? auditResults.rejected : auditResults.pending, said);
}

async function applyNext(db: Db, audit: Audit, subject: Subject, event: ApprovalEvent, said: Said): Promise<Audit> {
  const content = await contentAgreed(db, audit, subject, undefined);
  const written = await moveTo(db, audit, subject.course, event, auditResults.pending, said);
  await noteRecord(db, audit, written, event, said);
  // What was given stands in one line.
  return applyFor(db, written, subject.course, content, { ...said, files: [] });
}

/**
 * One act of a person on an approval, in one transaction that sees all of it: who may is decided here, by role, place and authorship.
 * Answers how it stands then.
 */
export async function actOn(db: Db, subjects: Subjects, person: Person, wanted: Wanted): Promise<Audit> {
  const { act, said } = wanted;
  const audit = await db.selectFrom('approval_audit').selectAll().where('id', '=', wanted.auditId).forUpdate().executeTakeFirst();
  if (!audit) throw fault('NOT_FOUND');
  const subject = subjects.of(audit.task_type);
  const standing = await checkAct(db, audit, subject, person, wanted);
  const event = eventOf(subject.course, audit.step, act);
  if (!event) throw fault('OVERTAKEN');
  if (act === 'applyTrial' || act === 'applyFull') {
    const applied = await applyNext(db, audit, subject, event, said);
    await subject.changed(db, audit.task_id);
    return applied;
  }
  let after: Audit;
  if (act === 'pass') after = await pass(db, audit, subject, event, wanted, standing);
  else if (act === 'end') {
    if (!standing.hasEnded && !(await subject.end(db, audit.task_id, said))) throw subject.refusals.over();
    after = await moveTo(db, audit, subject.course, event, audit.result, said);
  } else after = await back(db, audit, subject, event, wanted);
  await noteRecord(db, audit, after, act === 'pass' ? event : act, said);
  await subject.changed(db, audit.task_id);
  return after;
}
