import { type deviceGroupCalls, MOST_GROUPS, type snRefusals } from '@mooring/contract/device/group-calls';
import { SN } from '@mooring/contract/device/limits';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { COUNT_CAP } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import { behindOnce, meetsRule } from '../../../engines/devices/groups.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { countCandidates } from '../../../platform/db/candidates.ts';
import { all, contains } from '../../../platform/db/criteria.ts';
import type { Handler } from '../../../platform/module.ts';
import { deptInScope } from '../add-device.ts';
import { runBulk } from '../run-bulk.ts';
import { addTo } from './group-acts.ts';

const SHOWN = 200;

async function groupOf(ctx: Ctx, id: number) {
  const group = await ctx.db.selectFrom('device_group').select(['id', 'name', 'kind', 'dept_path']).where('id', '=', id).executeTakeFirst();
  if (!group) throw fault('NOT_FOUND');
  return group;
}

/** A group whose terminals people choose. */
export async function chosenGroup(ctx: Ctx, id: number, field = 'groupId') {
  const group = await groupOf(ctx, id);
  if (group.kind === 'rule') throw new Fault('GROUP_BY_RULE', { fields: { [field]: 'fault.GROUP_BY_RULE' } });
  return group;
}

export const changeMembers =
  (name: 'addToGroup' | 'removeFromGroup'): Handler<typeof deviceGroupCalls.addMembers> =>
  async (ctx, { of, groupId, preview }) => {
    const { dept_path: path } = await chosenGroup(ctx, groupId);
    return runBulk(ctx, name, of, preview, { groupId, path });
  };

export const listGroups: Handler<typeof deviceGroupCalls.list> = async (ctx, { text, ids }) => {
  const rows = await ctx.db
    .selectFrom('device_group as t')
    .innerJoin('org_dept as o', 'o.id', 't.dept_id')
    .select(['t.id', 't.name', 't.kind', 'o.name as dept_name'])
    .where(all(contains('t.name', text || undefined), ids && sql<boolean>`t.id = any(${ids}::bigint[])`))
    .orderBy('t.name')
    .orderBy('t.id')
    .limit(MOST_GROUPS)
    .execute();
  return rows.map(({ id, name, kind, dept_name }) => ({ id, name, kind: kind as 'static' | 'rule', deptName: dept_name }));
};

export const previewRule: Handler<typeof deviceGroupCalls.preview> = async (ctx, { deptId, groupId, rule }) => {
  const path =
    deptId === undefined ? (await groupOf(ctx, groupId ?? 0)).dept_path : (await deptInScope(ctx.db, ctx.scope.path, deptId)).path;
  const n = await countCandidates(ctx, 'device', await meetsRule(path, rule, behindOnce(ctx.db)), COUNT_CAP + 1);
  return { total: Math.min(n, COUNT_CAP), capped: n > COUNT_CAP };
};

type Reason = (typeof snRefusals)[number];
interface Known {
  readonly id: number;
  readonly sn: string;
  readonly inRange: boolean;
  readonly isMember: boolean;
  readonly isFull: boolean;
}

/** Terminals in sight of these serial numbers, as the group `g` sees them. Whose another one is elsewhere is nobody's to know here. */
const knownOf = async (db: Db, group: { id: number; dept_path: string }, sns: readonly string[]): Promise<Map<string, Known>> => {
  const { rows } = await sql<Known>`
    select d.id, d.sn, d.dept_path >= ${group.dept_path} and d.dept_path < ${`${group.dept_path}~`} as "inRange",
      exists (select from device_group_member m where m.group_id = ${group.id} and m.device_id = d.id) as "isMember",
      (select count(*) from device_group_member m where m.device_id = d.id) >= ${MOST_GROUPS} as "isFull"
    from device d where d.sn = any(${sns}::text[]) and d.deleted_at is null`.execute(db);
  return new Map(rows.map((row) => [row.sn, row]));
};

function reasonOf(sn: string, known: Known | undefined): Reason | undefined {
  if (!SN.test(sn)) return 'wrong';
  if (!known) return 'unknown';
  if (!known.inRange) return 'outside';
  return known.isFull && !known.isMember ? 'full' : undefined;
}

/** All of a list or, unless the others are wanted anyway, nothing of it. */
export const addSns: Handler<typeof deviceGroupCalls.addSns> = async (ctx, { groupId, sns, anyway }) => {
  const group = await chosenGroup(ctx, groupId);
  const asked = sns.map((sn) => sn.trim().toUpperCase()).filter((sn) => sn !== '');
  const known = await knownOf(ctx.db, group, [...new Set(asked)]);
  const seen = new Set<string>();
  const problems: { sn: string; reason: Reason }[] = [];
  const ids: number[] = [];
  let already = 0;
  for (const sn of asked) {
    const found = known.get(sn);
    const reason = seen.has(sn) ? 'twice' : reasonOf(sn, found);
    seen.add(sn);
    if (reason) problems.push({ sn, reason });
    else if (found?.isMember) already += 1;
    else if (found) ids.push(found.id);
  }
  const isDone = anyway || problems.every(({ reason }) => reason === 'twice');
  const added = isDone ? await addTo(ctx, ctx.db, group, ids) : [];
  if (added.length > 0) await ctx.invalidate(ctx.db, '/device', group.dept_path);
  ctx.audit({ target: `group ${group.name}`, after: { added: added.length, refused: problems.length } });
  return { added: added.length, already, refused: problems.length, problems: problems.slice(0, SHOWN) };
};
