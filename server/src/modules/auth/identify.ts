import type { Platform } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { batchLoader } from '../../platform/batch-loader.ts';
import type { Identity } from '../../platform/http/authenticator.ts';
import { heldMenus, rightsOf, without } from '../access/api.ts';
import { isExpired, loginPolicyOf, mayComeFrom, passwordPolicyOf } from './policies.ts';
import { tokenHash } from './sessions.ts';

interface Row {
  hash: string;
  id: number;
  platform: Platform;
  user_id: number;
  user_state: string;
  /** Their department, and all above it. */
  open: boolean;
  name: string;
  dept_id: number;
  dept_path: string;
  dept_name: string;
  password_initial: boolean;
  password_weak: boolean;
  password_at: Date | null;
  login_policy: unknown;
  password_policy: unknown;
  bound: boolean;
  proved: number | null;
  idle: number;
  age: number;
  /** Node codes of all roles, a space between. */
  menus: string;
  withheld: string[];
  stale: boolean;
  managed: { id: number; path: string }[];
}

const rowsOf = (app: AppContext, hashes: readonly string[]) =>
  app.readOnly(async (db) => {
    const found = await sql<Row>`
      -- The session first, and what is asked of its person as a column: as a condition it was asked of everybody.
      with found as materialized (
        select * from auth_session where token_hash = any(${hashes.map((hash) => `\\x${hash}`)}::bytea[]) and ended_at is null and expires_at > now()
      )
      select encode(s.token_hash, 'hex') as hash, s.id, s.platform, u.id as user_id, u.state as user_state, withheld_from(u.id) as withheld, is_dept_open(u.dept_path) as open, u.name, u.dept_id, u.dept_path, d.name as dept_name, u.password_initial, u.password_weak, u.password_at,
        lp.value as login_policy, pp.value as password_policy, extract(epoch from now() - s.proved_at)::float as proved, extract(epoch from now() - s.seen_at)::float as idle, extract(epoch from now() - s.created_at)::float as age,
        exists (select from account_totp t where t.user_id = u.id and t.bound_at is not null) or exists (select from account_passkey k where k.user_id = u.id) as bound, s.seen_at < now() - interval '1 minute' as stale,
        ${heldMenus('u.id', 's.platform')} as menus,
        case when s.platform = 'manager' then (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'path', m.path)), '[]') from managed_depts(u.id) m) else '[]' end as managed
      from found s join account_user u on u.id = s.user_id join org_dept d on d.id = u.dept_id
        left join auth_policy lp on lp.line = product_line_of(u.dept_path) and lp.kind = 'login'
        left join auth_policy pp on pp.line = product_line_of(u.dept_path) and pp.kind = 'password'
      where
        -- A lock after wrong tries keeps new sign-ins out; whoever is in stays, or anybody could throw them out.
        u.state in ('0', 'joining', 'refused') or (u.state = '1' and u.locked_until > now() - interval '5 minutes')`.execute(db);
    return new Map(found.rows.map((row) => [row.hash, row]));
  });

/**
 * Who a token is, with rights as they are at this moment: a changed role works at once in open sessions. One query, since each
 * call asks it; one for many who call at the same time.
 */
export function identifier(app: AppContext): (token: string, ip: string, idleSeconds?: number) => Promise<Identity | undefined> {
  const rowOf = batchLoader((hashes: readonly string[]) => rowsOf(app, hashes));
  return async (token, ip, idleSeconds = 0) => {
    const row = await rowOf(tokenHash(token).toString('hex'));
    if (!row || !isAlive(row, ip)) return undefined;
    // What a page asks by itself is no sign of life of its person.
    if (row.stale && row.idle > idleSeconds + 60)
      await app.unscoped((db) =>
        sql`update auth_session set seen_at = now() - make_interval(secs => ${idleSeconds}) where id = ${row.id}`.execute(db),
      );
    return identityOf(app, row);
  };
}

const isWaiting = (row: Row) => row.user_state === 'joining' || row.user_state === 'refused';

function identityOf(app: AppContext, row: Row): Identity {
  const mustWait = isWaiting(row);
  const actor = {
    userId: row.user_id,
    userName: row.name,
    deptId: row.dept_id,
    deptPath: row.dept_path,
    deptName: row.dept_name,
    permissions: mustWait ? new Set<string>() : without(rightsOf(row.menus, row.platform), row.withheld),
    sessionId: row.id,
  };
  const login = loginPolicyOf(row.login_policy);
  const expired = isExpired(passwordPolicyOf(row.password_policy), row.password_at, row.bound, app.now());
  return {
    actor,
    platform: row.platform,
    managed: row.managed,
    mustWait,
    mustChangePassword: row.password_initial || row.password_weak || expired,
    mustBindMfa: login.mfa === 'required' && !row.bound,
    provedSeconds: row.proved ?? undefined,
  };
}

/** Nobody acts for a shut department; idle and total time and the address list hold as the policy says now, not as it said at the sign-in. */
function isAlive(row: Row, ip: string): boolean {
  const policy = loginPolicyOf(row.login_policy);
  if (!row.open && !isWaiting(row)) return false;
  return row.idle <= policy.idleMinutes * 60 && row.age <= policy.totalMinutes * 60 && mayComeFrom(policy, ip);
}
