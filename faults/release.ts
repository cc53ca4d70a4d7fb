import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { seededBytes, sha256 } from './bytes.ts';
import { upload } from './upload.ts';
import type { World } from './world/world.ts';

export interface Release {
  readonly taskId: number;
  readonly version: string;
  readonly sha256: string;
  /** Share of the terminals that have it, straight from the rows: the console may be away. */
  done(): Promise<number>;
  state(): Promise<string>;
}

const SIZE = 300_000;

/** A release to all terminals, slow enough to be hit in its middle. */
export async function release(world: World, seed: string, round: number): Promise<Release> {
  const version = `2.0.${round}`;
  const bytes = seededBytes(`${seed} ${version}`, SIZE);
  const file = await upload(world, `fw-${version}.zip`, bytes);
  const { console, productId, fleets } = world;
  const added = await console.insist(packageCalls.add, { productId, version, fileId: file?.id ?? 0 });
  await console.insist(packageCalls.publish, { id: added.id });
  while ((await console.insist(packageCalls.detail, { id: added.id })).publishState !== '1')
    await new Promise((resolve) => setTimeout(resolve, 200));
  const delivery = { paceAtOnce: Math.ceil(fleets.count / 5), retries: 10, retryWaitSeconds: 1 };
  const task = { name: `Round ${round}`, packageId: added.id, scope: { releaseScope: '0' }, delivery, release: true };
  const { id: taskId } = await console.insist(taskCalls.add, task);
  const state = async () =>
    (await world.query<{ state: string }>('select state from rollout_task where id = $1', [taskId]))[0]?.state ?? '';
  return {
    taskId,
    version,
    sha256: sha256(bytes),
    state,
    async done() {
      const found = await world.query<{ n: number }>(
        "select count(*)::int as n from rollout_result where task_id = $1 and state in ('3', '6')",
        [taskId],
      );
      return (found[0]?.n ?? 0) / fleets.count;
    },
  };
}
