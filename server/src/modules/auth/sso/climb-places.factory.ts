import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import type { Client, TestApp } from '../../../../test/test-app.ts';
import { setManaged, setRoles } from '../../access/api.ts';
import { addDept, type DeptAt } from '../../org/api.ts';
import { both, type Pairs, type Platform, pick, random } from './climb.factory.ts';

/** Where each person acts on each platform, and where each organisation's things are, read past all code of the server. */
export interface Places {
  readonly grounds: ReadonlyMap<number, ReadonlySet<string>>;
  readonly depts: ReadonlyMap<number, string>;
}
export async function places(app: TestApp): Promise<Places> {
  return app.context.unscoped(async (db) => {
    const depts = await sql<{ id: number; path: string }>`
      select o.id, coalesce(m.dept_path, o.dept_path) as path from org_dept o left join org_dept m on m.id = o.merged_into`.execute(db);
    const grounds = await sql<{ id: number; grounds: string[] }>`
      select id, array_agg(ground) as grounds from (
        select u.id, p || ' ' || u.dept_path as ground from account_user u, unnest('{centre,manager}'::text[]) p
        union select a.user_id, 'manager ' || o.dept_path from access_managed_dept a join org_dept o on o.id = a.dept_id
        union select u.id, 'manager ' || o.dept_path from org_trust t join account_user u on u.dept_id = t.trustee_id and u.user_type = '1'
          join org_dept o on o.id = t.dept_id where t.side = 'trustee' and t.state = 'active'
      ) one group by id`.execute(db);
    return {
      depts: new Map(depts.rows.map((row) => [row.id, row.path])),
      grounds: new Map(grounds.rows.map((row) => [row.id, new Set(row.grounds)])),
    };
  });
}

const acts = (grounds: ReadonlySet<string> | undefined, platform: Platform, path: string | undefined): boolean =>
  path !== undefined &&
  [...(grounds ?? [])].some((one) => one.startsWith(`${platform} `) && path.startsWith(one.slice(platform.length + 1)));

/** Who acts where they didn't before, with rights that nobody gave them now. */
export function gainedPlaces(
  before: Places,
  after: Places,
  held: ReadonlyMap<number, Pairs>,
  bound: Pairs,
): { id: number; dept: number; beyond: string[] }[] {
  const same = (id: number) => [...(after.grounds.get(id) ?? [])].every((one) => before.grounds.get(id)?.has(one));
  const moved = [...before.depts].filter(([dept, path]) => after.depts.get(dept) !== path).map(([dept]) => dept);
  return [...after.grounds.keys()].flatMap((id) => {
    const asked = same(id) ? moved : [...before.depts.keys()];
    if (asked.length === 0) return [];
    const extra = [...(held.get(id) ?? [])].filter((pair) => !bound.has(pair));
    if (extra.length === 0) return [];
    return asked.flatMap((dept) =>
      both
        .filter(
          (one) => acts(after.grounds.get(id), one, after.depts.get(dept)) && !acts(before.grounds.get(id), one, before.depts.get(dept)),
        )
        .map((one) => ({ id, dept, beyond: extra.filter((pair) => pair.startsWith(one)) }))
        .filter((gained) => gained.beyond.length > 0),
    );
  });
}

/** Two organisations with anybody's rights in them but the administrator's, and now and then a manager from elsewhere. */
export async function populated(app: TestApp, at: readonly DeptAt[], administrator: number, name: () => string): Promise<[DeptAt, DeptAt]> {
  return app.context.unscoped(async (db) => {
    const made: DeptAt[] = [];
    const { rows: roles } = await sql<{ id: number }>`
      select distinct role_id as id from access_user_role where user_id <> ${administrator} order by 1`.execute(db);
    for (const parent of [pick(at), pick(at)]) {
      const dept = await addDept(db, { kind: 'organisation', name: name(), parent });
      made.push(dept);
      if (random() < 0.5) continue;
      const account = name();
      const { id } = await db
        .insertInto('account_user')
        .values({ account, name: account, dept_id: dept.id, dept_path: dept.path, user_type: pick(['1', '2']) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await setRoles(db, id, [pick(roles).id], { by: null, way: 'system' });
      if (random() < 0.2) await setManaged(db, id, [pick(made).id], null);
    }
    return made as [DeptAt, DeptAt];
  });
}

/** Moved or merged, seen through to the end of its job. */
export async function regrouped(app: TestApp, client: Client, kind: 'move' | 'merge', unit: DeptAt, target: DeptAt): Promise<number> {
  const { code } = await (kind === 'move'
    ? client.send(deptCalls.move, { id: unit.id, parentId: target.id })
    : client.send(deptCalls.merge, { id: unit.id, into: target.id }));
  if (code === 500) throw new Error(`${kind} answered 500`);
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      done: boolean;
    }>`select (o.state = 'closed' or o.parent_id = ${target.id}) as done from org_dept o where o.id = ${unit.id}`.execute(db),
  );
  return code === 200 && rows[0]?.done ? 200 : 400;
}
