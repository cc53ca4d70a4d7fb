import type { Platform } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import type { House } from '../../platform/house.ts';
import type { Identity } from '../../platform/http/doorkeeper.ts';
import { permissionsOf } from '../access/api.ts';
import { IDLE_HOURS, tokenHash } from './sessions.ts';

interface Row {
  id: number;
  platform: Platform;
  user_id: number;
  name: string;
  dept_id: number;
  dept_path: string;
  password_initial: boolean;
  menus: string[];
  stale: boolean;
  managed: { id: number; path: string }[];
}

/**
 * Who a token is, with rights as they are at this moment: a changed role works at once in open sessions. One query, since each
 * call asks it.
 */
export async function identify(house: House, token: string): Promise<Identity | undefined> {
  const row = await house.unscoped(async (db) => {
    const found = await sql<Row>`
      select s.id, s.platform, u.id as user_id, u.name, u.dept_id, u.dept_path, u.password_initial, s.seen_at < now() - interval '1 minute' as stale,
        coalesce((select array_agg(distinct m) from access_user_role ur join access_role r on r.id = ur.role_id cross join unnest(r.menus) m
          where ur.user_id = u.id and s.platform = any(r.platforms)), '{}') as menus,
        case when s.platform = 'manager' then (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'path', o.dept_path)), '[]') from org_dept o
          where o.state = 'enabled' and (o.id = u.dept_id or o.id in (select dept_id from access_managed_dept m where m.user_id = u.id))) else '[]' end as managed
      from auth_session s join account_user u on u.id = s.user_id join org_dept d on d.id = u.dept_id
      where s.token_hash = ${tokenHash(token)} and s.ended_at is null and s.expires_at > now() and s.seen_at > now() - make_interval(hours => ${IDLE_HOURS})
        and u.state = '0' and d.state = 'enabled'`.execute(db);
    const first = found.rows[0];
    if (first?.stale) await sql`update auth_session set seen_at = now() where id = ${first.id}`.execute(db);
    return first;
  });
  if (!row) return undefined;
  const actor = {
    userId: row.user_id,
    userName: row.name,
    deptId: row.dept_id,
    deptPath: row.dept_path,
    permissions: permissionsOf(row.menus, row.platform),
    sessionId: row.id,
  };
  return { actor, platform: row.platform, managed: row.managed, mustChangePassword: row.password_initial };
}
