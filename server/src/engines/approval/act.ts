import type { ApprovalEvent } from '@mooring/contract/engines/approval/state-machines';
import { auditResults, positionOf, targetOf } from '@mooring/contract/engines/approval/steps';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { applyFor, readAudit } from './apply.ts';
import { type Audit, auditRows, standingOf } from './audit.ts';
import { noteRecord, type Said } from './record.ts';
import type { Subject, Subjects } from './subject.ts';
import { type Act, actsOf, eventOf, holdsStep, isOver, type Person } from './who.ts';

export interface Wanted {
  readonly auditId: number;
  readonly act: Act;
  /** The step that the person looked at, and the hash of what they saw. */
  readonly step?: string | undefined;
  readonly hash?: string | undefined;
  readonly said: Said;
}
const over = () => new Fault('APPROVAL_OVER');
const changed = () => new Fault('APPROVAL_CHANGED');

async function checkAct(db: Db, audit: Audit, subjects: Subjects, person: Person, { act, step }: Wanted) {
  const standing = await standingOf(db, audit, subjects);
  if (step !== undefined && step !== audit.step) throw fault('OVERTAKEN');
  if (isOver(standing)) throw over();
  if (actsOf(standing, person).includes(act)) return standing;
  if (standing.authors.has(person.userId) && holdsStep(standing, person)) throw new Fault('APPROVAL_OWN');
  throw new Fault('APPROVAL_ROLE');
}

async function moveTo(db: Db, audit: Audit, event: ApprovalEvent, result: string, { by, now }: Said): Promise<Audit> {
  const to = targetOf(audit.step, event);
  if (!to) throw fault('OVERTAKEN');
  const moved = await move(db, auditRows, event, [audit.id], { to, set: { step_at: now, result }, actorId: by.id });
  if (moved.length === 0) throw fault('OVERTAKEN');
  return readAudit(db, audit.id);
}

/** Nobody agrees to something else than what was handed in, nor to something else than they saw. */
async function contentAgreed(db: Db, audit: Audit, subject: Subject, seen: string | undefined) {
  const content = await subject.contentOf(db, audit.task_id);
  if (!content) throw over();
  if (content.hash !== audit.content_hash || (seen !== undefined && seen !== content.hash)) throw changed();
  return content;
}

async function release(db: Db, audit: Audit, subject: Subject, said: Said): Promise<void> {
  const { stage } = positionOf(audit.step);
  if (!stage) throw fault('OVERTAKEN');
  if (!(await subject.release(db, audit.task_id, { stage, hash: audit.content_hash, by: said.by, now: said.now }))) throw over();
  const last = db
    .selectFrom('approval_application')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('audit_id', '=', audit.id);
  await db.updateTable('approval_application').set({ approved_at: said.now }).where('id', '=', last).execute();
}

async function pass(
  db: Db,
  audit: Audit,
  subject: Subject,
  event: ApprovalEvent,
  wanted: Wanted,
  owners: readonly string[],
): Promise<Audit> {
  const { said } = wanted;
  await contentAgreed(db, audit, subject, wanted.hash);
  if (event === 'approveMarket') await release(db, audit, subject, said);
  // Each organisation speaks for its own terminals; the last one moves it on.
  if (event === 'resultConfirm' && owners.some((owner) => !owner.startsWith(said.path))) return audit;
  return moveTo(db, audit, event, event === 'resultConfirm' ? auditResults.approved : auditResults.pending, said);
}

async function back(db: Db, audit: Audit, subject: Subject, event: ApprovalEvent, result: string, said: Said): Promise<Audit> {
  if (!(await subject.sendBack(db, audit.task_id, said.by))) throw over();
  return moveTo(db, audit, event, result, said);
}

async function applyNext(db: Db, audit: Audit, subject: Subject, event: ApprovalEvent, said: Said): Promise<Audit> {
  const content = await contentAgreed(db, audit, subject, undefined);
  const written = await moveTo(db, audit, event, auditResults.pending, said);
  await noteRecord(db, audit, written, event, said);
  return applyFor(db, written, content, said);
}

/**
 * One act of a person on an approval, in one transaction past the range policy: who may is decided here, by role, place and authorship.
 * Answers how it stands then.
 */
export async function actOn(db: Db, subjects: Subjects, person: Person, wanted: Wanted): Promise<Audit> {
  const { act, said } = wanted;
  const audit = await db.selectFrom('approval_audit').selectAll().where('id', '=', wanted.auditId).forUpdate().executeTakeFirst();
  if (!audit) throw fault('NOT_FOUND');
  const { owners } = await checkAct(db, audit, subjects, person, wanted);
  const subject = subjects.of(audit.task_type);
  const event = eventOf(audit.step, act);
  if (!event) throw fault('OVERTAKEN');
  if (act === 'applyTrial' || act === 'applyFull') {
    const applied = await applyNext(db, audit, subject, event, said);
    await subject.changed(db, audit.task_id);
    return applied;
  }
  let after: Audit;
  if (act === 'pass') after = await pass(db, audit, subject, event, wanted, owners);
  else if (act === 'end') {
    if (!(await subject.end(db, audit.task_id, said.by, said.now))) throw over();
    after = await moveTo(db, audit, event, audit.result, said);
  } else after = await back(db, audit, subject, event, act === 'refuse' ? auditResults.rejected : auditResults.pending, said);
  await noteRecord(db, audit, after, act === 'pass' ? event : act, said);
  await subject.changed(db, audit.task_id);
  return after;
}
