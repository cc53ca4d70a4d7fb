import { type DeptKind, kindBelow } from '@mooring/contract/org/schemas';
import { orgMachine } from '@mooring/contract/org/state-machines';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { cut } from '../../platform/cut.ts';
import { partPattern } from '../../platform/db/criteria.ts';
import { move, recordCreated, statefulTable } from '../../platform/db/move.ts';
import type { DeptAt } from './add-dept.ts';

const depts = statefulTable('org_dept', orgMachine);
const MOST_FOUND = 10;
const MOST_LEVELS = 16;

export interface Applied {
  readonly name: string;
  readonly timeZone: string;
  readonly contactPhone: string;
  readonly address: string;
}
export interface Place extends DeptAt {
  readonly name: string;
  readonly kind: DeptKind;
}
/** What a stranger looks for: a unit for an organisation, an organisation to be below or to join. */
export type Sought = 'unit' | 'organisation';

const isOpenTo = (sought: Sought) =>
  sought === 'unit'
    ? sql<boolean>`o.kind = 'businessUnit' and coalesce(o.joinable, true)`
    : sql<boolean>`o.kind = 'organisation' and coalesce(o.joinable, false)`;

/** Open units and organisations, by the exact code or a part of the name. Nothing else about them is told. */
export async function findOpen(db: Db, sought: Sought, text: string): Promise<{ id: number; name: string }[]> {
  const part = partPattern(text);
  const { rows } = await sql<{ id: number; name: string }>`
    select o.id, o.name from org_dept o where ${isOpenTo(sought)} and is_dept_open(o.dept_path)
      and (o.join_code = ${text.toUpperCase()} or o.name ilike ${part}) order by o.name limit ${MOST_FOUND}`.execute(db);
  return rows;
}

/** One of them; undefined where it isn't open, or isn't there. */
export async function openPlace(db: Db, sought: Sought, id: number): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select o.id, o.dept_path as path, o.name, o.kind from org_dept o where o.id = ${id} and ${isOpenTo(sought)} and is_dept_open(o.dept_path)`.execute(
    db,
  );
  const found = rows[0];
  return found && found.path.split('.').length - 1 < MOST_LEVELS ? found : undefined;
}

/** A place that an invitation or a setting names, whether or not strangers may find it. */
export async function workingPlace(db: Db, id: number): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select o.id, o.dept_path as path, o.name, o.kind from org_dept o
    where o.id = ${id} and o.kind in ('businessUnit', 'organisation') and is_dept_open(o.dept_path)`.execute(db);
  return rows[0];
}

/** No answer at the door tells whether a name is taken: who decides sees it beside the other one. */
async function freeName(db: Db, parentId: number, name: string, own: number | null = null): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select lower(name) as name from org_dept where parent_id = ${parentId} and id is distinct from ${own}::bigint and state not in ('closed', 'refused')
      and starts_with(lower(name), ${name.toLowerCase()})`.execute(db);
  const taken = new Set(rows.map((row) => row.name));
  const numbered = (at: number) => (at === 1 ? name : `${cut(name, 58)} (${at})`);
  let at = 1;
  while (taken.has(numbered(at).toLowerCase())) at += 1;
  return numbered(at);
}

const columns = (of: Applied) => ({ time_zone: of.timeZone, contact_phone: of.contactPhone, address: of.address });

/** An organisation below its parent, applied for or, by an invitation, at work at once. */
export async function applyDept(
  db: Db,
  parent: Place,
  of: Applied & { contactName: string; contactEmail: string; state: 'applied' | 'enabled' },
): Promise<DeptAt & { name: string }> {
  // One after another below a parent, so that two with one name don't meet.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`org-names:${parent.id}`}, 0))`.execute(db);
  const name = await freeName(db, parent.id, of.name);
  const next = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('org_dept', 'id')) as id`.execute(db);
  const id = next.rows[0]?.id ?? 0;
  const path = `${parent.path}${id}.`;
  await db
    .insertInto('org_dept')
    .values({
      id,
      parent_id: parent.id,
      dept_path: path,
      kind: kindBelow[parent.kind],
      name,
      state: of.state,
      ...columns(of),
      contact_name: of.contactName,
      contact_email: of.contactEmail,
    })
    .execute();
  await recordCreated(db, depts, [id], null);
  return { id, path, name };
}

/** After a refusal. False where somebody was faster. */
export async function applyAgain(db: Db, id: number, of: Applied | undefined, actorId: number): Promise<boolean> {
  const before = await db.selectFrom('org_dept').select(['parent_id', 'name']).where('id', '=', id).executeTakeFirstOrThrow();
  await sql`select pg_advisory_xact_lock(hashtextextended(${`org-names:${before.parent_id}`}, 0))`.execute(db);
  const name = await freeName(db, before.parent_id ?? 0, of?.name ?? before.name, id);
  const moved = await move(db, depts, 'resubmit', [id], { actorId, set: { name, reason: null, ...(of ? columns(of) : {}) } });
  return moved.length > 0;
}

export const withdrawDept = async (db: Db, id: number, actorId: number): Promise<boolean> =>
  (await move(db, depts, 'withdraw', [id], { actorId })).length > 0;
