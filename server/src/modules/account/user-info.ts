import type { UserInfo } from '@mooring/contract/account/calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { actorOf, heldNow, leavesOut, platformsOf, roleName } from '../access/api.ts';
import { isExpired, policiesAt, registrationOf } from '../auth/api.ts';
import { factorsOf } from './second-factor.ts';

/** 0 off, 1 as one likes, 2 asked of everybody. */
const mfaStatus = { off: '0', optional: '1', required: '2' } as const;

/** User info of specification section 3, with the rights that this platform gives. */
export async function userInfo(ctx: Ctx): Promise<UserInfo> {
  const { userId, permissions } = ctx.actor;
  return ctx.unscoped(async (db) => {
    const user = await db
      .selectFrom('account_user as u')
      .innerJoin('org_dept as d', 'd.id', 'u.dept_id')
      .select([
        'u.id',
        'u.account',
        'u.name',
        'u.email',
        'u.category',
        'u.state',
        'u.user_type',
        'u.dept_id',
        'd.name as dept_name',
        'u.dept_path',
        'u.mobile',
        'u.country',
        'u.picture',
        'u.password_initial',
        'u.password_weak',
        'u.password_at',
        'u.language',
        'u.time_zone',
      ])
      .where('u.id', '=', userId)
      .executeTakeFirst();
    if (!user) throw fault('NO_SESSION');
    const roles = await sql<{
      name: string;
    }>`select r.name from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = ${userId} order by r.name`.execute(
      db,
    );
    const policies = await policiesAt(db, user.dept_path);
    const bound = (await factorsOf(db, userId)).length > 0;
    return {
      id: user.id,
      userName: user.name,
      account: user.account,
      email: user.email,
      userCategory: user.category,
      relateDept: { deptId: user.dept_id, deptName: user.dept_name, userType: user.user_type },
      role: roles.rows.map((row) => roleName(row.name, ctx.lang)),
      permissions: [...permissions],
      permissionsElsewhere: [...((await actorOf(db, userId, ctx.scope.platform === 'centre' ? 'manager' : 'centre'))?.permissions ?? [])],
      platforms: await platformsOf(db, userId),
      leavesOut: await leavesOut({ db, scope: ctx.scope }, await heldNow(ctx)),
      pwdPatternCheck: !user.password_weak,
      pwdExpireCheck: !isExpired(policies.password, user.password_at, bound, ctx.now()),
      pwdDefFlag: user.password_initial,
      mfaStatus: mfaStatus[policies.login.mfa],
      mfaBindStatus: bound ? '1' : '0',
      mobile: user.mobile,
      country: user.country,
      picture: user.picture,
      language: user.language,
      timeZone: user.time_zone,
      waiting: user.state === 'joining' || user.state === 'refused' ? await registrationOf(db, userId) : null,
    };
  });
}
