import { type ApproverRole, approvers, positionOf, roleAt } from '@mooring/contract/engines/approval/steps';
import { sql } from 'kysely';
import type { Audit } from '../../engines/approval/audit.ts';
import { holdsStep, type Person, type Standing } from '../../engines/approval/who.ts';
import type { Db } from '../../platform/context.ts';
import { actorOf, approvesAs } from '../access/api.ts';
import { kindOfType } from './kinds.ts';

interface Absent {
  readonly user_id: number;
  readonly delegate_id: number;
}
const MOST = 20;
const during = (table: string, now: Date) => {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  return sql<boolean>`(${of('ended_at')} is null and ${of('from_at')} <= ${now} and ${of('until_at')} > ${now})`;
};
/** One deep: who is away themselves decides for nobody. */
const delegateIsThere = (now: Date) => sql<boolean>`not exists (
  select from approval_absence x where x.user_id = a.delegate_id and ${during('x', now)})`;
const absences = (db: Db, now: Date) =>
  db.selectFrom('approval_absence as a').select(['a.user_id', 'a.delegate_id']).where(during('a', now)).where(delegateIsThere(now));

/** Of these people, those who are away with a delegate that isn't. */
export const absentAmong = (db: Db, userIds: readonly number[], now: Date): Promise<Absent[]> =>
  absences(db, now)
    .where('a.user_id', 'in', [...userIds, 0])
    .execute();

/** What somebody may do at a step by their roles as they are now, wherever they aren't signed in. */
export async function personNow(db: Db, userId: number, audit: Audit): Promise<{ person: Person; name: string } | undefined> {
  const role = roleAt[positionOf(audit.step).place];
  const actor = role && (await actorOf(db, userId, role === approvers.customer ? 'manager' : 'centre'));
  if (!actor) return undefined;
  const can = role === approvers.customer ? 'approval:own:decide' : `approval:${kindOfType(audit.task_type).of.kind}:decide`;
  const roles: ReadonlySet<ApproverRole> = actor.permissions.has(can) ? await approvesAs(db, userId) : new Set();
  return { person: { userId, path: actor.deptPath, roles, applies: false }, name: actor.userName };
}

/** Whether they would decide there themselves. */
export async function wouldDecide(db: Db, userId: number, audit: Audit, standing: Standing) {
  if (standing.authors.has(userId)) return undefined;
  const found = await personNow(db, userId, audit);
  return found && holdsStep(standing, found.person) ? found : undefined;
}

/** Whom somebody decides for at a step: who is away, chose them, and would decide there. Asked again at the moment of deciding. */
export async function standsInFor(db: Db, audit: Audit, standing: Standing, userId: number, now: Date): Promise<string[]> {
  const rows = await absences(db, now).where('a.delegate_id', '=', userId).orderBy('a.id').limit(MOST).execute();
  const names: string[] = [];
  for (const row of rows) {
    const found = await wouldDecide(db, row.user_id, audit, standing);
    if (found) names.push(found.name);
  }
  return names;
}

/** Whether somebody else decides for this person at a step just now: a link in their mail is nobody's meanwhile. */
export async function isStoodInFor(db: Db, audit: Audit, standing: Standing, userId: number, now: Date): Promise<boolean> {
  const [absent] = await absentAmong(db, [userId], now);
  return absent !== undefined && (await wouldDecide(db, absent.delegate_id, audit, standing)) !== undefined;
}
