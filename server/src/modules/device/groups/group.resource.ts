import { isDeepStrictEqual } from 'node:util';
import { DeviceGroup, deviceGroupCalls, MOST_RULES } from '@mooring/contract/device/group-calls';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { groupChanged } from '../../../engines/rollout/join-tasks.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { addSns, changeMembers, listGroups, previewRule } from './members.ts';

/** How many it counts, and an open release, a geofence or an alert rule that is for it; all from what is kept, none by looking through terminals. */
const members = sql<
  number | null
>`case when t.kind = 'static' then (select coalesce(sum(y.n), 0)::int from device_group_tally y where y.group_id = t.id) end`;
const usedBy = sql<string | null>`coalesce(
  (select u.name from rollout_task u where u.group_ids is not null and u.ended_at is null and t.id = any(u.group_ids) order by u.id limit 1),
  (select u.name from geofence u where u.group_ids @> array[t.id] order by u.id limit 1),
  (select u.name from alert_rule u where t.id = any(u.group_ids) order by u.id limit 1))`;

/** As it is stored: what isn't asked for isn't there. */
const isSame = (stored: unknown, rule: unknown) => isDeepStrictEqual(stored, JSON.parse(JSON.stringify(rule)));

const wrong = (text: string) => new Fault('BAD_INPUT', { fields: { rule: text } });

/** Groups by rule of this organisation, of those above, and of the one way down that has most of them. Fault: GROUP_RULES_MANY. */
async function checkRules(ctx: Ctx, db: Db, path: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('group rules', 0))`.execute(db);
  // Past the policies: those above aren't seen from here, and count where everything is seen.
  const count = (all: Db) =>
    sql<{ n: number }>`
    with rules as (select dept_path from device_group where kind = 'rule' and (starts_with(${path}, dept_path) or starts_with(dept_path, ${path})))
    select coalesce(max(n), 0)::int as n from (
      select count(*) as n from (select distinct dept_path from rules union select ${path}) leaf join rules on starts_with(leaf.dept_path, rules.dept_path) group by leaf.dept_path
    ) x`.execute(all);
  const found = await ctx.unscoped(count);
  if ((found.rows[0]?.n ?? 0) >= MOST_RULES) throw new Fault('GROUP_RULES_MANY', { params: { most: MOST_RULES } });
}

export const deviceGroups = resource(DeviceGroup, deviceGroupCalls, {
  table: 'device_group',
  target: (row) => `group ${row.name}`,
  joined: (query) =>
    query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select(['o.name as dept_name', members.as('members'), usedBy.as('used_by')]),
  columns: async (ctx, { kind, rule }, { before, db, path }) => {
    const isRule = (before?.kind ?? kind) === 'rule';
    if (isRule && rule === null) throw wrong('deviceGroup.rule.none');
    if (!isRule && rule !== null) throw wrong('fault.BAD_INPUT');
    if (!before && isRule) await checkRules(ctx, db, path);
    if (before && isRule && !isSame(before.rule, rule)) await groupChanged(db, ctx, before.id);
    await ctx.invalidate(db, '/device', path);
    return {};
  },
  refuses: {
    delete: (row) => {
      const { used_by: name } = row as { used_by?: string | null };
      return name ? new Fault('GROUP_IN_USE', { params: { name } }) : undefined;
    },
  },
  acts: { addMembers: deviceGroupCalls.addMembers, addSns: deviceGroupCalls.addSns },
  handlers: {
    list: listGroups,
    addMembers: changeMembers('addToGroup'),
    removeMembers: changeMembers('removeFromGroup'),
    addSns,
    preview: previewRule,
  },
});
