import { overStates } from '@mooring/contract/order/state-machines';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { notify } from '../message/api.ts';
import { isLate } from './due.ts';
import { dayOf, type OrderRow, returnSteps, today } from './order-row.ts';
import { pathOf, type Side } from './sides.ts';
import { peopleIn, say } from './tell.ts';
import { whoMay } from './who-may.ts';

/** So many orders at once. */
const BATCH = 500;
/** So many are named one by one. */
const FEW = 3;
const over = [...overStates];

/** What is said by itself, to whom, and under which name. */
const reminders = {
  accept: { name: 'orderAcceptWaits', side: 'service', list: '/ordersList?waiting=true' },
  ship: { name: 'orderShipWaits', side: 'customer', list: '/ordersList?waiting=true' },
  costs: { name: 'orderCostsWaits', side: 'customer', list: '/ordersList?waiting=true' },
  warranty: { name: 'orderWarrantyWaits', side: 'customer', list: '/ordersList?waiting=true' },
  delivered: { name: 'orderDeliveredWaits', side: 'customer', list: '/ordersList?waiting=true' },
  due: { name: 'orderDueDay', side: 'service', list: '/ordersList?dueOn=' },
  late: { name: 'orderLateDay', side: 'service', list: '/ordersList?late=true' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly side: Side; readonly list: string }>>;
type What = keyof typeof reminders;

interface Due {
  readonly id: number;
  readonly what: What;
  /** The day or the step that it is about: another one is told again. */
  readonly key: string;
}
/** Not accepted for two days, costs or the word on warranty unanswered for three, accepted and not sent, or on the way back, for seven; due tomorrow, or since yesterday. */
const due = (now: Date, which: RawBuilder<unknown>) => sql`
  order_order o
  left join lateral (select id, at from order_entry where order_id = o.id and event = 'quote' and o.state = 'received' and o.costs = 'asked' order by id desc limit 1) q on true
  left join lateral (select id, at from order_entry where order_id = o.id and event = 'accept' and o.state = 'accepted' and o.out_carrier = '' and o.out_number = '' order by id desc limit 1) s on true
  left join lateral (select id, at from order_entry where order_id = o.id and event = 'denied' and o.state = 'received' and o.warranty = 'denied' and o.costs not in ('asked', 'refused') order by id desc limit 1) d on true
  left join lateral (select id, at from order_entry where order_id = o.id and event = any(${returnSteps}::text[]) and o.state = 'returning' order by id desc limit 1) b on true
  cross join lateral (values
    ('accept', 'accept:' || o.partner_id, o.state = 'created' and o.created_at <= ${now}::timestamptz - interval '2 days'),
    ('ship', 'ship:' || s.id, s.at <= ${now}::timestamptz - interval '7 days'),
    ('costs', 'costs:' || q.id, q.at <= ${now}::timestamptz - interval '3 days'),
    ('warranty', 'warranty:' || d.id, d.at <= ${now}::timestamptz - interval '3 days'),
    ('delivered', 'delivered:' || b.id, b.at <= ${now}::timestamptz - interval '7 days'),
    ('due', 'due:' || o.due_on, o.due_on = ${today(now)} + 1 and o.state <> 'returning'),
    ('late', 'late:' || o.due_on, ${isLate(now, 'o')})
  ) w(what, key, is_due)
  where o.state <> all(${over}::text[]) and w.is_due and w.key <> all(o.reminded) and ${which}`;

/** Whoever may agree to it needn't be who ordered. */
const isAnswered = (what: What): boolean => what === 'costs' || what === 'warranty';

/** Who hears of it: whoever follows the order on that side, and of costs and warranty whoever may agree to them. Asked once of those that have the same. */
function peopleFor(db: Db) {
  const asked = new Map<string, Promise<number[]>>();
  return (what: What, row: OrderRow): Promise<number[]> => {
    const { side } = reminders[what];
    const key = JSON.stringify([side, isAnswered(what), pathOf(side, row), side === 'customer' ? row.created_by_id : row.engineer_id]);
    const found =
      asked.get(key) ??
      (async () => {
        const users = await peopleIn(db, side, row);
        return [...new Set(isAnswered(what) ? [...users, ...(await whoMay(db, 'order:order:approve', row.dept_path))] : users)];
      })();
    asked.set(key, found);
    return found;
  };
}

/** Of a few orders each is named; more of them are one message, with the way to the list. */
async function tellOf(ctx: Ctx, db: Db, what: What, user: number, rows: readonly OrderRow[]): Promise<void> {
  const { name, side, list } = reminders[what];
  const [first] = rows;
  if (first && rows.length > FEW) {
    const params = { count: rows.length, whatKey: `order.remind.${what}` };
    // What is due at once is so on one day.
    const day = dayOf(first.due_on);
    const link = what === 'due' ? `${list}${day}..${day}` : list;
    const channels = ['centre', 'email'] as const;
    return notify(db, { name: 'orderRemindMany', params, to: { users: [user] }, deptPath: pathOf(side, first), link, channels });
  }
  for (const row of rows) {
    const org = side === 'customer' ? row.partner_name : row.dept_name;
    const params = { sn: row.replacement_sn || row.sn, org, date: dayOf(row.due_on) ?? '' };
    await say(ctx, db, row, { name, side, users: [user], params });
  }
}

/** Notes and says it in one transaction: what is noted was said. What somebody did meanwhile isn't due any more. */
const remind = (ctx: Ctx, ids: readonly number[]): Promise<void> =>
  ctx.unscoped(async (db) => {
    await sql`select from order_order where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
    const { rows: found } = await sql<Due>`
      select o.id, w.what, w.key from ${due(ctx.now(), sql`o.id = any(${ids}::bigint[])`)} order by o.id, w.what`.execute(db);
    if (found.length === 0) return;
    const column = (name: 'id' | 'key') => found.map((one) => one[name]);
    await sql`
      update order_order o set reminded = o.reminded || d.keys
      from (select id, array_agg(key) as keys from unnest(${column('id')}::bigint[], ${column('key')}::text[]) as u(id, key) group by id) d
      where o.id = d.id`.execute(db);
    const rows = await db
      .selectFrom('order_order')
      .selectAll()
      .where('id', 'in', [...new Set(found.map(({ id }) => id))])
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const people = peopleFor(db);
    const heard = new Map<string, { what: What; user: number; rows: OrderRow[] }>();
    for (const { id, what } of found) {
      const row = byId.get(id);
      if (!row) continue;
      for (const user of await people(what, row)) {
        const of = heard.get(`${what} ${user}`) ?? { what, user, rows: [] };
        of.rows.push(row);
        heard.set(`${what} ${user}`, of);
      }
    }
    for (const { what, user, rows: of } of heard.values()) await tellOf(ctx, db, what, user, of);
  });

/** Each morning: what waits for somebody for days, and what is due. Running again finds nothing more. */
export const remindOrders = job({
  name: 'order:remind',
  payload: z.object({}),
  every: '10 6 * * *',
  run: async (ctx) => {
    for (let after = 0; ; ) {
      const { rows } = await ctx.readOnly((db) =>
        sql<{ id: number }>`select distinct o.id from ${due(ctx.now(), sql`o.id > ${after}`)} order by o.id limit ${BATCH}`.execute(db),
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await remind(ctx, ids);
      if (ids.length < BATCH) return;
      after = ids.at(-1) ?? 0;
    }
  },
});
