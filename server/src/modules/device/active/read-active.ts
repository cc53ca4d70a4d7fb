import { type activeCalls, CURVE_MINUTES, MOST_ASKED, MOST_CHANGES } from '@mooring/contract/device/active/active-calls';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import type { Handler } from '../../../platform/module.ts';
import { type Figure, figuresNow } from '../../stats/api.ts';

const MINUTE_MS = 60_000;
const SHOWN = 20;
/** Kept a little longer than it is shown. */
const KEPT_MINUTES = CURVE_MINUTES + 10;

const of = (column: string, productId: number | undefined) =>
  productId === undefined ? sql`true` : sql`${sql.ref(column)} = ${productId}`;

/** Terminals that are looked at for those in contact; a place where few are isn't searched through. */
const MOST_LOOKED = 50_000;

/** From the sums of the scope, never counted. */
const statesNow = ({ db, scope }: Ctx, productId: number | undefined) => figuresNow(db, { path: scope.path, productId }, ['status']);
const sumOf = (figures: readonly Figure[]) => figures.reduce((sum, { n }) => sum + Number(n), 0);
const isOnline = ({ detail }: Figure) => detail === '3';

async function byProduct(db: Db, online: readonly Figure[]) {
  const { rows } = await sql<{ productId: number; name: string; count: number }>`
    select t.id as "productId", coalesce(p.name, '') as name, t.n::int as count
    from unnest(${online.map((one) => one.productId)}::bigint[], ${online.map((one) => Number(one.n))}::bigint[]) as t(id, n) left join product_product p on p.id = t.id
    where t.n > 0 order by t.n desc, p.name limit ${SHOWN}`.execute(db);
  return rows;
}
async function byVersion(db: Db, productId: number | undefined) {
  const { rows } = await sql<{ version: string; count: number }>`
    select firmware as version, sum(n)::int as count from device_tally where status = '3' and ${of('product_id', productId)}
    group by 1 having sum(n) > 0 order by 2 desc, 1 limit ${SHOWN}`.execute(db);
  return rows;
}
async function byNetwork(db: Db, productId: number | undefined) {
  const { rows } = await sql<{ network: string; count: number }>`
    select coalesce(network, '') as network, count(*)::int as count from presence_of(array(
      select id from (select id, status from device where deleted_at is null and ${of('product_id', productId)} limit ${MOST_LOOKED}) d
      where status = '3' limit ${MOST_ASKED}
    )) group by 1 order by 2 desc`.execute(db);
  return rows;
}

/** From the sums; only the network is asked of the terminals themselves, of so many at most. */
export const activeFigures: Handler<typeof activeCalls.figures> = async (ctx, { productId }) => {
  const states = await statesNow(ctx, productId);
  const online = sumOf(states.filter(isOnline));
  const total = sumOf(states.filter(({ detail }) => detail === '2' || detail === '3'));
  if (online <= 0) return { online: 0, total, byProduct: [], byVersion: [], byNetwork: [], sampled: false };
  const networks = await byNetwork(ctx.db, productId);
  return {
    online,
    total,
    byProduct: await byProduct(ctx.db, states.filter(isOnline)),
    byVersion: await byVersion(ctx.db, productId),
    byNetwork: networks,
    sampled: networks.reduce((sum, one) => sum + one.count, 0) < Math.min(online, MOST_ASKED + 1),
  };
};

/** Back from how many there are now, by who came and left meanwhile. */
export const activeCurve: Handler<typeof activeCalls.curve> = async (ctx, { productId }) => {
  const last = Math.floor(ctx.now().getTime() / MINUTE_MS) * MINUTE_MS;
  const first = last - (CURVE_MINUTES - 1) * MINUTE_MS;
  const { rows } = await sql<{ at: Date; came: number; left: number }>`
    select date_trunc('minute', at) as at, count(*) filter (where came)::int as came, count(*) filter (where not came)::int as left
    from device_contact where at >= ${new Date(first)} and ${of('product_id', productId)} group by 1`.execute(ctx.db);
  const moved = new Map(rows.map((row) => [row.at.getTime(), row]));
  let online = sumOf((await statesNow(ctx, productId)).filter(isOnline));
  const content: { at: Date; online: number; came: number; left: number }[] = [];
  for (let at = last; at >= first; at -= MINUTE_MS) {
    const { came = 0, left = 0 } = moved.get(at) ?? {};
    content.unshift({ at: new Date(at), online: Math.max(0, online), came, left });
    online += left - came;
  }
  return { content };
};

export const activeChanges: Handler<typeof activeCalls.changes> = async ({ db }, { productId }) => {
  const { rows } = await sql<{ at: Date; id: number; isDeleted: boolean; sn: string; deptName: string; came: boolean }>`
    select c.at, c.device_id as id, d.deleted_at is not null as "isDeleted", d.sn, o.name as "deptName", c.came
    from (select * from device_contact where ${of('product_id', productId)} order by at desc limit ${2 * MOST_CHANGES}) c
    join device d on d.id = c.device_id join org_dept o on o.id = d.dept_id order by c.at desc, c.device_id limit ${MOST_CHANGES}`.execute(
    db,
  );
  return {
    content: rows.map(({ id, isDeleted, ...row }) => ({
      ...row,
      deviceId: isDeleted ? null : id,
      key: `${row.at.getTime()}-${id}-${row.came}`,
    })),
  };
};

export const dropContacts = (db: Db) =>
  sql`delete from device_contact where at < now() - make_interval(mins => ${KEPT_MINUTES}::int)`.execute(db);
