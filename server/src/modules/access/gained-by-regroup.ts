import type { Platform } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { setRoles } from './grants.ts';
import { covers, type Held, heldBy, onPlatform } from './held.ts';

/*
 * Moving or merging a unit changes nobody's roles, and yet gives rights: whoever works at the target acts for what comes below it, and whoever
 * comes along from the source acts at the target. It is bounded like any grant: by what the one who regroups holds, who stands above both.
 */

interface Gaining {
  readonly user_id: number;
  readonly platform: Platform;
}
const bothPlatforms = sql`(values ('centre'), ('manager')) p (platform)`;

/** Who acts at a path: at home there or above it, as a manager or trustee on the organisations' platform alone. Also who just now may not sign in. */
function actorsAt(path: string): RawBuilder<Gaining> {
  const above = sql`any(${path.split('.').flatMap((_one, at, all) => (at === 0 ? [] : [`${all.slice(0, at).join('.')}.`]))}::text[])`;
  return sql`
    select u.id as user_id, p.platform from account_user u, ${bothPlatforms} where u.dept_path = ${above}
    union select m.user_id, 'manager' from access_managed_dept m join org_dept o on o.id = m.dept_id where o.dept_path = ${above}
    union select u.id, 'manager' from org_trust t join org_dept o on o.id = t.dept_id join account_user u on u.dept_id = t.trustee_id and u.user_type = '1'
      where t.side = 'trustee' and t.state = 'active' and o.dept_path = ${above}`;
}

/** Who would act with something that isn't held. */
async function uncovered(db: Db, held: Held, gaining: RawBuilder<Gaining>): Promise<number[]> {
  const { rows } = await gaining.execute(db);
  const theirs = await heldBy(db, [...new Set(rows.map((row) => row.user_id))]);
  const above = rows.filter(({ user_id, platform }) => !covers(held, onPlatform(theirs.get(user_id) ?? new Set(), platform)));
  return [...new Set(above.map((row) => row.user_id))];
}

export interface Regroup {
  readonly kind: 'move' | 'merge';
  readonly unit: { readonly id: number; readonly path: string };
  readonly target: { readonly path: string };
}

/** Whoever manages a merged unit from elsewhere is `mergeManaged`'s. */
const comingAlong = (unitId: number, targetPath: string): RawBuilder<Gaining> =>
  sql`select u.id as user_id, p.platform from account_user u, ${bothPlatforms} where u.dept_id = ${unitId} except (${actorsAt(targetPath)})`;

/** Refuses what would let anybody act where they don't act today, with something that isn't held. */
export async function checkRegroup(db: Db, held: Held, { kind, unit, target }: Regroup): Promise<void> {
  const atTarget = await uncovered(db, held, sql`${actorsAt(target.path)} except (${actorsAt(unit.path)})`);
  if (atTarget.length > 0) throw new Fault('TARGET_PEOPLE_ABOVE');
  if (kind === 'merge' && (await uncovered(db, held, comingAlong(unit.id, target.path))).length > 0) throw new Fault('SOURCE_PEOPLE_ABOVE');
}

/** Who came into a unit beside its merge follows it without the roles for which it would have been refused. Answers who they are. */
export async function shedRoles(db: Db, held: Held, unitId: number, targetPath: string): Promise<number[]> {
  const above = await uncovered(db, held, comingAlong(unitId, targetPath));
  for (const id of above) await setRoles(db, id, [], { by: null, way: 'system' });
  return above;
}
