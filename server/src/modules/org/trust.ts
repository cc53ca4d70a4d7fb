import { randomUUID } from 'node:crypto';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { trustMachine } from '@mooring/contract/org/state-machines';
import { type Trust, trustCalls } from '@mooring/contract/org/trust-calls';
import { sql } from 'kysely';
import { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, exact, partPattern } from '../../platform/db/criteria.ts';
import { move, recordCreated, statefulTable } from '../../platform/db/move.ts';
import { page } from '../../platform/db/page.ts';
import { type Handler, job } from '../../platform/module.ts';
import { covers, type Held, heldNow, rightsIn } from '../access/api.ts';
import { notify } from '../message/api.ts';
import { invalidateDepts } from './change-dept.ts';
import { deptInScope } from './dept.queries.ts';

const trustRows = statefulTable('org_trust', trustMachine);
const MOST_DAYS = 366;
const MOST = 50;

const selectTrusts = (db: Db) =>
  db
    .selectFrom('org_trust as t')
    .innerJoin('org_dept as g', 'g.id', 't.dept_id')
    .innerJoin('org_dept as r', 'r.id', 't.trustee_id')
    .selectAll('t')
    .select(['g.name as dept_name', 'r.name as trustee_name', 'g.dept_path as giver_path', 'r.dept_path as trustee_path']);
type Row = Awaited<ReturnType<ReturnType<typeof selectTrusts>['executeTakeFirstOrThrow']>>;

const trustOf =
  (ctx: Ctx) =>
  (row: Row): z.input<typeof Trust> => ({
    id: row.id,
    side: row.side as 'giver',
    deptId: row.dept_id,
    deptName: row.dept_name,
    trusteeId: row.trustee_id,
    trusteeName: row.trustee_name,
    state: row.state,
    until: row.until,
    givenBy: row.given_by,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    ...allowing(allowedActions(ctx, { end: trustCalls.end }, { machine: trustMachine, state: row.state })),
  });

/** Past the policy, since the other side lies outside; the range of the scope is said here. Where both sides lie inside, one row is enough. */
export const pageTrusts: Handler<typeof trustCalls.page> = (ctx, { criteria, page: wanted }) => {
  const { path } = ctx.scope;
  return ctx.unscoped((db) =>
    page(
      db,
      selectTrusts(db)
        .where(sql<boolean>`t.dept_path >= ${path} and t.dept_path < ${`${path}~`}`)
        .where(sql<boolean>`(t.side = 'giver' or not (g.dept_path >= ${path} and g.dept_path < ${`${path}~`}))`)
        .where(
          all(
            criteria.deptId === undefined ? undefined : sql<boolean>`(t.dept_id = ${criteria.deptId} or t.trustee_id = ${criteria.deptId})`,
            exact('t.state', criteria.state),
          ),
        ),
      { page: wanted, sorts: { createdAt: 't.created_at', until: 't.until' }, id: 't.id', map: trustOf(ctx) },
    ),
  );
};

const lineOf = (path: string) => path.split('.').slice(0, 2).join('.');

/** Who may become trustee of a unit: its parent, or an organisation of its product line. */
async function eligible(db: Db, giver: { id: number; parent_id: number | null; dept_path: string }, trusteeId: number) {
  const row = await db.selectFrom('org_dept').select(['id', 'dept_path', 'kind', 'name']).where('id', '=', trusteeId).executeTakeFirst();
  if (!row || row.id === giver.id || row.dept_path.startsWith(giver.dept_path)) return undefined;
  if (row.id !== giver.parent_id && (row.kind !== 'organisation' || lineOf(row.dept_path) !== lineOf(giver.dept_path))) return undefined;
  return row;
}

/** A trustee's managers act with their own rights: whoever lets them in holds all of these. Trusteeship works on the organisations' platform alone. */
export async function mayEntrust(db: Db, held: Held, trusteeId: number): Promise<boolean> {
  const { rows } = await sql<{ menus: string[] }>`
    select distinct r.menus from account_user u join access_user_role ur on ur.user_id = u.id join access_role r on r.id = ur.role_id
    where u.dept_id = ${trusteeId} and u.user_type = '1' and u.state not in ('cancelled', 'refused') and 'manager' = any(r.platforms)`.execute(
    db,
  );
  return covers(held, rightsIn(rows.map((row) => ({ platforms: ['manager'], menus: row.menus }))));
}

export const giveTrust: Handler<typeof trustCalls.give> = async (ctx, { deptId, trusteeId, until }) => {
  const giver = await deptInScope(ctx, ctx.db, deptId);
  const end = new Date(until);
  if (end <= ctx.now() || end.getTime() > ctx.now().getTime() + MOST_DAYS * 86_400_000)
    throw new Fault('TRUST_TERM', { fields: { until: 'fault.TRUST_TERM' } });
  if (!giver.open) throw new Fault('DEPT_SHUT');
  if (giver.kind !== 'organisation') throw new Fault('TRUST_NOT_THERE');
  const held = await heldNow(ctx);
  const row = await ctx.unscoped(async (db) => {
    const trustee = await eligible(db, giver, trusteeId);
    if (!trustee) throw new Fault('TRUST_NOT_THERE', { fields: { trusteeId: 'fault.TRUST_NOT_THERE' } });
    if (!(await mayEntrust(db, held, trustee.id))) throw new Fault('TRUST_ABOVE', { fields: { trusteeId: 'fault.TRUST_ABOVE' } });
    const pair = randomUUID();
    const common = { pair, dept_id: deptId, trustee_id: trusteeId, until: end, given_by: ctx.actor.userName };
    const made = await db
      .insertInto('org_trust')
      .values([
        { ...common, side: 'giver', dept_path: giver.dept_path },
        { ...common, side: 'trustee', dept_path: trustee.dept_path },
      ])
      .onConflict((on) => on.doNothing())
      .returning('id')
      .execute();
    if (made.length < 2) throw new Fault('TRUST_TAKEN');
    await recordCreated(
      db,
      trustRows,
      made.map((one) => one.id),
      ctx.actor.userId,
    );
    await notifyOrg(db, 'trustGiven', giver.name, trustee.dept_path, { until: end.toISOString().slice(0, 10) });
    await invalidateDepts(ctx, db, giver.dept_path, trustee.dept_path);
    return selectTrusts(db).where('t.pair', '=', pair).where('t.side', '=', 'giver').executeTakeFirstOrThrow();
  });
  ctx.audit({ target: giver.name, after: { trustee: row.trustee_name, until } });
  return trustOf(ctx)(row);
};

