import { freePort } from '@mooring/server/platform/free-port';
import { askCall, startApp } from '../app.ts';
import { type Fleet, startTerminals } from '../fleet/fleet.ts';
import { FLEET, type FleetEstate, openFleetEstate } from '../fleet/fleet-estate.ts';
import { settled, settling } from '../fleet/memory.ts';
import { median, secondsOf } from '../measure.ts';
import { atMost, below, type Figure, type Row, reported } from '../row.ts';
import { otherKinds, type Served, until } from './p7-kinds.ts';

const VERSION = '2.0.0';
/** AWS IoT Jobs takes so many devices a minute for one job (its published limit). */
const AWS_A_MINUTE = 1000;
const FINISHED_A_MINUTE = 120_000;
const SCOPE = { releaseScope: '0' };

/** One statement into a table with the same columns and indexes: nobody is counted, nothing can go on where it stopped. */
async function bareInsert(estate: FleetEstate): Promise<number> {
  await estate.query('create table bench_result (like rollout_result including all) with (fillfactor = 80)');
  const seconds = await secondsOf(() =>
    estate.query(
      `insert into bench_result (task_id, kind, device_id, sn, ring, next_at, tries_left, from_version, dept_path)
       select 1, 'firmware', d.id, d.sn, 1, case when d.status = '3' then now() else 'infinity' end, 2, d.firmware, d.dept_path from device d`,
    ),
  );
  await estate.query('drop table bench_result');
  return seconds;
}

const frozen = ({ kind, fanOut }: Served, bare: number): Figure =>
  atMost(`${kind}: from enabling until all are frozen, against the bare insert … select`, fanOut, bare, 2, 's');
function finished({ kind, finishing }: Served): Figure {
  const minute = (FLEET / finishing) * 60;
  return {
    name: `${kind}: finished devices a minute through the engine, against the published limit of AWS IoT Jobs`,
    ours: minute,
    anchor: AWS_A_MINUTE,
    ratio: minute / AWS_A_MINUTE,
    unit: '/min',
    target: `≥ ${FINISHED_A_MINUTE} /min`,
    holds: minute >= FINISHED_A_MINUTE,
  };
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openFleetEstate(true);
  const port = await freePort();
  const app = await startApp({ DATABASE_URL: estate.url, MQTT_PORT: String(port), ...settling });
  let fleet: Fleet | undefined;
  try {
    const token = await estate.session('platformAdmin', 1);
    const call = (path: string, input: object) => askCall(app.url, path, token, input) as Promise<{ id: number; matched: number }>;
    const [file] = await estate.query<{ id: string }>(
      `insert into file_file (kind, name, size, sha256, md5, dept_path, user_id) select '5', 'bench.zip', 1000000, md5('a') || md5('b'), md5('c'), '1.', max(id) from account_user returning id`,
    );
    const [product] = await estate.query<{ id: string }>(`select id from product_product where code = 'BENCH-1'`);
    const { id: packageId } = await call('/api/fotaUppackage/add', {
      productId: Number(product?.id),
      version: VERSION,
      fileId: Number(file?.id),
    });
    await call('/api/fotaUppackage/publish', { id: packageId });
    fleet = await startTerminals({ port, terminals: estate.plain() });
    const here = () => estate.query<{ n: number }>(`select count(*)::int as n from device where tags && '{fleet}' and status = '3'`);
    await until(async () => (await here())[0]?.n === FLEET, 60);

    const bare = await bareInsert(estate);
    const input = { name: 'Bench', packageId, scope: SCOPE };
    const previews: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const seconds = await secondsOf(async () => {
        const { matched } = await call('/api/fotaUptask/preview', { packageId, scope: SCOPE });
        if (matched !== estate.devices) throw new Error(`${matched} matched`);
      });
      if (n > 0) previews.push(seconds);
    }
    const before = await settled(app.pid, true);
    const task = await call('/api/fotaUptask/add', input);
    await call('/api/fotaUptask/submit', { id: task.id });
    const state = async () =>
      (
        await estate.query<{ gathered: boolean; started: boolean }>(
          'select gathered_at is not null as gathered, started_at is not null as started from rollout_task where id = $1',
          [task.id],
        )
      )[0];
    const fanOut = await secondsOf(async () => {
      await call('/api/fotaUptask/enable', { id: task.id });
      await until(async () => Boolean((await state())?.gathered), 300);
    });
    await until(async () => Boolean((await state())?.started), 30);
    const finishing = await secondsOf(async () => fleet?.until((now) => now.acks >= FLEET, 300));
    const [ended] = await estate.query<{ all: number; good: number }>(
      `select count(*)::int as all, count(*) filter (where state = '3')::int as good from rollout_result where task_id = $1`,
      [task.id],
    );
    if (ended?.all !== estate.devices || ended.good !== FLEET) throw new Error(`${ended?.good} of ${ended?.all} succeeded`);
    const after = await settled(app.pid, true);
    const { repeated } = await fleet.counts();
    const others = await otherKinds({ estate, app, token, productId: Number(product?.id), fleet });
    return [
      below('preview for 1,000,000 devices', median(previews), 2, 's'),
      ...[{ kind: 'firmware', fanOut, finishing }, ...others].flatMap((one) => [frozen(one, bare), finished(one)]),
      atMost('memory of the server after the task against before', after / 1024, before / 1024, 1.1, 'MB'),
      reported('answers that a terminal had to repeat', repeated, ''),
    ];
  } finally {
    await fleet?.stop();
    await app.stop();
    await estate.stop();
  }
}

export const p7: Row = {
  id: 'P7',
  work: 'a task of each kind to 1,000,000 devices; 15,000 connected terminals take it, report and finish',
  run,
};
