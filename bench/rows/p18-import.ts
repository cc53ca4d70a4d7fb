import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { askCall, type BenchApp, callHeaders, startApp } from '../app.ts';
import { type Estate, openEstate } from '../estate.ts';
import { pss, settled, settling } from '../fleet/memory.ts';
import { median, secondsOf } from '../measure.ts';
import { atMost, below, type Figure, type Row, reported } from '../row.ts';

const ROWS = 100_000;
const ROUNDS = 3;
/** The later half of a file needs no more than the half before it. */
const GROWTH_MB = 50;

interface Terminal {
  readonly sn: string;
  readonly name: string;
  readonly remark: string;
}
const terminals = (round: string, count: number): Terminal[] =>
  Array.from({ length: count }, (_, n) => ({ sn: `${round}${String(n).padStart(8, '0')}`, name: `Counter ${n}`, remark: `Row ${n}` }));

/** Whose rows they are. */
interface Owner {
  readonly product: number;
  readonly code: string;
  readonly dept: number;
  readonly path: string;
}
/** The same rows into the same table, its indexes and triggers included, as the database itself takes a file. */
async function copied(estate: Estate, folder: string, round: string, { product, dept, path }: Owner): Promise<number> {
  const file = join(folder, 'copy.csv');
  writeFileSync(
    file,
    terminals(round, ROWS)
      .map(({ sn, name, remark }) => `${sn},${name},1,${product},${dept},${path},${remark}`)
      .join('\n'),
    {
      mode: 0o644,
    },
  );
  return secondsOf(() =>
    estate.query(`copy device (sn, name, status, product_id, dept_id, dept_path, remark) from '${file}' (format csv)`),
  );
}

async function upload(app: BenchApp, token: string, rows: readonly Terminal[], code: string): Promise<number> {
  const text = ['SN,Name,Product,Remark', ...rows.map(({ sn, name, remark }) => `${sn},${name},${code},${remark}`)].join('\n');
  const form = new FormData();
  form.append('req', JSON.stringify({ type: '8', identifier: createHash('md5').update(text).digest('hex') }));
  form.append('file', new Blob([text]), 'terminals.csv');
  const { 'content-type': _, ...headers } = callHeaders(token);
  const answer = await fetch(`${app.url}/ops${fileCalls.direct.path}`, { method: 'POST', headers, body: form });
  const { code: said, message, body } = (await answer.json()) as { code: number; message: string; body: { id: number } };
  if (said !== 200) throw new Error(`the file: ${said} ${message}`);
  return body.id;
}

interface Taken {
  readonly check: number;
  readonly commit: number;
  /** Megabytes that the server took above its rest, at most, in each half of the import. */
  readonly memory: readonly [number, number];
}

/** Checked, then taken row by row as far as they are right; asked for how far it is as the page does. */
async function imported(app: BenchApp, token: string, rows: readonly Terminal[], { code, product }: Owner): Promise<Taken> {
  const file = await upload(app, token, rows, code);
  const rest = await settled(app.pid, true);
  const seen: number[] = [];
  const watch = setInterval(() => void seen.push((pss(app.pid) - rest) / 1024), 100);
  try {
    const check = await secondsOf(() => askCall(app.url, '/device/batchImport/check', token, { file, productId: product }));
    const commit = await secondsOf(async () => {
      const { work } = await askCall(app.url, '/device/batchImport/import', token, {
        file,
        productId: product,
        mode: 'good',
        rows: rows.length,
        again: true,
      });
      for (;;) {
        const { state, done, reason } = await askCall(app.url, backgroundJobCalls.detail.path, token, { id: work });
        if (state === 'done' && done === rows.length) return;
        if (state === 'done' || state === 'failed') throw new Error(`the import ended as ${state} with ${done} rows: ${reason}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    });
    const taking = seen.slice(Math.floor((seen.length * check) / (check + commit)));
    const half = Math.ceil(taking.length / 2);
    return { check, commit, memory: [Math.max(...taking.slice(0, half)), Math.max(...taking.slice(half))] };
  } finally {
    clearInterval(watch);
  }
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000, [{ name: 'import', fresh: true }]);
  const folder = mkdtempSync(join(tmpdir(), 'mooring-bench-import-'));
  // The database's own account reads in it.
  chmodSync(folder, 0o755);
  const app = await startApp({ DATABASE_URL: estate.url, ...settling });
  try {
    const [owner] = await estate.query<Owner>(
      `update product_product p set publish_status = '1' from org_dept o where p.code = 'BENCH-1' and o.id = 100002
       returning p.id::int as product, p.code, o.id::int as dept, o.dept_path as path`,
    );
    if (!owner) throw new Error('no product');
    const token = await estate.session('platformAdmin', 1);
    const small = await imported(app, token, terminals('S', ROWS / 10), owner);
    const [ours, anchor]: [Taken[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      anchor.push(await copied(estate, folder, `C${round}`, owner));
      ours.push(await imported(app, token, terminals(`I${round}`, ROWS), owner));
    }
    const whole = median(ours.map(({ check, commit }) => check + commit));
    return [
      atMost('100,000 terminals checked and taken, against COPY', whole, median(anchor), 8, 's'),
      reported('the check alone', median(ours.map(({ check }) => check)), 's', median(anchor)),
      reported('10,000 checked and taken', small.check + small.commit, 's'),
      below(
        'memory in the later half above the half before',
        Math.max(...ours.map(({ memory: [before, after] }) => after - before)),
        GROWTH_MB,
        'MB',
      ),
      reported('memory above rest, at most', Math.max(...ours.flatMap(({ memory }) => memory)), 'MB'),
    ];
  } finally {
    await app.stop();
    await estate.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const p18: Row = { id: 'P18', work: 'a file of 100,000 terminals through check and import at 1,000,000', run };
