import { overStates } from '@mooring/contract/order/state-machines';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { notify } from '../message/api.ts';
import { dayOf, type OrderRow, today } from './order-row.ts';
import { pathOf, type Side } from './sides.ts';
import { peopleIn, say } from './tell.ts';
import { whoMay } from './who-may.ts';

const BATCH = 500;
/** So many are named one by one. */
const FEW = 3;
const over = [...overStates];

/** What is said by itself, to whom, and under which name. */
const reminders = {
  accept: { name: 'orderAcceptWaits', side: 'service', list: '/ordersList?waiting=true' },
  costs: { name: 'orderCostsWaits', side: 'customer', list: '/ordersList?waiting=true' },
  delivered: { name: 'orderDeliveredWaits', side: 'customer', list: '/ordersList?waiting=true' },
  due: { name: 'orderDueDay', side: 'service', list: '/ordersList?mine=true' },
  late: { name: 'orderLateDay', side: 'service', list: '/ordersList?late=true' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly side: Side; readonly list: string }>>;
type What = keyof typeof reminders;

interface Due {
  readonly id: number;
  readonly what: What;
  /** The day or the step that it is about: another one is told again. */
  readonly key: string;
}
/** Not accepted for two days, costs unanswered for three, on the way back for seven; due tomorrow, or since yesterday. */
const dueAfter = (db: Db, now: Date, after: number) =>
  sql<Due>`
  select o.id, w.what, w.key from order_order o
  left join lateral (select id, at from order_entry where order_id = o.id and event = 'quote' and o.state = 'received' and o.costs = 'asked' order by id desc limit 1) q on true
  left join lateral (select id, at from order_entry where order_id = o.id and event in ('repaired', 'replace', 'refuse') and o.state = 'returning' order by id desc limit 1) b on true
  cross join lateral (values
    ('accept', 'accept:' || o.partner_id, o.state = 'created' and o.created_at <= ${now}::timestamptz - interval '2 days'),
    ('costs', 'costs:' || q.id, q.at <= ${now}::timestamptz - interval '3 days'),
    ('delivered', 'delivered:' || b.id, b.at <= ${now}::timestamptz - interval '7 days'),
    ('due', 'due:' || o.due_on, o.due_on = ${today(now)} + 1 and o.state <> 'returning'),
    ('late', 'late:' || o.due_on, o.due_on < ${today(now)} and o.state <> 'returning')
  ) w(what, key, is_due)
  where o.state <> all(${over}::text[]) and o.id > ${after} and w.is_due and w.key <> all(o.reminded) order by o.id, w.what limit ${BATCH}`.execute(
    db,
  );

/** Who hears of it: whoever follows the order on that side, and of costs whoever may agree to them. */
async function peopleFor(db: Db, what: What, row: OrderRow): Promise<number[]> {
  const users = await peopleIn(db, reminders[what].side, row);
  return what === 'costs' ? [...users, ...(await whoMay(db, 'order:order:approve', row.dept_path))] : users;
}

/** Of a few orders each is named; more of them are one message, with the way to the list. */
async function tellOf(ctx: Ctx, db: Db, what: What, user: number, rows: readonly OrderRow[]): Promise<void> {
  const { name, side, list } = reminders[what];
  const [first] = rows;
  if (first && rows.length > FEW) {
    const params = { count: rows.length, whatKey: `order.remind.${what}` };
    const channels = ['centre', 'email'] as const;
    return notify(db, { name: 'orderRemindMany', params, to: { users: [user] }, deptPath: pathOf(side, first), link: list, channels });
  }
  for (const row of rows) {
    const org = side === 'customer' ? row.partner_name : row.dept_name;
    const params = { sn: row.replacement_sn || row.sn, org, date: dayOf(row.due_on) ?? '' };
    await say(ctx, db, row, { name, side, users: [user], params });
  }
}

/** Notes and says it in one transaction: what is noted was said. */
const remind = (ctx: Ctx, due: readonly Due[]): Promise<void> =>
  ctx.unscoped(async (db) => {
    const heard = new Map<string, { what: What; user: number; rows: OrderRow[] }>();
    for (const { id, what, key } of due) {
      const row = await db
        .updateTable('order_order')
        .set({ reminded: sql`reminded || ${key}::text` })
        .where('id', '=', id)
        .where('state', 'not in', over)
        .where(sql<boolean>`${key} <> all(reminded)`)
        .returningAll()
        .executeTakeFirst();
      if (!row) continue;
      for (const user of new Set(await peopleFor(db, what, row))) {
        const of = heard.get(`${what} ${user}`) ?? { what, user, rows: [] };
        of.rows.push(row);
        heard.set(`${what} ${user}`, of);
      }
    }
    for (const { what, user, rows } of heard.values()) await tellOf(ctx, db, what, user, rows);
  });

/** Each morning: what waits for somebody for days, and what is due. Running again finds nothing more. */
export const remindOrders = job({
  name: 'order:remind',
  payload: z.object({}),
  every: '10 6 * * *',
  run: async (ctx) => {
    for (let after = 0; ; ) {
      const { rows } = await ctx.readOnly((db) => dueAfter(db, ctx.now(), after));
      if (rows.length > 0) await remind(ctx, rows);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      // What else is due of the last one is found again: it was told already.
      after = last.id - 1;
    }
  },
});
