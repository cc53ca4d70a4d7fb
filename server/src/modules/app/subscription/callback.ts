import { appCallbackCalls } from '@mooring/contract/app/callback';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { allowedActions, allowing } from '../../../platform/allowed-actions.ts';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { handlers, type Route } from '../../../platform/module.ts';
import { checkOutside, hostOf } from '../../../platform/outbound/door.ts';
import { newSecret } from '../../../platform/outbound/sign.ts';
import { readSetting } from '../../../platform/settings.ts';
import { deliveriesOf, hasTest, keepWebhook, nextTry, queueTest } from '../../settings/api.ts';
import { tellCallback } from './tell.ts';

const { set, newSecret: renew, delete: remove, test: tryOut } = appCallbackCalls;
const acts = { set, newSecret: renew, delete: remove, test: tryOut };
const actsOfSuspended = { set, newSecret: renew, delete: remove };
const sent = deliveriesOf(appCallbackCalls, 'app');
export const callbackExporter = sent.exporter;

/** An app that the scope owns; one that it may only use is none. Held, its address is changed by one at a time. Fault: NOT_FOUND. */
async function ownApp(ctx: Ctx, db: Db, appId: number, isHeld = false) {
  const row = await db
    .selectFrom('app_app')
    .select(['id', 'name', 'package_name', 'dept_path'])
    .where('id', '=', appId)
    .where('deleted_at', 'is', null)
    .$if(isHeld, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}
async function find(ctx: Ctx, db: Db, appId: number) {
  const row = await db
    .selectFrom('settings_webhook as w')
    .select(['w.id', 'w.url', 'w.failing_since', 'w.created_at', sql<boolean>`developer_suspended(w.dept_id)`.as('suspended'), ...nextTry])
    .where('w.app_id', '=', appId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    appId,
    url: row.url,
    failingSince: row.failing_since,
    nextAt: row.suspended ? null : row.next_at,
    error: row.error,
    suspended: row.suspended,
    createdAt: row.created_at,
    ...allowing(allowedActions(ctx, row.suspended ? actsOfSuspended : acts)),
  };
}
async function existing(ctx: Ctx, db: Db, appId: number) {
  const of = await ownApp(ctx, db, appId, true);
  const row = await find(ctx, db, appId);
  if (!row) throw fault('NOT_FOUND');
  return { ...row, of, name: of.name, path: of.dept_path, target: `call-back of ${of.package_name}` };
}
const changed = (ctx: Ctx, db: Db, path: string) => ctx.invalidate(db, '/app/url/callback', path);

/** Where the owner of an app has another system told about it. */
export const callbackRoutes = (app: AppContext): Route[] =>
  handlers(appCallbackCalls, {
    detail: async (ctx, { appId }) => {
      await ownApp(ctx, ctx.db, appId);
      return find(ctx, ctx.db, appId);
    },
    set: async (ctx, { appId, url }) => {
      const { callbacks } = await ctx.inTx((db) => readSetting(db, 'outbound'));
      await checkOutside(hostOf(url), callbacks);
      return ctx.inTx(async (db) => {
        const of = await ownApp(ctx, db, appId, true);
        const before = await find(ctx, db, appId);
        // Whoever had the address of before doesn't speak for us to the next one.
        const secret = before === null || hostOf(before.url) !== hostOf(url) ? newSecret() : null;
        await keepWebhook(app, db, { appId }, { name: of.name, url, secret: secret ?? '' });
        ctx.audit({
          target: `call-back of ${of.package_name}`,
          before: { host: before && hostOf(before.url) },
          after: { host: hostOf(url) },
        });
        await changed(ctx, db, of.dept_path);
        if (before?.url !== url) await tellCallback(ctx, db, of, 'callbackSet', hostOf(url));
        const row = await find(ctx, db, appId);
        if (!row) throw fault('NOT_FOUND');
        return { secret, row };
      });
    },
    newSecret: async (ctx, { appId }) => {
      const { target, of, name, url, path } = await existing(ctx, ctx.db, appId);
      const secret = newSecret();
      await keepWebhook(app, ctx.db, { appId }, { name, url, secret });
      ctx.audit({ target });
      await changed(ctx, ctx.db, path);
      await tellCallback(ctx, ctx.db, of, 'callbackRenewed', hostOf(url));
      return { secret };
    },
    delete: async (ctx, { appId }) => {
      const { target, of, name, url, path } = await existing(ctx, ctx.db, appId);
      await keepWebhook(app, ctx.db, { appId }, { name, url: '', secret: '' });
      ctx.audit({ target, before: { host: hostOf(url) } });
      await changed(ctx, ctx.db, path);
      await tellCallback(ctx, ctx.db, of, 'callbackDeleted', hostOf(url));
      return null;
    },
    test: async (ctx, { appId }) => {
      const { target, id, name, path, suspended } = await existing(ctx, ctx.db, appId);
      if (suspended) throw new Fault('APP_NOT_DEVELOPER');
      // One that still waits says as much.
      if (!(await hasTest(ctx.db, id))) await queueTest(ctx, ctx.db, id, name);
      ctx.audit({ target });
      await changed(ctx, ctx.db, path);
      return null;
    },
    ...sent.handlers,
  });
