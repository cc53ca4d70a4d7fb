import { sql } from 'kysely';
import { setManaged } from '../modules/access/api.ts';
import { addUser } from '../modules/account/api.ts';
import { addDept, type DeptAt } from '../modules/org/api.ts';
import type { Db } from '../platform/context.ts';
import { businessUnits, DEVICES, firms, groups, people, products, serviceDesks, thingModel } from './estate.ts';
import { seedMerchants } from './seed-merchants.ts';
import { seedOrders } from './seed-orders.ts';
import { seedPlaces } from './seed-places.ts';

const PRODUCT_LINE: DeptAt = { id: 2, path: '1.2.' };

async function seedDepts(db: Db): Promise<Map<string, DeptAt>> {
  const depts = new Map<string, DeptAt>([['productLine', PRODUCT_LINE]]);
  for (const unit of businessUnits) {
    const { timeZone } = unit;
    const region = await addDept(db, { kind: 'businessUnit', name: unit.name, parent: PRODUCT_LINE, timeZone });
    depts.set(unit.name, region);
    for (const organisation of unit.organisations) {
      const parent = await addDept(db, { kind: 'organisation', name: organisation.name, parent: region, timeZone });
      depts.set(organisation.name, parent);
      for (const name of organisation.children) depts.set(name, await addDept(db, { kind: 'organisation', name, parent, timeZone }));
    }
  }
  return depts;
}

async function seedProducts(db: Db): Promise<number[]> {
  const ids: number[] = [];
  await db
    .insertInto('product_firm')
    .values([...firms])
    .execute();
  for (const product of products) {
    const row = await db
      .insertInto('product_product')
      .values({
        code: product.code,
        name: product.name,
        category: product.category,
        firm: product.firm,
        industry: 'retail',
        networks: ['wifi', 'cellular'],
        package_kinds: ['firmware'],
        publish_status: '1',
        dept_id: PRODUCT_LINE.id,
        dept_path: PRODUCT_LINE.path,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(row.id);
  }
  await seedModel(db, ids[0] ?? 0);
  return ids;
}

/** A published thing model, and the draft of the next one. */
async function seedModel(db: Db, productId: number): Promise<void> {
  const [first, ...others] = thingModel.properties;
  const draft = { ...thingModel, properties: [{ ...first, name: 'Brightness' }, ...others] };
  const of = { product_id: productId, dept_path: PRODUCT_LINE.path, created_by: 'Lina Park' };
  await db
    .insertInto('product_model')
    .values([
      { ...of, version: 1, state: 'published', model: JSON.stringify(thingModel), note: 'First model', published_at: sql<Date>`now()` },
      { ...of, version: 2, model: JSON.stringify(draft), note: '' },
    ])
    .execute();
}

/** Devices made by the database itself: most known and away, some never seen, some in stock. Live terminals come on top. */
async function seedDevices(db: Db, depts: readonly DeptAt[], productIds: readonly number[]): Promise<void> {
  const versions = JSON.stringify(products.map((product) => product.versions));
  await sql`
    with made as (
      select n, 'MRG' || lpad(n::text, 7, '0') as sn, 1 + (n * 7919 % ${depts.length}) as at, 1 + (n * 104729 % ${products.length}) as p,
        case when n % 20 = 0 then '5' when n % 9 = 0 then '1' else '2' end as status
      from generate_series(1, ${DEVICES}) n
    ), depts as (select * from unnest(${depts.map((dept) => dept.id)}::bigint[], ${depts.map((dept) => dept.path)}::text[]) with ordinality as d(id, path, at)),
    added as (
      insert into device (sn, name, status, product_id, dept_id, dept_path, firmware, model, time_zone, activated_at, created_at)
      select m.sn, 'Till ' || m.n, m.status, (${productIds}::bigint[])[m.p], d.id, d.path,
        case when m.status = '2' then (${versions}::jsonb -> (m.p - 1)::int) ->> (m.n % jsonb_array_length(${versions}::jsonb -> (m.p - 1)::int))::int end, null, 'UTC',
        case when m.status = '2' then now() - (m.n % 300) * interval '1 day' end, now() - (300 + m.n % 60) * interval '1 day' - m.n * interval '1 second'
      from made m join depts d on d.at = m.at returning id, status
    )
    insert into device_presence (device_id, online, seen_at, battery, network, signal, storage_total, storage_free)
    select id, false, now() - (id % 4000) * interval '7 minutes', 20 + id % 80, case when id % 3 = 0 then 'cellular' else 'wifi' end, -50 - id % 40, 8589934592, 1073741824 + (id % 60) * 104857600
    from added where status = '2'`.execute(db);
}

async function seedGroups(db: Db, depts: ReadonlyMap<string, DeptAt>): Promise<void> {
  for (const { name, at, remark, ...of } of groups) {
    const { id: dept_id, path: dept_path } = depts.get(at) ?? PRODUCT_LINE;
    const rule = 'rule' in of ? JSON.stringify(of.rule) : null;
    const { id } = await db
      .insertInto('device_group')
      .values({ name, kind: rule === null ? 'static' : 'rule', rule, remark, dept_id, dept_path })
      .returning('id')
      .executeTakeFirstOrThrow();
    if ('every' in of)
      await sql`insert into device_group_member select ${id}, d.id, ${dept_path} from device d
        where d.dept_path >= ${dept_path} and d.dept_path < ${`${dept_path}~`} and d.id % ${of.every} = 0`.execute(db);
  }
}

/** The whole estate, once: an installation that has any product is left alone. */
export async function seedEstate(db: Db, password: string): Promise<boolean> {
  const there = await db.selectFrom('product_product').select('id').limit(1).executeTakeFirst();
  if (there) return false;
  const depts = await seedDepts(db);
  const organisations = businessUnits.flatMap((unit) => unit.organisations.flatMap((one) => [one.name, ...one.children]));
  await seedDevices(
    db,
    organisations.flatMap((name) => depts.get(name) ?? []),
    await seedProducts(db),
  );
  await seedMerchants(db);
  await seedPlaces(db);
  await seedOrders(db, serviceDesks);
  await seedGroups(db, depts);
  for (const person of people) {
    const dept = depts.get(person.at) ?? PRODUCT_LINE;
    const userId = await addUser(db, {
      account: person.account,
      name: person.name,
      email: `${person.account}@example.com`,
      password,
      manager: person.manager,
      userType: person.userType,
      dept,
      roles: [person.role],
    });
    const managed = (person.manages ?? []).map((name) => (depts.get(name) ?? PRODUCT_LINE).id);
    await setManaged(db, userId, managed, null);
  }
  await db
    .insertInto('settings_value')
    .values({ type: 'registration', value: JSON.stringify({ open: true, oneDeptId: null }) })
    .onConflict((of) => of.column('type').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
    .execute();
  return true;
}
