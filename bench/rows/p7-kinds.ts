import { partSize } from '@mooring/contract/file/kinds';
import { api } from '../../e2e/api.ts';
import { allReleases } from '../../faults/releases/all-kinds.ts';
import type { Place, Round } from '../../faults/releases/sent.ts';
import { openConsole } from '../../faults/world/console.ts';
import { makeDeveloper } from '../../faults/world/developer.ts';
import type { BenchApp } from '../app.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { FLEET, type FleetEstate } from '../fleet/fleet-estate.ts';

/** How long a release took until all its devices were frozen, and from then on until all in contact had finished, in seconds. */
export interface Served {
  readonly kind: string;
  readonly fanOut: number;
  readonly finishing: number;
}

export async function until(reached: () => Promise<boolean>, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await reached())) {
    if (performance.now() > end) throw new Error('the task does not go on');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Of {
  readonly estate: FleetEstate;
  readonly app: BenchApp;
  /** Of a person of the platform. */
  readonly token: string;
  readonly productId: number;
  readonly fleet: Fleet;
}

/** Each kind besides firmware, one after the other: to all devices, of files of parameters to all that are in contact. */
export async function otherKinds({ estate, app, token, productId, fleet }: Of): Promise<readonly Served[]> {
  await estate.query(`update product_product set package_kinds = '{firmware,module,patch,app,param}' where id = $1`, [productId]);
  const world: Place = {
    url: app.url,
    console: openConsole(app.url, token),
    partBytes: partSize('disk'),
    productId,
    developer: await makeDeveloper(app.url, api(app.url, token, 'centre')),
  };
  const sns = async () => (await estate.query<{ sn: string }>(`select sn from device where tags && '{fleet}'`)).map(({ sn }) => sn);
  const input: Round['input'] = { name: 'Bench', scope: { releaseScope: '0' }, release: true };
  const served: Served[] = [];
  for (const send of allReleases.slice(1)) {
    const { acks } = await fleet.counts();
    const { kind, taskId } = await send({ world, seed: 'bench', round: 1, input, sns });
    const times = async () => {
      const [row] = await estate.query<{ fan_out: number | null; finishing: number | null }>(
        `select extract(epoch from gathered_at - created_at)::float8 as fan_out, extract(epoch from clock_timestamp() - started_at)::float8 as finishing
         from rollout_task where id = $1`,
        [taskId],
      );
      return { fanOut: row?.fan_out ?? undefined, finishing: row?.finishing ?? undefined };
    };
    await until(async () => (await times()).finishing !== undefined, 300);
    await fleet.until((now) => now.acks >= acks + FLEET, 300);
    const { fanOut = Number.NaN, finishing = Number.NaN } = await times();
    const [ended] = await estate.query<{ good: number }>(
      `select count(*)::int as good from rollout_result where task_id = $1 and state = '3'`,
      [taskId],
    );
    if (ended?.good !== FLEET) throw new Error(`${kind}: ${ended?.good} succeeded`);
    served.push({ kind, fanOut, finishing });
    console.log(`${kind}: frozen in ${fanOut.toFixed(1)} s, finished in ${finishing.toFixed(1)} s`);
  }
  return served;
}
