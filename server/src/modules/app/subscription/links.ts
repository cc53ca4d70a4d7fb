import { appUrlCalls, LINK_HOURS } from '@mooring/contract/app/subscription';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { handlers, type Route } from '../../../platform/module.ts';
import { fileToken } from '../../file/api.ts';
import { isSecret } from './secret.ts';
import { dayOf, holds, taken } from './taken.ts';

/** Where the package of a subscription is, for a while: of the version that it takes now. It outlives the subscription by that while at most. */
async function packageOf(ctx: Pick<Ctx, 'now'>, db: Db, app: AppContext, id: number) {
  const row = await db
    .selectFrom('app_subscription as t')
    .select([holds(dayOf(ctx)).as('holds'), taken('id').$castTo<number | null>().as('version')])
    .where('t.id', '=', id)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (!row.holds) throw new Fault('SUBSCRIPTION_INVALID');
  if (row.version === null) throw new Fault('APP_NOT_LISTED');
  const version = await db.selectFrom('app_version').selectAll().where('id', '=', row.version).executeTakeFirstOrThrow();
  const { url } = fileToken(ctx, app, version.file_id, LINK_HOURS * 3600);
  return {
    url: `/ops${url}`,
    expiresAt: new Date(ctx.now().getTime() + LINK_HOURS * 3_600_000),
    packageName: version.package_name,
    versionName: version.version_name,
    versionCode: version.version_code,
    size: version.size,
    sha256: version.sha256,
  };
}

export const linkRoutes = (app: AppContext): Route[] =>
  handlers(appUrlCalls, {
    async link(ctx, { id }) {
      const row = await ctx.db.selectFrom('app_subscription').select(['id', 'package_name']).where('id', '=', id).executeTakeFirst();
      if (!row) throw fault('NOT_FOUND');
      ctx.audit({ target: `package of ${row.package_name}` });
      return packageOf(ctx, ctx.db, app, id);
    },
    /** Which of key and secret is wrong nobody is told. */
    fetch: (ctx, { appKey, secret }) =>
      ctx.unscoped(async (db) => {
        const row = await db.selectFrom('app_subscription').selectAll().where('app_key', '=', appKey).executeTakeFirst();
        if (!row || !isSecret(row, secret, ctx.now())) throw new Fault('APP_KEY_WRONG');
        ctx.audit({ target: `package of ${row.package_name}`, after: { appKey } });
        return packageOf(ctx, db, app, row.id);
      }),
  });
