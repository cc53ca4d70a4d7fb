import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Dept, DeptKind, Impact } from '@mooring/contract/org/schemas';
import { orgMachine } from '@mooring/contract/org/state-machines';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedEvents, allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';

export const deptRows = statefulTable('org_dept', orgMachine);

export const selectDepts = (db: Db) =>
  db
    .selectFrom('org_dept as o')
    .leftJoin('org_dept as p', 'p.id', 'o.parent_id')
    .leftJoin('org_dept as m', 'm.id', 'o.merged_into')
    .selectAll('o')
    .select(['p.name as parent_name', 'm.name as merged_name'])
    .select(sql<boolean>`is_dept_open(o.dept_path)`.as('open'));
export type DeptRow = Awaited<ReturnType<ReturnType<typeof selectDepts>['executeTakeFirstOrThrow']>>;

const can = { enable: 'state', disable: 'state', approve: 'audit', refuse: 'audit' } as const;

/** A unit's own people change what it says of itself; its state and its place belong to those above. */
function deptActions(ctx: Ctx, row: DeptRow): string[] {
  const unit = row.kind === 'platform' || row.kind === 'productLine' || row.kind === 'businessUnit';
  const held = (button: string) =>
    ctx.actor.permissions.has(`org:dept:${button}`) || (unit && ctx.actor.permissions.has(`org:unit:${button}`));
  const statefulTable = row.state === 'enabled' || row.state === 'disabled';
  const above = row.dept_path !== ctx.scope.path && row.parent_id !== null;
  const wanted = Object.fromEntries(Object.entries(can).map(([event, button]) => [event, `org:dept:${button}`]));
  const events = allowedEvents(orgMachine, row.state, { ...ctx.actor, permissions: unitPermissions(ctx, unit) }, wanted);
  return [
    ...(statefulTable && held('update') ? ['update'] : []),
    ...(row.open && ctx.actor.permissions.has('org:dept:add') ? ['add'] : []),
    ...(above ? events : []),
    ...(above && statefulTable && row.kind === 'organisation' && ctx.actor.permissions.has('org:dept:move') ? ['move', 'merge'] : []),
    ...(row.open && row.kind === 'organisation' && ctx.actor.permissions.has('org:trust:give') ? ['give'] : []),
  ];
}
function unitPermissions(ctx: Ctx, unit: boolean): ReadonlySet<string> {
  const held = ctx.actor.permissions;
  return unit && held.has('org:unit:state') ? new Set([...held, 'org:dept:state']) : held;
}

export const deptOf =
  (ctx: Ctx) =>
  (row: DeptRow): z.input<typeof Dept> => ({
    id: row.id,
    name: row.name,
    kind: row.kind as DeptKind,
    // What is above one's own unit is nobody's business here.
    parentId: row.dept_path === ctx.scope.path ? null : row.parent_id,
    parentName: row.dept_path === ctx.scope.path ? null : row.parent_name,
    state: row.state,
    open: row.open,
    timeZone: row.time_zone,
    contactName: row.contact_name,
    contactPhone: row.contact_phone,
    contactEmail: row.contact_email,
    address: row.address,
    remark: row.remark,
    reason: row.reason,
    mergedInto: row.merged_into !== null && row.merged_name !== null ? { id: row.merged_into, name: row.merged_name } : null,
    revision: row.revision,
    createdAt: row.created_at,
    ...allowing(deptActions(ctx, row)),
  });

/** A unit of the scope: those above it are readable, but not the actor's. */
export async function deptInScope(ctx: Ctx, db: Db, id: number): Promise<DeptRow> {
  const row = await selectDepts(db).where('o.id', '=', id).executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}
/** The same, for what only those above may do with it. */
export async function deptBelowScope(ctx: Ctx, db: Db, id: number): Promise<DeptRow> {
  const row = await deptInScope(ctx, db, id);
  if (row.dept_path === ctx.scope.path || row.parent_id === null) throw new Fault('DEPT_OWN');
  return row;
}
export const readDept = async (ctx: Ctx, id: number) => deptOf(ctx)(await deptInScope(ctx, ctx.db, id));

/** Releases that have begun or will by themselves, and haven't ended. */
const openTasks: readonly string[] = ['scheduled', 'running', 'paused', 'halted'];
/** Those of them that a unit's end of work stops: whatever is stopped already stays as it is. */
export const stoppableTasks: readonly string[] = ['scheduled', 'running'];

/** What lies at and below a path, from counters and ranges. */
export async function impactOf(db: Db, path: string, tasks = openTasks): Promise<Impact> {
  const below = sql`dept_path >= ${path} and dept_path < ${`${path}~`}`;
  const { rows } = await sql<Impact>`select
    greatest((select count(*) from org_dept where ${below} and state <> 'closed') - 1, 0)::int as units,
    (select count(*) from account_user where ${below})::int as people,
    coalesce((select sum(n) from device_tally where ${below}), 0)::int as devices,
    (select count(*) from rollout_task where ${below} and state = any(${tasks}::text[]))::int as tasks`.execute(db);
  return rows[0] ?? { units: 0, people: 0, devices: 0, tasks: 0 };
}
