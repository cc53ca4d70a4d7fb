import { sql } from 'kysely';
import type { Db } from '../platform/context.ts';

/** What an order has come to, and the steps on its way there. */
const ways = [
  { state: 'created', costs: 'none', steps: ['created'] },
  { state: 'accepted', costs: 'none', steps: ['created', 'accept', 'ship'] },
  { state: 'received', costs: 'asked', steps: ['created', 'accept', 'ship', 'receive', 'quote'] },
  { state: 'repairing', costs: 'approved', steps: ['created', 'accept', 'ship', 'receive', 'quote', 'approveCosts', 'diagnose'] },
  { state: 'returning', costs: 'none', steps: ['created', 'accept', 'ship', 'receive', 'quote', 'diagnose', 'repaired'] },
  { state: 'cancelled', costs: 'none', steps: ['created', 'cancel'] },
] as const;
const CLOSED = {
  state: 'closed',
  costs: 'none',
  steps: ['created', 'accept', 'ship', 'receive', 'quote', 'diagnose', 'repaired', 'delivered'],
} as const;
const faults = ['printer', 'cardReader', 'screen', 'battery', 'network'] as const;
const said = [
  'Receipts come out blank',
  'Cards are read at the third try',
  'Screen stays dark',
  'Off after an hour',
  'Falls out of the network',
] as const;
const found = [
  'Printer roller worn',
  'Reader contacts dirty',
  'Display cable loose',
  'Battery at the end of its life',
  'Antenna cracked',
] as const;
/** Half of them are over. */
const wayOf = (at: number) => (at % 2 === 1 ? CLOSED : ways[(at / 2) % ways.length]);
const bySide = new Set(['created', 'ship', 'approveCosts', 'cancel', 'delivered']);
const textOf = (step: string, at: number) =>
  (step === 'quote' ? found[at % found.length] : step === 'repaired' ? 'Worn part replaced, tested' : '') ?? '';

interface Sent {
  readonly id: number;
  readonly dept_id: number;
  readonly partner_id: number;
}
/** Terminals of shops whose organisation has one above it that repairs: every so many of them. */
const sent = (db: Db, above: readonly string[]) =>
  sql<Sent>`select v.id, v.dept_id, p.id as partner_id from device v join org_dept d on d.id = v.dept_id join org_dept p on p.id = d.parent_id
    where p.name = any(${[...above]}::text[]) and v.shop_id is not null and v.id % 5 = 0 order by v.id limit 48`.execute(db);

/** After-sales orders of the branches of these organisations, in every state and over the last three months. */
export async function seedOrders(db: Db, above: readonly string[]): Promise<void> {
  const { rows } = await sent(db, above);
  for (const [at, { id, partner_id }] of rows.entries()) {
    const way = wayOf(at) ?? CLOSED;
    const days = way === CLOSED ? 6 + at * 1.7 : 1 + at / 6;
    const price = way.steps.some((step) => step === 'quote') ? [{ name: 'Spare part', quantity: 1 + (at % 2), price: '12.50' }] : [];
    const made = await sql<{ id: number; dept_path: string }>`
      insert into order_order (number, state, costs, device_id, sn, product_id, product_name, merchant_id, shop_id, merchant_name, shop_name, partner_id, partner_name,
        partner_path, contact_name, phone, address, fault, description, due_on, diagnosis, work_done, currency, parts, labour, closed_at, dept_id, dept_name, dept_path,
        created_by, created_at)
      select order_next_number(v.dept_id, extract(year from now())::int), ${way.state}, ${way.costs}, v.id, v.sn, v.product_id, coalesce(g.name, ''), v.merchant_id, v.shop_id,
        m.name, s.name, p.id, p.name, p.dept_path, m.contact_name, m.phone, s.address, ${faults[at % faults.length]}, ${said[at % said.length]},
        case when ${way.state} in ('received', 'repairing') then (now() + (${(at % 7) - 2}::int) * interval '1 day')::date end,
        ${price.length > 0 ? found[at % found.length] : ''}, ${way.steps.some((step) => step === 'repaired') ? 'Worn part replaced, tested' : ''}, '2',
        ${JSON.stringify(price)}::jsonb, ${price.length > 0 ? '30.00' : ''}, case when ${way.state} in ('closed', 'cancelled') then now() - ${days / way.steps.length} * interval '1 day' end,
        v.dept_id, d.name, v.dept_path, 'Alex Morgan', now() - ${days} * interval '1 day'
      from device v join org_dept d on d.id = v.dept_id join org_dept p on p.id = ${partner_id} join merchant_merchant m on m.id = v.merchant_id
        join merchant_shop s on s.id = v.shop_id left join product_product g on g.id = v.product_id where v.id = ${id} returning id, dept_path`.execute(
      db,
    );
    for (const { id: order, dept_path } of made.rows) await seedSteps(db, { order, dept_path, at, days, steps: way.steps });
  }
}

interface Steps {
  readonly order: number;
  readonly dept_path: string;
  readonly at: number;
  readonly days: number;
  readonly steps: readonly string[];
}
const seedSteps = (db: Db, { order, dept_path, at, days, steps }: Steps) =>
  sql`insert into order_entry (order_id, event, side, text, by_name, at, dept_path)
    select ${order}, event, side, text, case side when 'customer' then 'Alex Morgan' else 'Sam Reyes' end, now() - ${days} * (1 - (n - 1)::float8 / ${steps.length}) * interval '1 day', ${dept_path}
    from unnest(${[...steps]}::text[], ${steps.map((step) => (bySide.has(step) ? 'customer' : 'service'))}::text[], ${steps.map((step) => textOf(step, at))}::text[])
      with ordinality as t(event, side, text, n)`.execute(db);
