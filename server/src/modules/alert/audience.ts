import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

export interface Person {
  readonly id: number;
  readonly time_zone: string;
}
export interface Address {
  readonly email: string;
  readonly time_zone: string;
}
export interface Audience {
  readonly people: readonly Person[];
  readonly addresses: readonly Address[];
}

/** Everybody on these lists, once. Whoever left the organisation of a list, or may not sign in, hears nothing more. */
export async function audienceOf(db: Db, receiverIds: readonly (number | string)[]): Promise<Audience> {
  const ids = receiverIds.map(Number);
  if (ids.length === 0) return { people: [], addresses: [] };
  const people = await sql<Person>`
    select u.id, min(coalesce(u.time_zone, o.time_zone, 'UTC')) as time_zone
    from alert_receiver c join account_user u on u.id = any(c.user_ids) and u.state = '0'
      and (starts_with(u.dept_path, c.dept_path) or starts_with(c.dept_path, u.dept_path))
    join org_dept o on o.id = u.dept_id where c.id = any(${ids}::bigint[]) group by u.id order by u.id`.execute(db);
  const addresses = await sql<Address>`
    select e.email, min(coalesce(o.time_zone, 'UTC')) as time_zone
    from alert_receiver c join org_dept o on o.id = c.dept_id cross join lateral unnest(c.emails) as e(email)
    where c.id = any(${ids}::bigint[]) group by e.email order by e.email`.execute(db);
  return { people: people.rows, addresses: addresses.rows };
}
