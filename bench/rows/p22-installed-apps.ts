import pg from 'pg';
import { askCall, startApp } from '../app.ts';
import { type Derived, openEstate } from '../estate.ts';
import { quantile } from '../measure.ts';
import { below, type Figure, type Row } from '../row.ts';

const TRIES = 60;
const MOST_MS = { organisation: 30, all: 100 };
const APPS = 20;
/** A twentieth is behind; of the first app a handful, of the second nobody, of the third everybody. */
const code = `case when a = 1 then case when d.id % 20011 = 0 then 10 else 30 end when a = 2 then 30 when a = 3 then 10
  else case when (d.id + a * 7) % 20 = 0 then 10 else 30 end end`;

/** The estate with twenty apps on every terminal. */
const equipped: Derived = {
  name: 'equipped',
  async make(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('set synchronous_commit = off');
    await client.query(`
      insert into device_app (device_id, package_name, name, version_name, version_code, certificate, dept_path)
      select d.id, 'com.bench.app' || a, 'App ' || a, ${code} || '.0', ${code}, repeat('ab', 32), d.dept_path
      from device d cross join generate_series(1, ${APPS}) a`);
    await client.query('vacuum analyze');
    await client.end();
  },
};

const shares = { 'a twentieth': 4, 'a few': 1, nobody: 2, everybody: 3 };

async function p95(ask: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let n = -3; n < TRIES; n += 1) {
    const started = performance.now();
    await ask();
    if (n >= 0) took.push(performance.now() - started);
  }
  return quantile(took, 0.95);
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000, [equipped]);
  const app = await startApp({ DATABASE_URL: estate.url });
  try {
    const scopes = [
      ['organisation', await estate.session('orgManager', 100_777)],
      ['all', await estate.session('platformAdmin', 1)],
    ] as const;
    const figures: Figure[] = [];
    for (const [scope, token] of scopes)
      for (const [share, of] of Object.entries(shares)) {
        const input = { criteria: { app: `com.bench.app${of}`, appBelow: '20' }, page: { size: 20 } };
        const took = await p95(() => askCall(app.url, '/device/page', token, input));
        const where = scope === 'all' ? 'in all' : 'in an organisation';
        figures.push(below(`terminals with an app below a version, ${share} of them, ${where}, p95`, took, MOST_MS[scope], 'ms'));
      }
    return figures;
  } finally {
    await app.stop();
    await estate.stop();
  }
}

export const p22: Row = { id: 'P22', work: 'terminals that have an app below a version, of 1,000,000 with twenty apps each', run };
