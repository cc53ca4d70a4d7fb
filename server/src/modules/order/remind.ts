import { overStates } from '@mooring/contract/order/state-machines';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { dayOf, type OrderRow, today } from './order-row.ts';
import type { Side } from './sides.ts';
import { peopleIn, say } from './tell.ts';
import { whoMay } from './who-may.ts';

const BATCH = 500;
const over = [...overStates];

/** What is said by itself, to whom, and under which name. */
const reminders = {
  accept: { name: 'orderAcceptWaits', side: 'service' },
  costs: { name: 'orderCostsWaits', side: 'customer' },
  delivered: { name: 'orderDeliveredWaits', side: 'customer' },
  due: { name: 'orderDueDay', side: 'service' },
  late: { name: 'orderLateDay', side: 'service' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly side: Side }>>;
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

async function remind(ctx: Ctx, { id, what, key }: Due): Promise<void> {
  await ctx.unscoped(async (db) => {
    const noted = await db
      .updateTable('order_order')
      .set({ reminded: sql`reminded || ${key}::text` })
      .where('id', '=', id)
      .where('state', 'not in', over)
      .where(sql<boolean>`${key} <> all(reminded)`)
      .returningAll()
      .executeTakeFirst();
    if (!noted) return;
    const row: OrderRow = noted;
    const { name, side } = reminders[what];
    const users = await peopleIn(db, side, row);
    if (what === 'costs') users.push(...(await whoMay(db, 'order:order:approve', row.dept_path)));
    const params = {
      sn: row.replacement_sn || row.sn,
      org: side === 'customer' ? row.partner_name : row.dept_name,
      date: dayOf(row.due_on) ?? '',
    };
    await say(ctx, db, row, { name, side, users, params });
  });
}

/** Each morning: what waits for somebody for days, and what is due. Running again finds nothing more. */
export const remindOrders = job({
  name: 'order:remind',
  payload: z.object({}),
  every: '10 6 * * *',
  run: async (ctx) => {
    for (let after = 0; ; ) {
      const { rows } = await ctx.readOnly((db) => dueAfter(db, ctx.now(), after));
      for (const one of rows) await remind(ctx, one);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      // What else is due of the last one is found again: it was told already.
      after = last.id - 1;
    }
  },
});
