import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { approvers, positionOf } from '@mooring/contract/engines/approval/steps';
import type { DB } from '@mooring/database/tables';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';
import type { Subject } from './subject.ts';
import type { Standing } from './who.ts';

export const auditRows = statefulTable('approval_audit', approvalMachine, 'step');
export type Audit = Selectable<DB['approval_audit']>;

const applicationsOf = (db: Db, audit: Audit) => db.selectFrom('approval_application').where('audit_id', '=', audit.id);

/** Who wrote it, and who handed in any of its stages since the first one was: each of them has put something before the others. */
async function authorsOf(db: Db, audit: Audit, subject: Subject): Promise<Set<number>> {
  const first = applicationsOf(db, audit)
    .where('stage', '=', 1)
    .select(({ fn }) => fn.max('id').as('id'));
  const applied = await applicationsOf(db, audit).where('id', '>=', first).select('applied_by').distinct().execute();
  return new Set([audit.author_id, ...applied.map((one) => one.applied_by), ...(await subject.authorsOf(db, audit.task_id))]);
}

/** When what stands there now was handed in. */
export async function handedInAt(db: Db, audit: Audit): Promise<Date> {
  const last = await applicationsOf(db, audit).select('applied_at').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return last?.applied_at ?? audit.created_at;
}

/** For which organisations the result was confirmed since the stage was handed in. */
async function confirmedFor(db: Db, audit: Audit): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select distinct actor_path as path from approval_record r where r.audit_id = ${audit.id} and r.event = 'resultConfirm' and r.step = ${audit.step}
      and r.id > coalesce((select max(id) from approval_record where audit_id = ${audit.id} and event = 'apply'), 0)`.execute(db);
  return rows.map((row) => row.path);
}

const isChecked = (audit: Audit, { course }: Subject): boolean => course.roleAt[positionOf(audit.step).place] === approvers.customer;

/** Organisations that are still to say whether the result is right. */
async function waitingOwners(db: Db, audit: Audit, subject: Subject): Promise<string[]> {
  if (!isChecked(audit, subject)) return [];
  const owners = await subject.ownersOf(db, audit.task_id);
  if (owners.length === 0) return [];
  const confirmed = await confirmedFor(db, audit);
  return owners.filter((owner) => !confirmed.some((path) => owner.startsWith(path)));
}

/** What decides who may do what. Asked past the range policy: whose terminals they are is more than the asking person sees. */
export async function standingOf(db: Db, audit: Audit, subject: Subject): Promise<Standing> {
  return {
    step: audit.step,
    result: audit.result,
    course: subject.course,
    authors: await authorsOf(db, audit, subject),
    path: audit.dept_path,
    hasEnded: await subject.hasEnded(db, audit.task_id),
    isUnplaced: isChecked(audit, subject) && !(await subject.isPlaced(db, audit.task_id)),
    owners: await waitingOwners(db, audit, subject),
  };
}
