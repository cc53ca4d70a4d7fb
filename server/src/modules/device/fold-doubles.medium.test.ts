import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { inTx } from '../../platform/db/lazy-tx.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let product: number;
let admin: Client;
let made = 0;
beforeAll(async () => {
  app = await testApp();
  product = await makeProduct(app, app.root, 'FOLD-DOUBLES');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

type Numbers = { readonly imei?: string | null; readonly iccid?: string | null };
const IMEI = '860000000000001';
const next = (signs: number) => {
  made += 1;
  return String(made).padStart(signs, '0');
};
const number = () => `8600000${next(8)}`;
const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped((db) => query.execute(db));
const put = (id: number, { imei = null, iccid = null }: Numbers) =>
  run(sql`update device set imei = ${imei}, iccid = ${iccid} where id = ${id}`);
const make = async (owner: DeptAt, ...all: Numbers[]) => {
  const ids = await makeDevices(
    app,
    owner,
    product,
    all.map(() => `FOLD-${next(4)}`),
  );
  for (const [at, numbers] of all.entries()) await put(ids[at] ?? 0, numbers);
  return ids as [number, ...number[]];
};
async function look(job = 'device.doubles') {
  await app.context.unscoped((db) => app.context.enqueue(db, job, {}));
  await app.runJobs();
}
const listed = async (who: Client, doubles: 'imei' | 'iccid' | { in: ('imei' | 'iccid')[] } = { in: ['imei', 'iccid'] }) => {
  const { content, total } = await who.call(deviceCalls.page, { criteria: { doubles }, page: { size: 100, sort: 'sn', order: 'asc' } });
  expect(total).toBe(content.length);
  return content.map(({ id }) => id);
};
const rows = async (ids: readonly number[]) =>
  (
    await run(
      sql<{ id: number; kind: string; path: string }>`
        select device_id as id, kind, dept_path as path from device_double where device_id = any(${ids}::bigint[]) order by 1, 2`,
    )
  ).rows;
const turns = async () =>
  (await run(sql<{ id: number }>`select device_id as id from device_double_turn order by 1`)).rows.map(({ id }) => id);
const clients: pg.Client[] = [];
afterAll(() => Promise.all(clients.map((one) => one.end())));
async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.url });
  await client.connect();
  clients.push(client);
  return client;
}

test('the list holds terminals whose IMEI or SIM another one of the own range reports; one that is elsewhere isn’t told', async () => {
  const [bank, rival] = [await app.dept('Bank'), await app.dept('Rival')];
  const branch = await app.dept('Branch', bank);
  const card = '8986000000000000000a';
  const [one, two, three, , , six] = await make(
    bank,
    { imei: IMEI, iccid: card },
    { imei: IMEI },
    { iccid: card.toUpperCase() },
    { imei: '000000000000000' },
    { imei: '000000000000000' },
    { imei: '860000000000077' },
  );
  const [inBranch] = await make(branch, { imei: '860000000000077' });
  const [theirs] = await make(rival, { imei: IMEI, iccid: '89860000000000000001' });
  const [lonely] = await make(branch, { iccid: '89860000000000000001' });
  await look();
  const [banker, clerk, competitor] = [
    await app.person('orgManager', bank),
    await app.person('orgManager', branch),
    await app.person('orgManager', rival),
  ];
  expect(await listed(banker)).toEqual([one, two, three, six, inBranch]);
  expect(await listed(banker, 'imei')).toEqual([one, two, six, inBranch]);
  expect(await listed(banker, 'iccid')).toEqual([one, three]);
  expect(await listed(clerk)).toEqual([]);
  expect(await listed(competitor)).toEqual([]);
  expect(await listed(admin)).toEqual([one, two, three, six, inBranch, theirs, lonely]);
  // What is done to all of them asks past the policies, and counts the same.
  const chosen = (who: Client) =>
    who.call(deviceCalls.disable, { of: { criteria: { doubles: 'imei' }, except: [] }, preview: true } as never);
  expect(await chosen(banker)).toMatchObject({ total: 4 });
  expect(await chosen(clerk)).toMatchObject({ total: 0 });
  // A group by rule holds for its own range, whoever looks.
  const rule = { doubles: { in: ['imei', 'iccid'] } } as const;
  const preview = (who: Client, dept: DeptAt) => who.call(deviceGroupCalls.preview, { deptId: dept.id, rule: rule as never });
  expect(await preview(banker, bank)).toMatchObject({ total: 5 });
  expect(await preview(admin, branch)).toMatchObject({ total: 0 });
  const group = await banker.call(deviceGroupCalls.add, { name: 'Cloned', kind: 'rule', deptId: bank.id, rule: rule as never });
  const inGroup = await admin.call(deviceCalls.page, { criteria: { groupId: group.id }, page: { size: 100, sort: 'sn', order: 'asc' } });
  expect(inGroup.content.map(({ id }) => id)).toEqual([one, two, three, six, inBranch]);
});

