import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { type NotificationName, notify } from '../message/api.ts';
import type { OrderRow } from './order-row.ts';
import { otherSide, pathOf, type Side, sidesOf } from './sides.ts';
import { mayDo, whoMay } from './who-may.ts';

type Step = Exclude<
  Extract<NotificationName, `order${string}`>,
  'orderImported' | 'orderAssigned' | 'orderUnassigned' | 'orderMoved' | 'orderNote'
>;
/** What names the terminal that comes back, which may be another one: whatever the partner ships is on its way back. */
const comesBack = (name: Step, by: Side): boolean =>
  name === 'orderReturning' || name === 'orderClosed' || (name === 'orderShipped' && by === 'service');

/** People `u` who are at, above or below an organisation, and may sign in. */
const isOf = (path: string) => sql<boolean>`(u.state = '0' and (starts_with(u.dept_path, ${path}) or starts_with(${path}, u.dept_path)))`;
const belongs = async (db: Db, id: number, path: string): Promise<boolean> =>
  (await sql`select from account_user u where u.id = ${id} and ${isOf(path)}`.execute(db)).rows.length > 0;

/** Who follows an order on a side: who made it, and the engineer; where there is none any more who may, those of the organisation who do. */
async function peopleIn(db: Db, side: Side, row: OrderRow): Promise<number[]> {
  const [named, can] = side === 'customer' ? [row.created_by_id, 'order:order:add'] : [row.engineer_id, 'order:order:handle'];
  const path = pathOf(side, row);
  // Who has left the organisation since, or lost the right, isn't told any more.
  const known = await sql<{ id: number }>`
    select u.id from account_user u where u.id = ${named}::bigint and ${mayDo(can)} and ${isOf(path)}`.execute(db);
  return known.rows.length > 0 ? known.rows.map(({ id }) => id) : whoMay(db, can, path);
}

interface Telling {
  readonly asking?: Db;
  /** The other side is to agree to something. */
  readonly isAsked?: boolean;
  readonly params?: Readonly<Record<string, string>>;
}
/** Orders of one sheet: whoever gets many is told once. */
const together = new WeakSet<Ctx>();

/**
 * The other side hears of a step, in the console and by mail; who did it knows. Its people aren't in the scope of whoever acts: `db` is past the
 * policy, or `asking` is where they are looked up.
 */
export async function tell(
  ctx: Ctx,
  db: Db,
  row: OrderRow,
  by: Side,
  name: Step,
  { asking = db, isAsked = false, params = {} }: Telling = {},
): Promise<void> {
  if (together.has(ctx)) return;
  const to = otherSide(by);
  const people = await peopleIn(asking, to, row);
  // Whoever may agree needn't be who ordered.
  if (isAsked) people.push(...(await whoMay(asking, 'order:order:approve', row.dept_path)));
  // Who speaks for both sides may be the one or the other of them.
  if (name === 'orderMessage' && sidesOf(ctx.scope.path, row).length > 1) people.push(...(await peopleIn(asking, by, row)));
  const users = [...new Set(people)].filter((id) => id !== ctx.actor.userId);
  if (users.length === 0) return;
  await notify(db, {
    name,
    params: {
      number: row.number,
      sn: comesBack(name, by) ? row.replacement_sn || row.sn : row.sn,
      by: ctx.actor.userName,
      org: by === 'customer' ? row.dept_name : row.partner_name,
      ...params,
    },
    to: { users },
    deptPath: pathOf(to, row),
    link: `/orderDetail/${row.id}`,
    channels: ['centre', 'email'],
  });
}

/** Whoever follows the order on the same side hears of a note. */
export async function tellNote(ctx: Ctx, db: Db, row: OrderRow, by: Side): Promise<void> {
  const users = (await peopleIn(db, by, row)).filter((id) => id !== ctx.actor.userId);
  if (users.length === 0) return;
  const params = { number: row.number, sn: row.sn, by: ctx.actor.userName };
  const link = `/orderDetail/${row.id}`;
  await notify(db, { name: 'orderNote', params, to: { users }, deptPath: pathOf(by, row), link, channels: ['centre'] });
}

/** Whoever is to repair it hears of it, unless they took it themselves. */
export async function tellEngineer(ctx: Ctx, db: Db, row: OrderRow, engineerId: number | null): Promise<void> {
  if (engineerId === null || engineerId === ctx.actor.userId) return;
  await notify(db, {
    name: 'orderAssigned',
    params: { number: row.number, sn: row.sn, by: ctx.actor.userName },
    to: { users: [engineerId] },
    deptPath: row.partner_path,
    link: `/orderDetail/${row.id}`,
    channels: ['centre', 'email'],
  });
}

/** Whose order it was hears that it is another one's, or nobody's yet: nobody goes on with it who needn't. */
export async function tellFormer(ctx: Ctx, db: Db, row: OrderRow, engineer: string): Promise<void> {
  if (row.engineer_id === null || row.engineer_id === ctx.actor.userId) return;
  // Who has left the organisation since isn't told any more.
  if (!(await belongs(db, row.engineer_id, row.partner_path))) return;
  await notify(db, {
    name: 'orderUnassigned',
    params: { number: row.number, sn: row.sn, by: ctx.actor.userName, engineer: engineer || '–' },
    to: { users: [row.engineer_id] },
    deptPath: row.partner_path,
    link: `/orderDetail/${row.id}`,
    channels: ['centre', 'email'],
  });
}

/** Both sides hear that the terminal is another organisation's by now, whose order it is no more. */
export async function tellMoved(ctx: Ctx, db: Db, row: OrderRow): Promise<void> {
  for (const side of ['customer', 'service'] as const) {
    const users = (await peopleIn(db, side, row)).filter((id) => id !== ctx.actor.userId);
    if (users.length === 0) continue;
    await notify(db, {
      name: 'orderMoved',
      params: { number: row.number, sn: row.sn },
      to: { users },
      deptPath: pathOf(side, row),
      link: `/orderDetail/${row.id}`,
      channels: ['centre', 'email'],
    });
  }
}

/** The partner hears of an order that is written in the scope of who ordered. */
export const tellPartner = (ctx: Ctx, db: Db, row: OrderRow): Promise<void> =>
  ctx.readOnly((asking) => tell(ctx, db, row, 'customer', 'orderCreated', { asking }));

/** Each partner hears once of all the orders that are made meanwhile. */
export async function tellTogether(ctx: Ctx, work: () => Promise<number[]>): Promise<void> {
  together.add(ctx);
  const ids = await work();
  const rows = await ctx.db.selectFrom('order_order').selectAll().where('id', 'in', ids).execute();
  const byPartner = Map.groupBy(rows, (row) => row.partner_id);
  for (const [first, ...more] of byPartner.values()) {
    if (!first) continue;
    const users = (await ctx.readOnly((asking) => peopleIn(asking, 'service', first))).filter((id) => id !== ctx.actor.userId);
    if (users.length === 0) continue;
    const params = { count: more.length + 1, by: ctx.actor.userName, org: first.dept_name };
    const told = { to: { users }, deptPath: first.partner_path, link: '/ordersList', channels: ['centre', 'email'] } as const;
    await notify(ctx.db, { name: 'orderImported', params, ...told });
  }
}
