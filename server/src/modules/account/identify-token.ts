import type { Platform } from '@mooring/contract/kit/call';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Identity } from '../../platform/http/authenticator.ts';
import { heldMenus, rightsOf, without } from '../access/api.ts';
import { mayComeFrom } from '../auth/api.ts';
import { apiTokenHash, tokenEnd } from './api-tokens.ts';

interface Row {
  token_id: number;
  token_name: string;
  user_id: number;
  name: string;
  dept_id: number;
  dept_path: string;
  platform: Platform;
  scopes: string[];
  addresses: string[];
  per_minute: number;
  used: number;
  reset: number;
  /** Node codes of all roles, a space between. */
  menus: string;
  withheld: string[];
  managed: { id: number; path: string }[];
  only: { id: number; path: string } | null;
}

/**
 * Who a system's key acts for, with at most its person's rights of this moment. On the platform that is wanted, where it
 * may act there. One of a single organisation dies with its person's say there. Counts its use in the same statement. Fault: TOO_MANY.
 */
export async function identifyToken(app: AppContext, token: string, ip: string, wanted = ''): Promise<Identity | undefined> {
  const found = await app.unscoped((db) =>
    sql<Row>`
    with used as (
      update account_api_token t set last_used_at = now(), last_ip = ${ip},
        minute_used = case when minute_at = date_trunc('minute', now()) then minute_used + 1 else 1 end, minute_at = date_trunc('minute', now())
      where token_hash = ${apiTokenHash(token)} and revoked_at is null and ${tokenEnd} > now() returning t.*
    ), k as (select used.*, case when ${wanted}::text = any(platforms) then ${wanted}::text else platform end as acts from used)
    select k.id as token_id, k.name as token_name, u.id as user_id, u.name, withheld_from(u.id) as withheld, u.dept_id, u.dept_path, k.acts as platform, k.scopes, k.addresses, k.per_minute, k.minute_used as used,
      ceil(extract(epoch from k.minute_at + interval '1 minute' - now()))::int as reset,
      ${heldMenus('u.id', 'k.acts')} as menus,
      case when k.acts = 'manager' then (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'path', m.path)), '[]') from managed_depts(u.id) m) else '[]' end as managed,
      (select jsonb_build_object('id', m.id, 'path', m.path) from managed_depts(u.id) m where m.id = k.only_dept_id) as only
    from k join account_user u on u.id = k.user_id join org_dept d on d.id = u.dept_id
    where u.state = '0' and is_dept_open(u.dept_path) and (k.only_dept_id is null or exists (select from managed_depts(u.id) m where m.id = k.only_dept_id))`.execute(
      db,
    ),
  );
  const row = found.rows[0];
  if (!row || !mayComeFrom(row, ip)) return undefined;
  const headers = {
    'ratelimit-policy': `"token";q=${row.per_minute};w=60`,
    ratelimit: `"token";r=${Math.max(0, row.per_minute - row.used)};t=${row.reset}`,
  };
  if (row.used > row.per_minute) throw fault('TOO_MANY', { seconds: row.reset });
  const held = without(rightsOf(row.menus, row.platform), row.withheld);
  return {
    actor: {
      userId: row.user_id,
      userName: row.name,
      deptId: row.only?.id ?? row.dept_id,
      deptPath: row.only?.path ?? row.dept_path,
      permissions: new Set(row.scopes.filter((scope) => held.has(scope))),
      sessionId: undefined,
      apiToken: { id: row.token_id, name: row.token_name },
    },
    platform: row.platform,
    managed: row.only ? [row.only] : row.managed,
    mustWait: false,
    mustChangePassword: false,
    mustBindMfa: false,
    provedSeconds: undefined,
    token: { headers },
  };
}
