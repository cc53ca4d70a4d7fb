import type { authAuditCalls } from '@mooring/contract/account/real-name-calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { allowing } from '../../../platform/allowed-actions.ts';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { all, containsWords, exact } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import type { BlobStore } from '../../../platform/files/blob-store.ts';
import type { Handler } from '../../../platform/module.ts';
import { NUMBER } from './hand-in.ts';
import { openPicture } from './pictures.ts';
import { checkedOf, handedOf, picturesOf, type RequestRow, realNameOf, selectRequests } from './real-name.queries.ts';

export const auditing = { org: 'sys:audit:company:page', person: 'sys:audit:person:page' } as const;
/** The kinds that somebody audits. */
export const kindsOf = (ctx: Ctx) => (['person', 'org'] as const).filter((kind) => ctx.actor.permissions.has(auditing[kind]));

/** These tables are closed to the bound role: the range and the kinds are added here. */
const within = (db: Db, ctx: Ctx) =>
  selectRequests(db)
    .where('q.kind', 'in', [...kindsOf(ctx), 'none'])
    .where('u.dept_path', '>=', ctx.scope.path)
    .where('u.dept_path', '<', `${ctx.scope.path}~`);

export async function requestFor(db: Db, ctx: Ctx, id: number): Promise<RequestRow> {
  const row = await within(db, ctx).where('q.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

export const auditRowOf = (ctx: Ctx) => (row: RequestRow) => ({
  ...handedOf(row),
  userId: row.user_id,
  account: row.account,
  userName: row.user_name,
  deptName: row.dept_name,
  decidedBy: row.decided_by_name,
  ...allowing(row.outcome === 'waiting' && row.user_id !== ctx.actor.userId ? (['approve', 'refuse'] as const).slice() : []),
});

export const pageRequests: Handler<typeof authAuditCalls.page> = (ctx, { criteria, page: wanted }) =>
  ctx.unscoped((db) => {
    const query = within(db, ctx).where(
      all(
        containsWords(['q.name', 'u.account', 'u.name', 'd.name'], criteria.text),
        exact('q.kind', criteria.kind),
        exact('q.outcome', criteria.outcome),
      ),
    );
    return page(db, query, { page: wanted, sorts: { createdAt: 'q.created_at', name: 'q.name' }, id: 'q.id', map: auditRowOf(ctx) });
  });

export const readRequest: Handler<typeof authAuditCalls.detail> = (ctx, { id }) =>
  ctx.unscoped(async (db) => {
    const row = await requestFor(db, ctx, id);
    const checked = checkedOf(await realNameOf(db, row.user_id));
    return { ...auditRowOf(ctx)(row), pictures: await picturesOf(db, id), checked };
  });

/** Each look is a row of the log: the call is no read. */
export const viewPicture =
  (app: AppContext, store: BlobStore): Handler<typeof authAuditCalls.picture> =>
  async (ctx, { id, which }) => {
    const found = await ctx.unscoped(async (db) => {
      const request = await requestFor(db, ctx, id);
      const picture = await db
        .selectFrom('account_real_name_picture')
        .select('sha256')
        .where('request_id', '=', id)
        .where('which', '=', which)
        .executeTakeFirst();
      return picture && { account: request.account, sha256: picture.sha256 };
    });
    if (!found) throw fault('NOT_FOUND');
    ctx.audit({ target: found.account, after: { looked: which } });
    return openPicture(app, store, found.sha256);
  };

export const viewNumber =
  (app: AppContext): Handler<typeof authAuditCalls.number> =>
  async (ctx, { id }) => {
    const row = await ctx.unscoped((db) => requestFor(db, ctx, id));
    ctx.audit({ target: row.account, after: { looked: 'number' } });
    return { number: app.masterKey.open(NUMBER, row.number_sealed).toString() };
  };

async function countOf(ctx: Ctx, kind: 'person' | 'org'): Promise<number> {
  if (!ctx.actor.permissions.has(auditing[kind])) return 0;
  const { rows } = await ctx.unscoped((db) =>
    sql<{ n: number }>`select count(*)::int as n from account_real_name_request q join account_user u on u.id = q.user_id
      where q.outcome = 'waiting' and q.kind = ${kind} and u.dept_path >= ${ctx.scope.path} and u.dept_path < ${`${ctx.scope.path}~`}`.execute(
      db,
    ),
  );
  return rows[0]?.n ?? 0;
}

export const waitingCount = async (ctx: Ctx) => ({
  enterpriseAuditCount: await countOf(ctx, 'org'),
  personalAuditCount: await countOf(ctx, 'person'),
});

/** Beside the menu entry: both together, and each by the name that the specification gives it. */
export const auditCounts = {
  authAudit: {
    can: `${auditing.org}||${auditing.person}`,
    count: async (_db: Db, ctx: Ctx) => (await countOf(ctx, 'org')) + (await countOf(ctx, 'person')),
  },
  enterpriseAuditCount: { can: auditing.org, count: (_db: Db, ctx: Ctx) => countOf(ctx, 'org') },
  personalAuditCount: { can: auditing.person, count: (_db: Db, ctx: Ctx) => countOf(ctx, 'person') },
};
