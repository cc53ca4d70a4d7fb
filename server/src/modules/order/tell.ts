import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { codesWith } from '../access/api.ts';
import { type NotificationName, notify } from '../message/api.ts';
import type { OrderRow } from './order-row.ts';
import { otherSide, pathOf, type Side } from './sides.ts';

const MOST = 50;
type Step = Extract<NotificationName, `order${string}`>;

/** Who follows an order on a side: who made it, and the engineer; before there is one, those of the partner who may accept it. */
async function peopleOf(db: Db, side: Side, row: OrderRow): Promise<number[]> {
  const named = side === 'customer' ? row.created_by_id : row.engineer_id;
  const path = pathOf(side, row);
  // Who has left the organisation since isn't told any more.
  const known = await sql<{ id: number }>`
    select u.id from account_user u where u.id = ${named}::bigint and u.state = '0' and (starts_with(u.dept_path, ${path}) or starts_with(${path}, u.dept_path))`.execute(
    db,
  );
  if (known.rows.length > 0) return known.rows.map(({ id }) => id);
  const can = side === 'customer' ? 'order:order:add' : 'order:order:handle';
  const { rows } = await sql<{ id: number }>`
    select u.id from account_user u where u.state = '0' and u.dept_path = ${path} and exists (
      select from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = u.id and r.menus && ${['*', ...codesWith(can)]}::text[])
    order by u.id limit ${MOST}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The other side hears of a step, in the console and by mail; who did it knows. */
export async function tell(ctx: Ctx, db: Db, row: OrderRow, by: Side, name: Step): Promise<void> {
  const to = otherSide(by);
  const users = (await peopleOf(db, to, row)).filter((id) => id !== ctx.actor.userId);
  if (users.length === 0) return;
  await notify(db, {
    name,
    params: { number: row.number, sn: row.sn, by: ctx.actor.userName, org: by === 'customer' ? row.dept_name : row.partner_name },
    to: { users },
    deptPath: pathOf(to, row),
    link: `/orderDetail/${row.id}`,
    channels: ['centre', 'email'],
  });
}