test('the bound role reads no row of others, writes none, and knows nothing of turns', async () => {
  const [bank, rival] = [await app.dept('Bank of rows'), await app.dept('Rival of rows')];
  const same = { imei: number() };
  const [mine] = await make(bank, same);
  await make(rival, same);
  await look();
  const bound = <T>(query: ReturnType<typeof sql<T>>) => inTx(app.context.pools.app, bank.path, (db) => query.execute(db));
  expect((await bound(sql<{ id: number }>`select device_id as id from device_double`)).rows).toEqual([{ id: mine }]);
  await expect(bound(sql`update device_double set value = '1'`)).rejects.toThrow(/permission denied/);
  await expect(bound(sql`delete from device_double`)).rejects.toThrow(/permission denied/);
  await expect(bound(sql`select from device_double_turn`)).rejects.toThrow(/permission denied/);
});

test('another number, deletion and restoring: who shares one no longer leaves at once, who shares one again comes back', async () => {
  const bank = await app.dept('Bank of changes');
  const banker = await app.person('orgManager', bank);
  const same = { imei: number(), iccid: '89860000000000000101' };
  const [one, two, three] = await make(bank, same, same, { imei: number() });
  await look();
  expect(await listed(banker)).toEqual([one, two]);
  await put(two ?? 0, { imei: number(), iccid: same.iccid });
  expect([await listed(banker, 'imei'), await listed(banker, 'iccid')]).toEqual([[], [one, two]]);
  await put(three ?? 0, { imei: same.imei });
  await look();
  expect([await listed(banker, 'imei'), await listed(banker, 'iccid')]).toEqual([
    [one, three],
    [one, two],
  ]);
  await run(sql`update device set deleted_at = now() where id = ${one}`);
  expect(await listed(banker)).toEqual([]);
  expect(await rows([one])).toEqual([]);
  await run(sql`update device set deleted_at = null where id = ${one}`);
  await look();
  expect(await listed(banker)).toEqual([one, two, three]);
  await run(sql`delete from device where id = ${one}`);
  expect(await listed(banker)).toEqual([]);
});

test('what a terminal says again, and a beat, costs nothing', async () => {
  const [one, two] = await make(await app.dept('Bank of beats'), { imei: number() }, { imei: number() });
  await look();
  expect(await turns()).toEqual([]);
  await run(sql`update device set firmware = '9.9', imei = imei, iccid = iccid, hello_hash = 'x' where id = ${one}`);
  await run(sql`update device_presence set battery = 7 where device_id = ${two}`);
  await run(sql`update device set iccid = '000000' where id = ${one}`);
  expect(await turns()).toEqual([]);
  await run(sql`update device set iccid = '89860000000000000201' where id = ${one}`);
  expect(await turns()).toEqual([one]);
});

test('a terminal that goes to another organisation is a double where both are seen, and there alone', async () => {
  const region = await app.dept('Region of moves');
  const [here, there] = [await app.dept('Here', region), await app.dept('There', region)];
  const [manager, left, right] = [
    await app.person('orgManager', region),
    await app.person('orgManager', here),
    await app.person('orgManager', there),
  ];
  const same = { imei: number() };
  const [one, two] = await make(here, same, same);
  await look();
  const all = async () => [await listed(manager), await listed(left), await listed(right)];
  expect(await all()).toEqual([[one, two], [one, two], []]);
  await manager.call(deviceCalls.move, { of: { ids: [two ?? 0] }, deptId: there.id });
  expect(await all()).toEqual([[one, two], [], []]);
  await manager.call(deviceCalls.move, { of: { ids: [one] }, deptId: there.id });
  expect(await all()).toEqual([[one, two], [], [one, two]]);
});

