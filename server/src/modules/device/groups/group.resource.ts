import { isDeepStrictEqual } from 'node:util';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { DeviceGroup, deviceGroupCalls, MOST_RULES } from '@mooring/contract/device/group-calls';
import { geofenceSee } from '@mooring/contract/geofence/geofence';
import type { Call } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { sql } from 'kysely';
import { groupChanged } from '../../../engines/rollout/join-tasks.ts';
import { ofSeenKind } from '../../../engines/rollout/seen-kinds.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { refuseUsed, usedColumns, usedWords } from '../../../platform/resource/used-by.ts';
import { addSns, changeMembers, listGroups, previewRule } from './members.ts';

/** How many it counts, from what is kept and not by looking through terminals. */
const members = sql<
  number | null
>`case when t.kind = 'static' then (select coalesce(sum(y.n), 0)::int from device_group_tally y where y.group_id = t.id) end`;
const may = ({ actor }: Ctx, can: Call['can']) => sql<boolean>`${isAllowed(actor.permissions, can)}::boolean`;
/** Open releases, geofences and alert rules that are for it. */
const usesFor = (ctx: Ctx) => [
  {
    rows: sql`rollout_task u where u.group_ids is not null and u.ended_at is null and t.id = any(u.group_ids)`,
    seen: ofSeenKind(ctx),
  },
  { rows: sql`geofence u where u.group_ids @> array[t.id]`, seen: may(ctx, geofenceSee) },
  { rows: sql`alert_rule u where t.id = any(u.group_ids)`, seen: may(ctx, alertRuleCalls.page.can) },
];

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
  joined: (query, ctx) =>
    query
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .select(['o.name as dept_name', members.as('members')])
      .select([...usedColumns(usesFor(ctx), sql<number>`device_group_uses(t.id)`)]),
  shown: (row, ctx) => ({ usedBy: usedWords(row, ctx.lang) }),
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
    delete: (row) => refuseUsed(row, 'GROUP_IN_USE'),
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
