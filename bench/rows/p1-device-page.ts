import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { type Directus, directusFolder, prepareDirectus, startDirectus } from '../anchors/directus.ts';
import { program } from '../anchors/program.ts';
import { wrk } from '../anchors/wrk.ts';
import { ask, callHeaders, startApp } from '../app.ts';
import { type Estate, openEstate } from '../estate.ts';
import { alternate, type Load, median } from '../measure.ts';
import { atLeast, atMost, below, type Figure, missing, type Row, reported } from '../row.ts';

const AT_ONCE = 16;
const SECONDS = 4;
const COLUMNS =
  'd.id, d.sn, d.name, d.status, p.name as product_name, o.name as dept_name, d.firmware, d.time_zone, d.tags, d.activated_at, d.created_at';

/** The same page and count from plain `pg` behind plain `node:http`: nobody is asked who they are, nothing is checked. */
async function plainServer(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 12 });
  const answer = async (path: string): Promise<string> => {
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
    return JSON.stringify({ rows: rows.rows, total: count.rows[0].count });
  };
  const server = createServer((request, response) => {
    answer(decodeURIComponent(request.url?.slice(1) ?? '')).then(
      (body) => response.setHeader('content-type', 'application/json').end(body),
      // Its asker has gone, and the pool with it.
      () => response.destroy(),
    );
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
function directusPage({ url, token }: Directus): Asked {
  const fields = 'id,sn,name,status,product_id.name,dept_id.name,firmware,time_zone,tags,activated_at,created_at';
  const filter = JSON.stringify({ _and: [{ dept_path: { _starts_with: '1.2.100777.' } }, { deleted_at: { _null: true } }] });
  const query = new URLSearchParams({ fields, filter, sort: '-created_at,-id', limit: '10', meta: 'filter_count' });
  return { url: `${url}/items/device?${query}`, headers: { authorization: `Bearer ${token}` }, expects: '"filter_count":100' };
}

const plainPage = (url: string, path: string): Asked => ({ url: `${url}/${path}`, expects: '"total":' });

const ourPage = (url: string, token: string): Asked => ({
  url: `${url}/ops/device/page`,
  headers: callHeaders(token),
  body: '{}',
  expects: '"code":200',
});

interface Asked {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** What a right answer has in it. */
  readonly expects: string;
}

/** Asks the same for some seconds, from rest: each answer is of the size of one that was looked into. */
async function asked(estate: Estate, { expects, ...of }: Asked): Promise<Load> {
  await estate.rest();
  const method = of.body === undefined ? 'GET' : 'POST';
  const { status, body } = await ask(of.url, { ...of, method });
  if (status !== 200 || !body.includes(expects)) throw new Error(`${of.url}: ${status} ${body.toString().slice(0, 300)}`);
  const headers = Object.entries(of.headers ?? {}).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  const script = [`wrk.method = '${method}'`, ...headers, ...(of.body === undefined ? [] : [`wrk.body = ${JSON.stringify(of.body)}`])];
  const found = await wrk(of.url, { clients: AT_ONCE, seconds: SECONDS, script: script.join('\n') });
  if (found.bytes < found.requests * body.length) throw new Error(`${of.url}: short answers`);
  return found;
}

/** One organisation of a hundred devices, and one with two hundred units below it. */
const scopes = async (estate: Estate) => ({
  one: await estate.session('orgManager', 100_777),
  many: await estate.session('orgManager', 100_001),
});

async function p95Of(estate: Estate, url: string, { one, many }: Awaited<ReturnType<typeof scopes>>, plain?: string) {
  const p95 = await alternate(
    {
      one: async () => (await asked(estate, ourPage(url, one))).p95,
      many: async () => (await asked(estate, ourPage(url, many))).p95,
      plain: async () => (plain ? (await asked(estate, plainPage(plain, '1.2.100777.'))).p95 : Number.NaN),
      plainMany: async () => (plain ? (await asked(estate, plainPage(plain, '1.2.100001.'))).p95 : Number.NaN),
    },
    3,
  );
  return { one: median(p95.one), many: median(p95.many), plain: median(p95.plain), plainMany: median(p95.plainMany) };
}

async function atTenMillion(before: { one: number; many: number }): Promise<readonly Figure[]> {
  const estate = await openEstate(10_000_000);
  const app = await startApp({ DATABASE_URL: estate.url });
  try {
    const p95 = await p95Of(estate, app.url, await scopes(estate));
    return [
      atMost('p95 of one organisation at 10,000,000, against 1,000,000', p95.one, before.one, 1.5, 'ms'),
      atMost('p95 of a subtree of 200 at 10,000,000, against 1,000,000', p95.many, before.many, 1.5, 'ms'),
    ];
  } finally {
    await app.stop();
    await estate.stop();
  }
}

async function atOneMillion() {
  const folder = await directusFolder();
  // Its tables stand beside ours in a copy, so that both read the same rows.
  const estate = await openEstate(1_000_000, folder ? [{ name: 'directus', make: (url) => prepareDirectus(folder, url) }] : []);
  const app = await startApp({ DATABASE_URL: estate.url });
  const plain = await plainServer(estate.url);
  const directus = folder ? await startDirectus(folder, estate.url) : undefined;
  try {
    const sessions = await scopes(estate);
    const found = await alternate({
      ours: async () => (await asked(estate, ourPage(app.url, sessions.one))).rate,
      plain: async () => (await asked(estate, plainPage(plain.url, '1.2.100777.'))).rate,
      directus: async () => (directus ? (await asked(estate, directusPage(directus))).rate : Number.NaN),
    });
    // It takes its share of the processors also while nobody asks it.
    await directus?.stop();
    const p95 = await p95Of(estate, app.url, sessions, plain.url);
    const figures = [
      atLeast('pages a second, one organisation, against plain pg', median(found.ours), median(found.plain), 0.25, '/s'),
      below('p95 of one organisation', p95.one, 15, 'ms'),
      below('p95 of a subtree of 200', p95.many, 40, 'ms'),
      reported('p95 of one organisation, against plain pg', p95.one, 'ms', p95.plain),
      reported('p95 of a subtree of 200, against plain pg', p95.many, 'ms', p95.plainMany),
      directus
        ? atLeast('pages a second, one organisation, against Directus', median(found.ours), median(found.directus), 8, '/s')
        : missing('pages a second against Directus', median(found.ours), '/s', 'Directus 12.4.0'),
    ];
    return { figures, p95 };
  } finally {
    await directus?.stop();
    await plain.stop();
    await app.stop();
    await estate.stop();
  }
}

async function run(): Promise<readonly Figure[]> {
  if (!program('wrk')) return [missing('pages a second', Number.NaN, '/s', 'wrk')];
  const { figures, p95 } = await atOneMillion();
  return process.env.BENCH_HUGE ? [...figures, ...(await atTenMillion(p95))] : figures;
}

export const p1: Row = { id: 'P1', work: 'page and total of devices at 1,000,000, signed in, scoped, 16 at once', run };
