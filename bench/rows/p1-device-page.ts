import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { type Directus, directusFolder, prepareDirectus, startDirectus } from '../anchors/directus.ts';
import { openEstate } from '../estate.ts';
import { ask, askCall, startHouse } from '../house.ts';
import { alternate, load, median } from '../measure.ts';
import { atLeast, below, type Figure, missing, type Row } from '../row.ts';

const AT_ONCE = 16;
const SECONDS = 4;
const COLUMNS =
  'd.id, d.sn, d.name, d.status, p.name as product_name, o.name as dept_name, d.firmware, d.time_zone, d.tags, d.activated_at, d.created_at';

/** The same page and count from plain `pg` behind plain `node:http`: nobody is asked who they are, nothing is checked. */
async function plainServer(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 12 });
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url?.slice(1) ?? '');
    const range = 'd.dept_path >= $1 and d.dept_path < $2 and d.deleted_at is null';
    const rows = await pool.query({
      name: 'rows',
      text: `select ${COLUMNS} from device d join product_product p on p.id = d.product_id join org_dept o on o.id = d.dept_id where ${range} order by d.created_at desc, d.id desc limit 11`,
      values: [path, `${path}~`],
    });
    const count = await pool.query({
      name: 'count',
      text: `select count(*) from (select 1 from device d where ${range} limit 10001) c`,
      values: [path, `${path}~`],
    });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ rows: rows.rows, total: count.rows[0].count }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await pool.end();
    },
  };
}

/** The same page and count of the same organisation; its administrator isn't asked what they may see, and no path is checked. */
async function askDirectus({ url, token }: Directus): Promise<void> {
  const fields = 'id,sn,name,status,product_id.name,dept_id.name,firmware,time_zone,tags,activated_at,created_at';
  const filter = JSON.stringify({ _and: [{ dept_path: { _starts_with: '1.2.100777.' } }, { deleted_at: { _null: true } }] });
  const query = new URLSearchParams({ fields, filter, sort: '-created_at,-id', limit: '10', meta: 'filter_count' });
  const { status, body } = await ask(`${url}/items/device?${query}`, { headers: { authorization: `Bearer ${token}` } });
  if (status !== 200 || !body.includes('"filter_count":100')) throw new Error(`Directus: ${status} ${body.toString().slice(0, 300)}`);
}

async function run(): Promise<readonly Figure[]> {
  const folder = await directusFolder();
  // Its tables stand beside ours in a copy, so that both read the same rows.
  const estate = await openEstate(1_000_000, folder ? [{ name: 'directus', make: (url) => prepareDirectus(folder, url) }] : []);
  const house = await startHouse({ DATABASE_URL: estate.url });
  const plain = await plainServer(estate.url);
  const directus = folder ? await startDirectus(folder, estate.url) : undefined;
  try {
    // One organisation of a hundred devices, and one with two hundred units below it.
    const [one, many] = await Promise.all([estate.session('orgManager', 100_777), estate.session('orgManager', 100_001)]);
    const page = (token: string) => load(AT_ONCE, SECONDS, async () => void (await askCall(house.url, '/device/page', token, {})));
    const found = await alternate({
      ours: async () => (await page(one)).rate,
      plain: async () => (await load(AT_ONCE, SECONDS, async () => void (await ask(`${plain.url}/1.2.100777.`)))).rate,
      directus: async () => (directus ? (await load(AT_ONCE, SECONDS, () => askDirectus(directus))).rate : Number.NaN),
    });
    const p95 = await alternate({ one: async () => (await page(one)).p95, many: async () => (await page(many)).p95 }, 3);
    return [
      atLeast('pages a second, one organisation, against plain pg', median(found.ours), median(found.plain), 0.25, '/s'),
      below('p95 of one organisation', median(p95.one), 15, 'ms'),
      below('p95 of a subtree of 200', median(p95.many), 40, 'ms'),
      directus
        ? atLeast('pages a second, one organisation, against Directus', median(found.ours), median(found.directus), 8, '/s')
        : missing('pages a second against Directus', median(found.ours), '/s', 'Directus 12.4.0'),
    ];
  } finally {
    await directus?.stop();
    await plain.stop();
    await house.stop();
    await estate.stop();
  }
}

export const p1: Row = { id: 'P1', work: 'page and total of devices at 1,000,000, signed in, scoped, 16 at once', run };
