import { orderSides } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import type { Actor, Ctx, Db } from '../../platform/context.ts';
import { mayDo } from '../access/api.ts';
import { type NotificationName, notify } from '../message/api.ts';
import { orderLink } from './asked.ts';
import type { OrderRow } from './order-row.ts';
import { otherSide, pathOf, type Side, sidesOf } from './sides.ts';
import { whoMay } from './who-may.ts';

type Name = Extract<NotificationName, `order${string}`>;
type Step = Exclude<
  Name,
  | 'orderImported'
  | 'orderAssigned'
  | 'orderUnassigned'
  | 'orderMoved'
  | 'orderNote'
  | 'orderWithdrawn'
  | `order${string}Many`
  | `order${string}Waits`
  | `order${string}Day`
>;
/** What names the terminal that comes back, which may be another one: whatever the partner ships is on its way back. */
const comesBack = (name: Step, by: Side): boolean =>
  name === 'orderReturning' || name === 'orderClosed' || name === 'orderReturnClosed' || (name === 'orderShipped' && by === 'service');

/** People `u` who are at, above or below an organisation, and may sign in. */
const isOf = (path: string) => sql<boolean>`(u.state = '0' and (starts_with(u.dept_path, ${path}) or starts_with(${path}, u.dept_path)))`;
const belongs = async (db: Db, id: number, path: string): Promise<boolean> =>
  (await sql`select from account_user u where u.id = ${id} and ${isOf(path)}`.execute(db)).rows.length > 0;

/** Who follows an order on a side: who made it, and the engineer; where there is none any more who may, those of the organisation who do. */
export async function peopleIn(db: Db, side: Side, row: OrderRow): Promise<number[]> {
  const [named, can] = side === 'customer' ? [row.created_by_id, 'order:order:add'] : [row.engineer_id, 'order:order:handle'];
  const path = pathOf(side, row);
  // Who has left the organisation since, or lost the right, isn't told any more.
  const known = await sql<{ id: number }>`
    select u.id from account_user u where u.id = ${named}::bigint and ${mayDo(can)} and ${isOf(path)}`.execute(db);
  return known.rows.length > 0 ? known.rows.map(({ id }) => id) : whoMay(db, can, path);
}

interface Said {
  readonly name: Name;
  /** Whose people they are. */
  readonly side: Side;
  readonly users: readonly (number | null)[];
  readonly params?: Readonly<Record<string, string | number>>;
  /** To the order otherwise; null: nowhere. */
  readonly link?: string | null;
  readonly channels?: readonly ('centre' | 'email')[];
}
/** Each hears of it once; who did it knows. */
export async function say(
  ctx: { readonly actor: Pick<Actor, 'userId' | 'userName'> },
  db: Db,
  row: OrderRow,
  { name, side, users, params = {}, link = orderLink(row), channels = ['centre', 'email'] }: Said,
) {
  const others = [...new Set(users)].filter((id) => id !== null && id !== ctx.actor.userId) as number[];
  if (others.length === 0) return;
  await notify(db, {
    name,
    params: { number: row.number, sn: row.sn, by: ctx.actor.userName, ...params },
    to: { users: others },
    deptPath: pathOf(side, row),
    ...(link === null ? {} : { link }),
    channels,
  });
}

interface Telling {
  readonly asking?: Db;
  /** The other side is to agree to something. */
  readonly isAsked?: boolean;
  readonly params?: Readonly<Record<string, string>>;
}
/** What is told of a step: to a side, or to one of its people. */
export interface Told {
  readonly name: Name;
  readonly side: Side;
  readonly to?: number;
}
/** Answers whether it is told together with others. */
type Noted = (db: Db, row: OrderRow, of: Told) => Promise<boolean> | boolean;
const gathered = new WeakMap<Ctx, Noted>();
/** What is done to many orders within this door is told together by whoever brings them; each is noted for that. */
export const gather = (ctx: Ctx, note: Noted): void => void gathered.set(ctx, note);

/**
 * The other side hears of a step, in the console and by mail. Its people aren't in the scope of whoever acts: `db` is past the policy, or
 * `asking` is where they are looked up.
 */
