import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { TableConfig } from '@mooring/contract/settings/calls';
import { MOST_VIEWS, SHARE_VIEWS, type savedViewCalls } from '@mooring/contract/settings/view-calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import type { Handler } from '../../platform/module.ts';
import { pathsAbove } from '../../platform/paths-above.ts';

type Calls = typeof savedViewCalls;
const SHOWN = 500;

interface Row {
  readonly id: number;
  readonly name: string;
  readonly query: string;
  readonly columns: unknown;
  readonly shared: boolean;
  readonly is_default: boolean;
  readonly by: string | null;
}
const shown = ({ id, name, query, columns, shared, is_default, by }: Row) => ({
  id,
  name,
  query,
  columns: columns as TableConfig['configs'] | null,
  shared,
  isDefault: is_default,
  by,
});

/** One's own, and what is shared at and above the organisation that one acts for. No policy knows whose a view is: this is its rule. */
const seen = (ctx: Ctx) =>
  sql<boolean>`(v.user_id = ${ctx.actor.userId} or (v.shared and v.dept_path = any(${pathsAbove(ctx.scope.path)}::text[])))`;

const rows = async (ctx: Ctx, which: ReturnType<typeof seen>): Promise<Row[]> =>
  (
    await sql<Row>`
    select v.id, v.name, v.query, v.columns, v.shared, f.view_id is not null as is_default,
      case when v.user_id <> ${ctx.actor.userId} then v.user_name end as by
    from settings_saved_view v  left join settings_view_default f on f.user_id = ${ctx.actor.userId} and f.view_id = v.id
    where ${which} and ${seen(ctx)} order by v.user_id <> ${ctx.actor.userId}, lower(v.name), v.id limit ${SHOWN}`.execute(ctx.db)
  ).rows;

const one = async (ctx: Ctx, id: number) => {
  const [row] = await rows(ctx, sql<boolean>`v.id = ${id}`);
  if (!row) throw fault('NOT_FOUND');
  return shown(row);
};

/** To others it is said only by those who may, also what was said by them before: a right that is gone changes nothing of it. */
const checkShared = (ctx: Ctx, wanted: boolean): void => {
  if (wanted && !isAllowed(ctx.actor.permissions, SHARE_VIEWS)) throw fault('FORBIDDEN');
};
const nameTaken = ({ kind }: { kind: string }) =>
  kind === 'unique' ? new Fault('VIEW_NAME_TAKEN', { fields: { name: 'fault.VIEW_NAME_TAKEN' } }) : undefined;

const list: Handler<Calls['list']> = async (ctx, { list: code }) => (await rows(ctx, sql<boolean>`v.code = ${code}`)).map(shown);

const add: Handler<Calls['add']> = async (ctx, { list: code, name, query, columns, shared }) => {
  checkShared(ctx, shared);
  const { userId } = ctx.actor;
  // Two at once are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`view ${userId} ${code}`}, 0))`.execute(ctx.db);
  const there = await sql<{
    n: number;
  }>`select count(*)::int as n from settings_saved_view where user_id = ${userId} and code = ${code}`.execute(ctx.db);
  if ((there.rows[0]?.n ?? 0) >= MOST_VIEWS) throw new Fault('VIEW_MOST');
  const values = {
    user_id: userId,
    user_name: ctx.actor.userName,
    code,
    name,
    query,
    columns: columns && JSON.stringify(columns),
    shared,
    dept_path: ctx.scope.path,
  };
  const insert = ctx.db.insertInto('settings_saved_view').values(values).returning('id');
  const { id } = await unlessRefused(ctx.db, () => insert.executeTakeFirstOrThrow(), nameTaken);
  ctx.audit({ target: `view ${name}` });
  return one(ctx, id);
};

async function own(ctx: Ctx, id: number) {
  const row = await ctx.db
    .selectFrom('settings_saved_view')
    .select(['id', 'name', 'shared'])
    .where('id', '=', id)
    .where('user_id', '=', ctx.actor.userId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

const update: Handler<Calls['update']> = async (ctx, { id, name, shared, query, columns }) => {
  const before = await own(ctx, id);
  checkShared(ctx, shared);
  const set = {
    name,
    shared,
    ...(query === undefined ? {} : { query }),
    ...(columns === undefined ? {} : { columns: columns && JSON.stringify(columns) }),
    ...(shared && !before.shared ? { dept_path: ctx.scope.path } : {}),
  };
  await unlessRefused(ctx.db, () => ctx.db.updateTable('settings_saved_view').set(set).where('id', '=', id).execute(), nameTaken);
  ctx.audit({ target: `view ${before.name}`, before: { shared: before.shared }, after: { name, shared } });
  return one(ctx, id);
};

/** One's own; of those shared in one's range whoever may share takes any away: their author may be gone. */
const remove: Handler<Calls['delete']> = async (ctx, { id }) => {
  const { path } = ctx.scope;
  const inCharge = sql<boolean>`(shared and dept_path >= ${path} and dept_path < ${`${path}~`} and ${isAllowed(ctx.actor.permissions, SHARE_VIEWS)})`;
  const gone = await ctx.db
    .deleteFrom('settings_saved_view')
    .where('id', '=', id)
    .where(sql<boolean>`(user_id = ${ctx.actor.userId} or ${inCharge})`)
    .returning('name')
    .executeTakeFirst();
  if (!gone) throw fault('NOT_FOUND');
  const { name } = gone;
  ctx.audit({ target: `view ${name}` });
  return null;
};

const setDefault: Handler<Calls['setDefault']> = async (ctx, { list: code, id }) => {
  const mine = { user_id: ctx.actor.userId, code };
  if (id === null) {
    await ctx.db.deleteFrom('settings_view_default').where('user_id', '=', mine.user_id).where('code', '=', code).execute();
    return null;
  }
  const [found] = await rows(ctx, sql<boolean>`v.id = ${id} and v.code = ${code}`);
  if (!found) throw fault('NOT_FOUND');
  await ctx.db
    .insertInto('settings_view_default')
    .values({ ...mine, view_id: id })
    .onConflict((on) => on.columns(['user_id', 'code']).doUpdateSet({ view_id: id }))
    .execute();
  return null;
};

export const savedViews: { readonly [K in keyof Calls]: Handler<Calls[K]> } = { list, add, update, delete: remove, setDefault };
