import { sql } from 'kysely';
import type { Subject } from '../../engines/approval/subject.ts';
import { holdsStep, type Person, type Standing } from '../../engines/approval/who.ts';
import type { Db } from '../../platform/context.ts';

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

/** Whether they would decide there themselves. */
export async function wouldDecide(db: Db, subject: Subject, userId: number, standing: Standing) {
  if (standing.authors.has(userId)) return undefined;
  const found = await subject.personNow(db, userId, standing.step);
  return found && holdsStep(standing, found.person) ? found : undefined;
}

/** Whom somebody decides for at a step: who is away, chose them, and would decide there. Asked again at the moment of deciding. */
export async function standsInFor(db: Db, subject: Subject, standing: Standing, userId: number, now: Date): Promise<string[]> {
  const rows = await absences(db, now).where('a.delegate_id', '=', userId).orderBy('a.id').limit(MOST).execute();
  const names: string[] = [];
  for (const row of rows) {
    const found = await wouldDecide(db, subject, row.user_id, standing);
    if (found) names.push(found.name);
  }
  return names;
}

/** For whom a person decides besides themselves, where they decide at all; what applicants do is their own matter. */
export async function onBehalfOf(db: Db, subject: Subject, standing: Standing, person: Person, now: Date): Promise<string[]> {
  if (!holdsStep(standing, person) || standing.authors.has(person.userId)) return [];
  return standsInFor(db, subject, standing, person.userId, now);
}

/** Whether somebody else decides for this person at a step just now: a link in their mail is nobody's meanwhile. */
export async function isStoodInFor(db: Db, subject: Subject, standing: Standing, userId: number, now: Date): Promise<boolean> {
  const [absent] = await absentAmong(db, [userId], now);
  return absent !== undefined && (await wouldDecide(db, subject, absent.delegate_id, standing)) !== undefined;
}
