import { AppSubscription, appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import { move } from '../../../platform/db/move.ts';
import { type Resource, resource } from '../../../platform/resource/resource.ts';
import { pauseReleases } from '../pause-releases.ts';
import { makeBlock } from './block.ts';
import { digestOf, newAppKey, newSecret, replaced } from './secret.ts';
import { actOn, aloneWith, changed, isOf, type Row, type Side, target } from './sides.ts';
import { checkVersion, dayOf, holds, taken } from './taken.ts';
import { tellSubscription, tellTerm } from './tell.ts';

/** What is the other side's to do isn't offered. */
const only =
  (side: Side, when: (row: Row) => boolean = () => true) =>
  (row: Row, ctx: Ctx) =>
    (!isOf(ctx, row, side) || !when(row)) && 'OVERTAKEN';
/** What is on the blacklist stays there when it ends, until its owner takes it off. */
const hasTerm = ({ state, blacklist }: Row): boolean => state === 'active' || blacklist === '1';
/** Asked once, the owner has a week to answer. */
const ASK_AGAIN = 7 * 86_400_000;
const mayAskAgain = ({ state, blacklist, valid_until, term_asked_at: asked }: Row, ctx: Pick<Ctx, 'now'>): boolean =>
  state === 'active' && blacklist === '0' && valid_until !== null && (asked === null || asked.getTime() + ASK_AGAIN <= ctx.now().getTime());
const shown = (ctx: Ctx, id: number) => ctx.withScope((inner) => subscriptions.read(inner, id));

async function step(ctx: Ctx, id: number, event: 'accept' | 'refuse' | 'end', set: Partial<Row>) {
  await actOn(ctx, id, event === 'end' ? 'subscriber' : 'owner', async (db, row) => {
    const moved = await move(db, subscriptions.rows, event, [id], { actorId: ctx.actor.userId, set });
    if (moved.length === 0) throw fault('OVERTAKEN');
    const { reason = '', valid_until: validUntil } = set;
    ctx.audit({ target: target(row), after: { event, reason, validUntil } });
    if (event === 'end') await pauseReleases(ctx, db, row.app_id);
    await tellSubscription(db, row, event, reason);
  });
  return shown(ctx, id);
}

/** What its owner decided about the scope, or about one above it, before: whoever ended a subscription doesn't get past it by another one. */
async function standing(ctx: Ctx, db: Db, appId: number) {
  const { path } = ctx.scope;
  const { rows } = await sql<{ blocked: boolean; over: boolean }>`
    select app_blocked(${appId}, ${path}) as blocked, app_term_over(${appId}, ${path}, ${dayOf(ctx)}::date) as over`.execute(db);
  return rows[0] ?? { blocked: true, over: true };
}

function checkTerm(ctx: Ctx, until: string | null): void {
  if (until !== null && until < dayOf(ctx)) throw new Fault('DAY_PAST', { fields: { validUntil: 'fault.DAY_PAST' } });
}

export const subscriptions: Resource<typeof AppSubscription> = resource(AppSubscription, appSubscriptionCalls, {
  table: 'app_subscription',
  small: true,
  target,
  owners: (row) => [row.dept_path, row.owner_path],
  joined: (query, ctx) =>
    query.select([
      sql<string>`case when ${holds(dayOf(ctx))} then '0' else '1' end`.as('validity'),
      taken('version_name').as('version_name'),
      taken('version_code').as('version_code'),
      sql<boolean>`t.secret is not null`.as('has_secret'),
      sql<string>`case when starts_with(t.dept_path, ${ctx.scope.path}) then 'subscriber' else 'owner' end`.as('side'),
      sql<boolean>`t.dept_id = ${ctx.scope.deptId}`.as('mine'),
    ]),
  criteria: { mine: (mine: boolean, { scope }: Ctx) => sql<boolean>`(t.dept_id = ${scope.deptId}) = ${mine}` },
  refuses: {
    update: only('subscriber', ({ state }) => state === 'asked' || state === 'active'),
    accept: only('owner'),
    refuse: only('owner'),
    end: only('subscriber'),
    term: only('owner', hasTerm),
    rotate: only('subscriber', ({ state }) => state === 'active'),
    renew: (row, ctx) => (!isOf(ctx, row, 'subscriber') || !mayAskAgain(row, ctx)) && 'OVERTAKEN',
    unblock: only('owner', ({ blacklist }) => blacklist === '1'),
  },
  acts: {
    term: appSubscriptionCalls.term,
    rotate: appSubscriptionCalls.rotate,
    renew: appSubscriptionCalls.renew,
    unblock: appSubscriptionCalls.unblock,
  },
  columns: async (ctx, { appId, versionId }, { before, db }) => {
    if (before) {
      await checkVersion(db, before.app_id, versionId, before.dept_path);
      if (versionId !== before.version_id) await pauseReleases(ctx, db, before.app_id);
      return { edited_at: ctx.now() };
    }
    const app = await db
      .selectFrom('app_app as a')
      .leftJoin('org_dept as o', 'o.id', 'a.dept_id')
      .select(['a.id', 'a.name', 'a.package_name', 'a.dept_path', 'a.subscription', 'o.name as owner_name'])
      .where('a.id', '=', appId)
      .where('a.deleted_at', 'is', null)
      .executeTakeFirst();
    if (!app) throw fault('NOT_FOUND');
    const { path, deptId } = ctx.scope;
    if (app.dept_path.startsWith(path) || path.startsWith(app.dept_path))
      throw new Fault('APP_OWN', { fields: { appId: 'fault.APP_OWN' } });
    await checkVersion(db, appId, versionId, path);
    await aloneWith(db, appId);
    const { blocked, over } = await standing(ctx, db, appId);
    if (blocked) throw new Fault('SUBSCRIPTION_BLOCKED', { fields: { appId: 'fault.SUBSCRIPTION_BLOCKED' } });
    const known = await db
      .selectFrom('app_subscription')
      .select('id')
      .where('dept_id', '=', deptId)
      .where('app_id', '=', appId)
      .where('state', 'in', ['asked', 'active'])
      .executeTakeFirst();
    if (known) throw new Fault('APP_SUBSCRIBED', { fields: { appId: 'fault.APP_SUBSCRIBED' } });
    const names = await ctx.unscoped((all) =>
      all
        .selectFrom('org_dept')
        .select(['id', 'name', 'dept_path'])
        .where((eb) => eb.or([eb('id', '=', deptId), eb('dept_path', '=', app.dept_path)]))
        .execute(),
    );
    return {
      app_name: app.name,
      package_name: app.package_name,
      owner_path: app.dept_path,
      owner_name: names.find((one) => one.dept_path === app.dept_path)?.name ?? '',
      dept_name: names.find((one) => one.id === deptId)?.name ?? '',
      state: app.subscription === 'free' && !over ? 'active' : 'asked',
      app_key: newAppKey(),
      created_by: ctx.actor.userName,
      created_by_id: ctx.actor.userId,
    };
  },
  added: async (ctx, id) => {
    const row = await ctx.db.selectFrom('app_subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await tellSubscription(ctx.db, row, row.state === 'asked' ? 'ask' : 'subscribe', row.note);
    await changed(ctx, ctx.db, row);
  },
  handlers: {
    accept: async (ctx, { id, validUntil }) => {
      checkTerm(ctx, validUntil);
      return step(ctx, id, 'accept', { valid_until: validUntil as never, reason: '' });
    },
    refuse: (ctx, { id, reason }) => step(ctx, id, 'refuse', { reason }),
    end: (ctx, { id }) => step(ctx, id, 'end', { secret: null, old_secret: null, old_secret_until: null, older_secrets: '[]' }),
    term: async (ctx, { id, revision, validUntil, blacklist, reason }) => {
      const work = async (db: Db, row: Row) => {
        if (row.revision !== revision || !hasTerm(row)) throw fault('OVERTAKEN');
        await db
          .updateTable('app_subscription')
          // What is told of its end is told of this one.
          .set({ valid_until: sql`${validUntil}::date`, warned_days: null, term_asked_at: null, blacklist, reason, edited_at: ctx.now() })
          .where('id', '=', id)
          .execute();
        const before = { validUntil: row.valid_until, blacklist: row.blacklist };
        ctx.audit({ target: target(row), before, after: { validUntil, blacklist, reason } });
        await pauseReleases(ctx, db, row.app_id);
        if (row.state === 'active' && validUntil !== row.valid_until)
          await tellTerm(
            db,
            row,
            validUntil === null
              ? { name: 'subscriptionEndless', comment: reason }
              : { name: 'subscriptionTerm', until: validUntil, comment: reason },
          );
        if (blacklist !== row.blacklist) await tellSubscription(db, row, blacklist === '1' ? 'block' : 'unblock', reason);
      };
      await actOn(ctx, id, 'owner', work, true);
      return shown(ctx, id);
    },
    rotate: (ctx, { id, overlapHours }) =>
      actOn(ctx, id, 'subscriber', async (db, row) => {
        if (row.state !== 'active') throw new Fault('SUBSCRIPTION_INVALID');
        const secret = newSecret();
        const set = { secret: digestOf(secret), ...replaced(row, overlapHours, ctx.now()) };
        await db.updateTable('app_subscription').set(set).where('id', '=', id).execute();
        ctx.audit({ target: target(row), after: { appKey: row.app_key, overlapHours } });
        return { appKey: row.app_key, secret };
      }),
    renew: async (ctx, { id, comment }) => {
      await actOn(ctx, id, 'subscriber', async (db, row) => {
        if (!mayAskAgain(row, ctx)) throw fault('OVERTAKEN');
        await db.updateTable('app_subscription').set({ term_asked_at: ctx.now() }).where('id', '=', id).execute();
        ctx.audit({ target: target(row), after: { termAsked: true, comment } });
        await tellSubscription(db, row, 'renew', comment);
      });
      return shown(ctx, id);
    },
    ...makeBlock(shown),
    mode: async (ctx, { appId, mode }) => {
      const row = await ctx.db.selectFrom('app_app').selectAll().where('id', '=', appId).forUpdate().executeTakeFirst();
      if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
      await ctx.db.updateTable('app_app').set({ subscription: mode }).where('id', '=', appId).execute();
      ctx.audit({ target: `app ${row.package_name}`, before: { subscription: row.subscription }, after: { subscription: mode } });
      await ctx.invalidate(ctx.db, '/softApp', row.dept_path);
      return null;
    },
  },
});
