import type { Call, Platform } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import { codesWith, heldSince, weekBefore } from '../../access/api.ts';

export interface Wanted {
  readonly can: Call['can'];
  readonly platform: Platform;
  /** Who asks for it: neither they nor whoever may be in one hand with them. */
  readonly except: number;
  readonly now: Date;
  /** Of a product line: they must reach it. Settings of the installation ask for the permission alone. */
  readonly path?: string | undefined;
  readonly administrators: boolean;
  /** Two people are asked for whether dual control is on or off. */
  readonly always?: boolean;
}
const MOST_TOLD = 100;

/** Who else could make this change, and so approve it. */
export async function approversOf(db: Db, { can, platform, except, now, path, administrators, always = false }: Wanted): Promise<number[]> {
  const codes = administrators || typeof can !== 'string' ? [] : codesWith(can);
  const since = always ? weekBefore(now) : await heldSince(db, now);
  const { rows } = await sql<{ id: number }>`
    select u.id from account_user u
    where u.state = '0' and u.id <> ${except} and is_dept_open(u.dept_path) and (not ${administrators}::boolean or u.dept_path = '1.')
      and (${path ?? null}::text is null or starts_with(${path}, u.dept_path) or exists (select from managed_depts(u.id) m join org_dept o on o.id = m.id where starts_with(${path}, o.dept_path)))
      and exists (select from access_user_role ur join access_role r on r.id = ur.role_id
        where ur.user_id = u.id and ${platform} = any(r.platforms) and r.menus && ${['*', ...codes]}::text[])
      and not exists (select people_behind(u.id, ${since}) intersect select people_behind(${except}, ${since}))
    order by u.id limit ${MOST_TOLD}`.execute(db);
  return rows.map((row) => row.id);
}

/** Without a second administrator no change could ever be approved, this one taken back included. Fault: DUAL_NOBODY. */
export async function checkSecond(db: Db, except: number, now: Date): Promise<void> {
  const found = await approversOf(db, { can: systemSettingCalls.dualControl.can, platform: 'manager', except, now, administrators: true });
  if (found.length === 0) throw new Fault('DUAL_NOBODY');
}
