import { sql } from 'kysely';
import type { Db } from '../platform/context.ts';

const trades = [
  { name: 'Bakery', kind: 'restaurant' },
  { name: 'Pharmacy', kind: 'health' },
  { name: 'Grocer', kind: 'retail' },
  { name: 'Fuel', kind: 'fuel' },
  { name: 'Hotel', kind: 'hotel' },
  { name: 'Café', kind: 'restaurant' },
] as const;
const districts = ['Harbour', 'Old Town', 'Station', 'Market', 'Riverside', 'North Gate'] as const;
const hours = [1, 2, 3, 4, 5, 6].map((day) => ({ day, from: day === 6 ? '10:00' : '08:30', to: day === 6 ? '16:00' : '19:00' }));

/** Merchants of each organisation that has terminals, two shops each, most of the terminals in them, and work on some. */
export async function seedMerchants(db: Db): Promise<void> {
  await sql`
    with trades as (select * from unnest(${trades.map(({ name }) => name)}::text[], ${trades.map(({ kind }) => kind)}::text[], ${[...districts]}::text[]) with ordinality as t(name, kind, district, n)),
    depts as (select d.id, d.dept_path, d.time_zone, row_number() over (order by d.id) as k from org_dept d where exists (select from device v where v.dept_id = d.id)),
    made as (
      insert into merchant_merchant (number, name, kind, contact_name, phone, email, city, address, dept_id, dept_path, created_at)
      select 'M-' || (d.k * 100 + t.n), t.district || ' ' || t.name, t.kind, 'Alex Morgan', '+44 20 7946 0' || (100 + d.k * 10 + t.n),
        'shop' || (d.k * 10 + t.n) || '@example.com', t.district, (d.k * 7 + t.n) || ' ' || t.district || ' Street', d.id, d.dept_path, now() - (d.k * 6 + t.n) * interval '1 day'
      from depts d cross join trades t returning id, name, address, city, dept_id, dept_path
    )
    insert into merchant_shop (merchant_id, number, name, address, city, time_zone, opening_hours, dept_id, dept_path)
    select m.id, 'S-' || s, m.name || case when s = 1 then '' else ' ' || s end, m.address, m.city, d.time_zone, ${JSON.stringify(hours)}::jsonb, m.dept_id, m.dept_path
    from made m join depts d on d.id = m.dept_id cross join generate_series(1, 2) s`.execute(db);
  await sql`
    update device v set merchant_id = s.merchant_id, shop_id = s.id
    from (select id, merchant_id, dept_id, row_number() over (partition by dept_id order by id) - 1 as place, count(*) over (partition by dept_id) as all_ from merchant_shop) s
    where s.dept_id = v.dept_id and s.place = v.id % s.all_ and v.status = '2'`.execute(db);
  await sql`
    insert into merchant_maintenance (device_id, sn, merchant_id, shop_id, kind, state, at, engineer, found, work_done, currency, parts, dept_id, dept_path, created_by)
    select id, sn, merchant_id, shop_id, (array['repair', 'cleaning', 'inspection', 'supplies', 'replacement'])[1 + id / 12 % 5], case when id / 12 % 3 = 0 then 'open' else 'done' end,
      now() - (id * 37 % 97) * interval '11 hours', (array['Sam Reyes', 'Noor Haddad', 'Yuki Tan'])[1 + id / 12 % 3], (array['Receipts come out blank', 'Card reader slow', 'Battery drains overnight', 'Screen scratched'])[1 + id / 12 % 4],
      case when id / 12 % 3 = 0 then '' else 'Cleaned and tested, worn part replaced' end, '2',
      case when id / 12 % 3 = 0 then '[]' else '[{"name": "Printer roller", "quantity": 1, "price": "12.50"}]' end::jsonb, dept_id, dept_path, 'admin'
    from device where shop_id is not null and id % 12 = 0`.execute(db);
}
