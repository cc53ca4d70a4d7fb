import { appSubscriptionMachine } from '@mooring/contract/app/state-machines';
import type { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import { partPattern } from '../../../platform/db/criteria.ts';
import { move, recordCreated, statefulTable } from '../../../platform/db/move.ts';
import type { Handler } from '../../../platform/module.ts';
import { pauseReleases } from '../pause-releases.ts';
import { newAppKey } from './secret.ts';
import { actOn, aloneWith, changed, type Row, target } from './sides.ts';
import { tellSubscription } from './tell.ts';

type Calls = typeof appSubscriptionCalls;
const rows = statefulTable('app_subscription', appSubscriptionMachine);
type Acts = { readonly [K in 'blockable' | 'block' | 'unblock']: Handler<Calls[K]> };
const MOST = 50;

/** An app of the actor's range. Fault: NOT_FOUND, also where it is merely listed for them. */
async function ownApp(ctx: Ctx, db: Db, id: number) {
  const row = await db
    .selectFrom('app_app as a')
    .leftJoin('org_dept as o', 'o.id', 'a.dept_id')
    .select(['a.id', 'a.name', 'a.package_name', 'a.dept_path', 'o.name as owner_name'])
    .where('a.id', '=', id)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}
type App = Awaited<ReturnType<typeof ownApp>>;

/** The one that holds or is asked for, or else the newest. */
const lastOf = (db: Db, appId: number, deptId: number) =>
  db
    .selectFrom('app_subscription')
    .selectAll()
    .where('app_id', '=', appId)
    .where('dept_id', '=', deptId)
    .orderBy(sql`state in ('asked', 'active')`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

/** Declined before it ever asked: it isn't told of an app that it may not know of, and finds it where it would subscribe. */
async function declined(ctx: Ctx, db: Db, app: App, dept: { id: number; name: string; dept_path: string }, reason: string) {
  const row = await db
    .insertInto('app_subscription')
    .values({
      app_id: app.id,
      app_name: app.name,
      package_name: app.package_name,
      owner_path: app.dept_path,
      owner_name: app.owner_name ?? '',
      dept_id: dept.id,
      dept_name: dept.name,
      dept_path: dept.dept_path,
      state: codeOf(appSubscriptionMachine, 'refused'),
      blacklist: '1',
      reason,
      app_key: newAppKey(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(db, rows, [row.id], ctx.actor.userId);
  // Organisations below it may have subscribed.
  await pauseReleases(ctx, db, app.id);
  return row;
}

/** What it has stays what it is, but for a request: that is declined. */
async function putOnBlacklist(ctx: Ctx, db: Db, row: Row, reason: string): Promise<void> {
  if (row.state === codeOf(appSubscriptionMachine, 'asked')) await move(db, rows, 'refuse', [row.id], { actorId: ctx.actor.userId });
  await db.updateTable('app_subscription').set({ blacklist: '1', reason, edited_at: ctx.now() }).where('id', '=', row.id).execute();
  await pauseReleases(ctx, db, row.app_id);
  if (row.blacklist === '0') await tellSubscription(db, row, 'block', reason);
}

export const makeBlock = (shown: (ctx: Ctx, id: number) => ReturnType<Acts['block']>): Acts => ({
  blockable: async (ctx, { appId, text }) => {
    const { path } = ctx.scope;
    return ctx.unscoped(async (db) => {
      const app = await ownApp(ctx, db, appId);
      const isKnown = sql`(o.dept_path >= ${path} and o.dept_path < ${`${path}~`} or o.id in (select s.dept_id from app_subscription s where s.app_id = ${appId}))`;
      const wanted =
        text === '' ? isKnown : sql`(${isKnown} and o.name ilike ${partPattern(text)} or lower(o.name) = ${text.toLowerCase()})`;
      const found = await sql<{ id: number; name: string }>`
        select o.id, o.name from org_dept o where ${wanted} and o.state in ('enabled', 'disabled')
          and not starts_with(o.dept_path, ${app.dept_path}) and not starts_with(${app.dept_path}, o.dept_path)
          and not exists (select from app_subscription b where b.app_id = ${appId} and b.dept_id = o.id and b.blacklist = '1')
        order by o.name, o.id limit ${MOST}`.execute(db);
      return found.rows;
    });
  },
  block: async (ctx, { appId, deptId, deptName, reason }) => {
    const id = await ctx.unscoped(async (db) => {
      const app = await ownApp(ctx, db, appId);
      const dept = await db
        .selectFrom('org_dept')
        .select(['id', 'name', 'dept_path'])
        .where('id', '=', deptId)
        .where('state', 'in', ['enabled', 'disabled'])
        .where(sql<string>`lower(name)`, '=', deptName.toLowerCase())
        .executeTakeFirst();
      if (!dept) throw fault('NOT_FOUND');
      if (dept.dept_path.startsWith(app.dept_path) || app.dept_path.startsWith(dept.dept_path))
        throw new Fault('BLOCK_OWN', { fields: { deptId: 'fault.BLOCK_OWN' } });
      await aloneWith(db, appId);
      const known = await lastOf(db, appId, deptId);
      if (known) await putOnBlacklist(ctx, db, known, reason);
      const row = known ?? (await declined(ctx, db, app, dept, reason));
      ctx.audit({ target: target(row), before: { blacklist: known?.blacklist ?? '0' }, after: { blacklist: '1', reason } });
      await changed(ctx, db, row);
      return row.id;
    });
    return shown(ctx, id);
  },
  unblock: async (ctx, { id, reason }) => {
    const work = async (db: Db, row: Row) => {
      if (row.blacklist !== '1') throw fault('OVERTAKEN');
      // After a merge several of it may be on the blacklist.
      await db
        .updateTable('app_subscription')
        .set({ blacklist: '0', reason, edited_at: ctx.now() })
        .where('app_id', '=', row.app_id)
        .where('dept_id', '=', row.dept_id)
        .where('blacklist', '=', '1')
        .execute();
      ctx.audit({ target: target(row), before: { blacklist: '1' }, after: { blacklist: '0', reason } });
      // Whoever never asked was told of nothing.
      if (row.created_by_id !== null) await tellSubscription(db, row, 'unblock', reason);
    };
    await actOn(ctx, id, 'owner', work, true);
    return shown(ctx, id);
  },
});