/** The managers of a side hear of it. */
async function notifyOrg(
  db: Db,
  words: 'trustGiven' | 'trustEnded',
  org: string,
  path: string,
  more: Record<string, string> = {},
): Promise<void> {
  const managers = await db
    .selectFrom('account_user')
    .select('id')
    .where('dept_path', '=', path)
    .where('user_type', '=', '1')
    .limit(100)
    .execute();
  if (managers.length === 0) return;
  const users = managers.map((one) => one.id);
  await notify(db, { name: words, params: { org, ...more }, to: { users }, deptPath: path, link: '/device/all' });
}

export const endTrust: Handler<typeof trustCalls.end> = async (ctx, { id }) => {
  // Either side's own row is what the policy shows.
  const own = await ctx.db.selectFrom('org_trust').select('pair').where('id', '=', id).executeTakeFirst();
  if (!own) throw fault('NOT_FOUND');
  return ctx.unscoped(async (db) => {
    const ended = await closeTrusts(ctx, db, 'end', sql`pair = ${own.pair}`);
    if (ended.length === 0) throw fault('OVERTAKEN');
    const row = await selectTrusts(db).where('t.id', '=', id).executeTakeFirstOrThrow();
    ctx.audit({ target: row.dept_name, before: { trustee: row.trustee_name, until: row.until } });
    return trustOf(ctx)(row);
  });
};

/** By whoever reviews it, on both of its sides. */
export async function endTrustOf(ctx: Ctx, db: Db, id: number): Promise<void> {
  await closeTrusts(ctx, db, 'end', sql`pair = (select pair from org_trust where id = ${id})`);
}

/** Ends terms on both of their sides. Answers the trustee's rows. */
export async function closeTrusts(ctx: Ctx, db: Db, event: 'end' | 'expire', which: ReturnType<typeof sql>): Promise<readonly Row[]> {
  const moved = await move(db, trustRows, event, which, { actorId: ctx.actor.userId || null, set: { ended_at: ctx.now() } });
  if (moved.length === 0) return [];
  const ids = moved.map((one) => one.id);
  const rows = await selectTrusts(db).where('t.id', 'in', ids).where('t.side', '=', 'trustee').execute();
  for (const row of rows) {
    await notifyOrg(db, 'trustEnded', row.dept_name, row.trustee_path);
    await notifyOrg(db, 'trustEnded', row.dept_name, row.giver_path);
    await invalidateDepts(ctx, db, row.giver_path, row.trustee_path);
  }
  return rows;
}

/** Terms that are over. A call asks for the time itself, so a late turn of this job lets nobody in. */
export const expireTrusts = job({
  name: 'org:expire-trusts',
  payload: z.object({}),
  every: '*/5 * * * *',
  run: (ctx) => ctx.unscoped(async (db) => void (await closeTrusts(ctx, db, 'expire', sql`until <= ${ctx.now()}`))),
});

export const trustCandidates: Handler<typeof trustCalls.candidates> = async (ctx, { deptId, text, ids }) => {
  const giver = await deptInScope(ctx, ctx.db, deptId);
  const { path } = ctx.scope;
  const inScope = sql`o.dept_path >= ${path} and o.dept_path < ${`${path}~`}`;
  const wanted = ids
    ? sql`o.id = any(${ids}::bigint[])`
    : text === ''
      ? sql`(o.id = ${giver.parent_id} or ${inScope})`
      : sql`((o.id = ${giver.parent_id} and o.name ilike ${partPattern(text)}) or (${inScope} and o.name ilike ${partPattern(text)}) or lower(o.name) = ${text.toLowerCase()})`;
  const found = await ctx.unscoped((db) =>
    sql<{ id: number; name: string; kind: string; dept_path: string; parent_id: number | null }>`
      select o.id, o.name, o.kind, o.dept_path, o.parent_id from org_dept o
      where ${wanted} and o.state = 'enabled' and not (o.dept_path >= ${giver.dept_path} and o.dept_path < ${`${giver.dept_path}~`})
        and (o.id = ${giver.parent_id} or (o.kind = 'organisation' and o.dept_path >= ${`${lineOf(giver.dept_path)}.`} and o.dept_path < ${`${lineOf(giver.dept_path)}.~`}))
      order by o.id = ${giver.parent_id} desc, o.dept_path limit ${MOST}`.execute(db),
  );
  return found.rows.map((row) => ({ id: row.id, name: row.name, kind: row.kind, path: row.dept_path, parentId: row.parent_id }));
};
