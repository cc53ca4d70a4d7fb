import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { actorOf } from '../access/api.ts';

export interface Person {
  readonly id: number;
  readonly time_zone: string;
}
export interface Address {
  /** Of a webhook a key that no mail has: what is held back for it is held under that. */
  readonly email: string;
  /** Set where it is another system. */
  readonly webhook_id: number | null;
  readonly time_zone: string;
}
/** Who hears of alarms of these organisations: those at or above one of them, or who manage it, and who may see alarms. */
export async function peopleFor(db: Db, receiverIds: readonly (number | string)[], rulePath: string, paths: readonly string[]) {
  const { rows } = await sql<Person & { paths: string[] }>`
    select u.id, min(coalesce(u.time_zone, o.time_zone, 'UTC')) as time_zone, array_agg(distinct p.path order by p.path) as paths
    from alert_receiver c join account_user u on u.id = any(c.user_ids) and u.state = '0' join org_dept o on o.id = u.dept_id
      cross join unnest(${[...new Set(paths)]}::text[]) as p(path)
    where c.id = any(${receiverIds.map(Number)}::bigint[]) and starts_with(${rulePath}, c.dept_path)
      and (starts_with(p.path, u.dept_path) or exists (select from managed_depts(u.id) m where starts_with(p.path, m.path)))
    group by u.id order by u.id`.execute(db);
  const hearing: (typeof rows)[number][] = [];
  for (const one of rows) if ((await actorOf(db, one.id))?.permissions.has('alert:alarm:page')) hearing.push(one);
  return hearing;
}

export interface Audience {
  readonly people: readonly Person[];
  readonly addresses: readonly Address[];
}

/**
 * Everybody on these lists, once. Whoever left the organisation of a list, or may not sign in, hears nothing more; of a rule those lists
 * alone that are of its organisation or of one above. */
export async function audienceOf(db: Db, receiverIds: readonly (number | string)[], rulePath?: string): Promise<Audience> {
  const ids = receiverIds.map(Number);
  if (ids.length === 0) return { people: [], addresses: [] };
  const people = await sql<Person>`
    select u.id, min(coalesce(u.time_zone, o.time_zone, 'UTC')) as time_zone
    from alert_receiver c join account_user u on u.id = any(c.user_ids) and u.state = '0'
      and (starts_with(u.dept_path, c.dept_path) or starts_with(c.dept_path, u.dept_path))
    join org_dept o on o.id = u.dept_id where c.id = any(${ids}::bigint[]) and starts_with(${rulePath ?? null}::text, c.dept_path) is not false group by u.id order by u.id`.execute(
    db,
  );
  const addresses = await sql<Address>`
    select e.email, null::bigint as webhook_id, min(coalesce(o.time_zone, 'UTC')) as time_zone
    from alert_receiver c join org_dept o on o.id = c.dept_id cross join lateral unnest(c.emails) as e(email)
    where c.id = any(${ids}::bigint[]) and starts_with(${rulePath ?? null}::text, c.dept_path) is not false group by e.email order by e.email`.execute(
    db,
  );
  const webhooks = await sql<Address>`
    select 'webhook ' || w.id as email, w.id as webhook_id, coalesce(o.time_zone, 'UTC') as time_zone
    from alert_receiver c join settings_webhook w on w.receiver_id = c.id join org_dept o on o.id = c.dept_id
    where c.id = any(${ids}::bigint[]) and starts_with(${rulePath ?? null}::text, c.dept_path) is not false order by w.id`.execute(db);
  return { people: people.rows, addresses: [...addresses.rows, ...webhooks.rows] };
}