test('organisations that move or merge take along which of their terminals share a number', async () => {
  const [north, south] = [await app.dept('North'), await app.dept('South')];
  const [moving, merging, into] = [await app.dept('Moving', north), await app.dept('Merging', north), await app.dept('Into', south)];
  const same = { imei: number() };
  const [[one], [two], [three]] = [await make(moving, same), await make(merging, same), await make(into, same)];
  await look();
  const [up, down] = [await app.person('orgManager', north), await app.person('orgManager', south)];
  expect([await listed(up), await listed(down)]).toEqual([[one, two], []]);
  await admin.call(deptCalls.move, { id: moving.id, parentId: south.id });
  await app.runJobs();
  expect([await listed(up), await listed(down)]).toEqual([[], [one, three]]);
  await admin.call(deptCalls.merge, { id: merging.id, into: into.id });
  await app.runJobs();
  expect([await listed(up), await listed(down)]).toEqual([[], [one, two, three]]);
  const paths = await run(
    sql<{ id: number; path: string }>`select id, dept_path as path from device where id = any(${[one, two, three]}::bigint[]) order by 1`,
  );
  expect((await rows([one, two, three])).map(({ id, path }) => ({ id, path }))).toEqual(paths.rows);
});

test('two that come with one number at once neither wait for each other nor are missed, whichever is looked at first', async () => {
  const bank = await app.dept('Bank at once');
  const banker = await app.person('orgManager', bank);
  const [first, second] = [await connected(), await connected()];
  const add = async (client: pg.Client, sn: string, imei: string) => {
    await client.query('begin');
    const { rows: added } = await client.query<{ id: string }>(
      `insert into device (sn, name, status, product_id, dept_id, dept_path, imei) values ($1, $1, '1', $2, $3, $4, $5) returning id`,
      [sn, product, bank.id, bank.path, imei],
    );
    return Number(added[0]?.id);
  };
  const [together, apart] = [number(), number()];
  const pair = [await add(first, 'ONCE-0001', together), await add(second, 'ONCE-0002', together)];
  await Promise.all([first.query('commit'), second.query('commit')]);
  await look();
  expect(await listed(banker)).toEqual(pair);
  const early = await add(first, 'ONCE-0003', apart);
  const late = await add(second, 'ONCE-0004', apart);
  await first.query('commit');
  await look();
  expect(await listed(banker)).toEqual(pair);
  await second.query('commit');
  await look();
  expect(await listed(banker)).toEqual([...pair, early, late]);
});

test('a terminal that is being changed has its turn again when it isn’t, and is entered where it went', async () => {
  const region = await app.dept('Region that changes');
  const [from, to] = [await app.dept('From', region), await app.dept('To', region)];
  const manager = await app.person('orgManager', region);
  const same = { imei: number() };
  const [one, two] = await make(from, same, same);
  const mover = await connected();
  await mover.query('begin');
  await mover.query('update device set dept_id = $1, dept_path = $2 where id = $3', [to.id, to.path, two]);
  await look();
  expect(await listed(manager)).toEqual([]);
  expect(await turns()).toContain(two);
  await mover.query('commit');
  await look();
  expect(await listed(manager)).toEqual([one, two]);
  expect((await rows([one, two ?? 0])).map(({ path }) => path)).toEqual([from.path, to.path]);
  expect(await listed(await app.person('orgManager', from))).toEqual([]);
});

test('each night what is missing, wrong or alone is mended, whatever made it so', async () => {
  const [bank, rival] = [await app.dept('Bank of nights'), await app.dept('Rival of nights')];
  const banker = await app.person('orgManager', bank);
  const same = { imei: number(), iccid: '89860000000000000301' };
  const [one, two, three, four] = await make(bank, same, same, same, { imei: number() });
  await look();
  await run(sql`delete from device_double where device_id = ${one}`);
  await run(sql`update device_double set dept_path = ${rival.path} where device_id = ${two}`);
  await run(sql`update device_double set value = '1' where device_id = ${three} and kind = 'iccid'`);
  await run(sql`insert into device_double select id, 'imei', imei, dept_path from device where id = ${four}`);
  expect(await listed(banker)).not.toEqual([one, two, three]);
  await look('device.doubles-recount');
  await look();
  expect(await listed(banker, 'imei')).toEqual([one, two, three]);
  expect(await listed(banker, 'iccid')).toEqual([one, two, three]);
  const kept = await rows([one, two ?? 0, three ?? 0, four ?? 0]);
  expect(kept.map(({ id, kind }) => [id, kind])).toEqual(
    [one, two, three].flatMap((id) => [
      [id, 'iccid'],
      [id, 'imei'],
    ]),
  );
  expect(new Set(kept.map(({ path }) => path))).toEqual(new Set([bank.path]));
});
