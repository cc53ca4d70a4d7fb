import { homeCalls } from '@mooring/contract/stats/calls';
import pg from 'pg';
import { askCall, startApp } from '../app.ts';
import { type Derived, type Estate, openEstate } from '../estate.ts';
import { median, quantile } from '../measure.ts';
import { atMost, below, type Figure, type Row } from '../row.ts';

const TRIES = 40;
const MOST_MS = 100;
/** Of all that is asked, beside the database alone. */
const RATIO = 2;

/** The estate with every terminal on the map: in forty cities, spread as people live. */
export const placed: Derived = {
  name: 'on_map',
  async make(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`
      update device_place set source = 'gps', at = now(),
        lat = -30 + (device_id % 40) * 2.2 + sin(device_id) * 0.4, lon = -100 + (device_id % 40) * 5.3 + cos(device_id * 7) * 0.6`);
    await client.query('vacuum analyze');
    await client.end();
  },
};

interface Question {
  readonly name: string;
  readonly path: string;
  readonly input: unknown;
  /** The same rows by the database alone; none where counters answer that nobody would count anew. */
  readonly sql?: string;
}
const columns = 'd.*, p.name as product, o.name as dept, s.online, s.seen_at';
const joins = `join product_product p on p.id = d.product_id join org_dept o on o.id = d.dept_id left join device_presence s on s.device_id = d.id`;
const first = (where: string) => `select ${columns} from device d ${joins} where ${where} order by d.created_at desc, d.id desc limit 21`;
const list = (name: string, criteria: object, where: string): Question => ({
  name: `list, ${name}`,
  path: '/device/page',
  input: { criteria, page: { size: 20 } },
  sql: first(where),
});
const world = { south: -60, west: -170, north: 80, east: 170 };
const map = (name: string, zoom: number, box: object): Question => ({
  name: `map, ${name}`,
  path: '/device/map/view',
  input: { box, zoom },
});

async function questions(estate: Estate): Promise<readonly Question[]> {
  const [ids] = await estate.query<{ product: number }>(`select id::int as product from product_product where code = 'BENCH-7'`);
  const product = ids?.product ?? 0;
  return [
    list('all', {}, 'true'),
    list('a part of the SN', { text: 'B00007' }, `(d.sn ilike '%B00007%' or d.name ilike '%B00007%')`),
    list('by status', { status: '2' }, `d.status = '2'`),
    list('by product', { productId: product }, `d.product_id = ${product}`),
    list('by version', { firmware: '1.3.0' }, `d.firmware = '1.3.0'`),
    list('by organisation', { deptId: 100_777 }, 'd.dept_id = 100777'),
    list('below an organisation', { below: 100_001 }, `d.dept_path ~>=~ '1.2.100001.' and d.dept_path ~<~ '1.2.100001.~'`),
    list('product and status', { productId: product, status: '2' }, `d.product_id = ${product} and d.status = '2'`),
    list('silent', { attention: 'silent' }, `d.status = '3' and s.online is not true`),
    list(
      'in a drawn area',
      { area: '0,-20;0,10;12,10;12,-20' },
      `d.id in (select device_id from device_place where lat between 0 and 12 and lon between -20 and 10)`,
    ),
    map('the world', 2, world),
    map('a country', 6, { south: 0, west: -20, north: 12, east: 0 }),
    map('a city', 12, { south: 1.9, west: -24, north: 2.1, east: -23.8 }),
    ...(['overview', 'fleet', 'online', 'failures', 'versions'] as const).map((card) => ({
      name: `first screen, ${card}`,
      path: homeCalls[card].path,
      input: {},
    })),
  ];
}

async function times(work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let n = -3; n < TRIES; n += 1) {
    const started = performance.now();
    await work();
    if (n >= 0) took.push(performance.now() - started);
  }
  return took;
}

/** A server has added up where they all stand. */
export async function whenPlaced(estate: Estate): Promise<void> {
  while ((await estate.query('select from device_map_change limit 1')).length > 0) await new Promise((done) => setTimeout(done, 1000));
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000, [placed]);
  const app = await startApp({ DATABASE_URL: estate.url });
  const client = new pg.Client({ connectionString: estate.url });
  await client.connect();
  try {
    // The first time the server adds up where they all stand.
    await whenPlaced(estate);
    const token = await estate.session('platformAdmin', 1);
    const figures: Figure[] = [];
    let [ours, plain] = [0, 0];
    for (const { name, path, input, sql } of await questions(estate)) {
      const took = await times(() => askCall(app.url, path, token, input));
      figures.push(below(`${name}, p95`, quantile(took, 0.95), MOST_MS, 'ms'));
      if (sql === undefined) continue;
      ours += median(took);
      plain += median(await times(() => client.query(sql)));
    }
    return [atMost('all lists together, against plain SQL', ours, plain, RATIO, 'ms'), ...figures];
  } finally {
    await client.end();
    await app.stop();
    await estate.stop();
  }
}

export const p17: Row = { id: 'P17', work: 'lists, first screens and the map of 1,000,000 terminals', run };