export async function tell(
  ctx: Ctx,
  db: Db,
  row: OrderRow,
  by: Side,
  name: Step,
  { asking = db, isAsked = false, params = {} }: Telling = {},
): Promise<void> {
  const side = otherSide(by);
  if (await gathered.get(ctx)?.(db, row, { name, side })) return;
  const users = await peopleIn(asking, side, row);
  // Whoever may agree needn't be who ordered.
  if (isAsked) users.push(...(await whoMay(asking, 'order:order:approve', row.dept_path)));
  // Who speaks for both sides may be the one or the other of them.
  if (name === 'orderMessage' && sidesOf(ctx.scope.path, row).length > 1) users.push(...(await peopleIn(asking, by, row)));
  const sn = comesBack(name, by) ? row.replacement_sn || row.sn : row.sn;
  const org = by === 'customer' ? row.dept_name : row.partner_name;
  await say(ctx, db, row, { name, side, users, params: { sn, org, ...params } });
}

/** Whoever follows the order on the same side hears of a note. */
export const tellNote = async (ctx: Ctx, db: Db, row: OrderRow, side: Side): Promise<void> =>
  say(ctx, db, row, { name: 'orderNote', side, users: await peopleIn(db, side, row), channels: ['centre'] });

type OfEngineer = { readonly name: 'orderAssigned' | 'orderUnassigned'; readonly to: number | null; readonly engineer?: string };
async function tellOne(ctx: Ctx, db: Db, row: OrderRow, { name, to, engineer = '' }: OfEngineer): Promise<void> {
  // Who has left the organisation since isn't told any more.
  if (to === null || to === ctx.actor.userId || !(await belongs(db, to, row.partner_path))) return;
  if (await gathered.get(ctx)?.(db, row, { name, side: 'service', to })) return;
  await say(ctx, db, row, { name, side: 'service', users: [to], params: { engineer: engineer || '–' } });
}

/** Whoever is to repair it hears of it, unless they took it themselves. */
export const tellEngineer = (ctx: Ctx, db: Db, row: OrderRow, to: number | null): Promise<void> =>
  tellOne(ctx, db, row, { name: 'orderAssigned', to });

/** Whose order it was hears that it is another one's, or nobody's yet: nobody goes on with it who needn't. */
export const tellFormer = (ctx: Ctx, db: Db, row: OrderRow, engineer: string): Promise<void> =>
  tellOne(ctx, db, row, { name: 'orderUnassigned', to: row.engineer_id, engineer });

/** Both sides hear that the terminal is another organisation's by now, whose order it is no more. */
export async function tellMoved(ctx: Ctx, db: Db, row: OrderRow): Promise<void> {
  for (const side of orderSides) await say(ctx, db, row, { name: 'orderMoved', side, users: await peopleIn(db, side, row) });
}

/** The partner hears of an order that is written in the scope of who ordered. */
export const tellPartner = (ctx: Ctx, db: Db, row: OrderRow): Promise<void> =>
  ctx.readOnly((asking) => tell(ctx, db, row, 'customer', 'orderCreated', { asking }));

/** The partner hears what became of it before it was accepted. */
export const tellEdited = (ctx: Ctx, db: Db, row: OrderRow): Promise<void> =>
  ctx.readOnly((asking) => tell(ctx, db, row, 'customer', 'orderEdited', { asking }));

/** Whom it was given to before hears that it isn't theirs any more; the way to it is shut. */
export async function tellWithdrawn(ctx: Ctx, db: Db, row: OrderRow): Promise<void> {
  const users = await ctx.readOnly((asking) => peopleIn(asking, 'service', row));
  await say(ctx, db, row, { name: 'orderWithdrawn', side: 'service', users, params: { org: row.dept_name }, link: null });
}

/** Each partner hears once of all the orders that are made meanwhile. */
export async function tellTogether(ctx: Ctx, work: () => Promise<number[]>): Promise<void> {
  gather(ctx, () => true);
  const ids = await work();
  const rows = await ctx.db.selectFrom('order_order').selectAll().where('id', 'in', ids).execute();
  const byPartner = Map.groupBy(rows, (row) => row.partner_id);
  for (const [first, ...more] of byPartner.values()) {
    if (!first) continue;
    const users = await ctx.readOnly((asking) => peopleIn(asking, 'service', first));
    const params = { count: more.length + 1, org: first.dept_name };
    await say(ctx, ctx.db, first, { name: 'orderImported', side: 'service', users, params, link: '/ordersList' });
  }
}
