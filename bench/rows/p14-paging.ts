import pg from 'pg';
import { askCall, startApp } from '../app.ts';
import { openEstate } from '../estate.ts';
import { median, quantile } from '../measure.ts';
import { atMost, below, type Figure, type Row } from '../row.ts';

const PATH = '/device/page';
const TRIES = 15;
type Page = { next: string | null; prev: string | null };

async function took(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
async function medianOf(work: () => Promise<unknown>): Promise<number> {
  await work();
  const values: number[] = [];
  for (let n = 0; n < TRIES; n += 1) values.push(await took(work));
  return median(values);
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000);
  const app = await startApp({ DATABASE_URL: estate.url });
  const client = new pg.Client({ connectionString: estate.url });
  await client.connect();
  try {
    const token = await estate.session('platformAdmin', 1);
    const many = await estate.session('orgManager', 100_001);
    const ask = (page: object, who = token) => askCall(app.url, PATH, who, { page: { size: 20, ...page } }) as unknown as Promise<Page>;
    const figures: Figure[] = [];
    for (const sort of ['createdAt', 'sn', 'name']) {
      const first = await medianOf(() => ask({ sort }));
      // Far in: from the last page a hundred pages back, then on again.
      let at = await ask({ sort, last: true });
      for (let n = 0; n < 100 && at.prev; n += 1) at = await ask({ sort, before: at.prev });
      const after = at.next ?? '';
      figures.push(atMost(`by ${sort}: next page far in, against page 1`, await medianOf(() => ask({ sort, after })), first, 5, 'ms'));
      figures.push(atMost(`by ${sort}: last page, against page 1`, await medianOf(() => ask({ sort, last: true })), first, 5, 'ms'));
      figures.push(
        atMost(`by ${sort}: jump to row 10,000, against page 1`, await medianOf(() => ask({ sort, number: 500 })), first, 5, 'ms'),
      );
    }
    const offset = await medianOf(() => client.query('select * from device order by created_at desc, id desc offset 900000 limit 20'));
    const deep = await ask({ sort: 'createdAt', last: true });
    figures.push(
      atMost(
        'a page 900,000 deep against offset in plain SQL',
        await medianOf(() => ask({ sort: 'createdAt', before: deep.prev ?? '' })),
        offset,
        1,
        'ms',
      ),
    );
    const scope: number[] = [];
    for (let n = 0; n < 40; n += 1) scope.push(await took(() => ask({ sort: 'name' }, many)));
    figures.push(below('a scope of 10,000 devices by name, p95', quantile(scope, 0.95), 30, 'ms'));
    return figures;
  } finally {
    await client.end();
    await app.stop();
    await estate.stop();
  }
}

export const p14: Row = { id: 'P14', work: 'pages at any depth of 1,000,000 rows by each offered sort', run };
