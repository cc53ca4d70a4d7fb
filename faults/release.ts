import { allReleases } from './releases/all-kinds.ts';
import type { Round, Sent } from './releases/sent.ts';
import type { World } from './world/world.ts';

/** What runs in a round: a release of every kind, to all terminals at once. */
export interface Release {
  readonly all: readonly Sent[];
  /** The one of firmware, which people look at. */
  readonly taskId: number;
  readonly version: string;
  /** Share of the results that are there, straight from the rows: the console may be away. */
  done(): Promise<number>;
  /** Releases that haven't ended. */
  open(): Promise<readonly string[]>;
}

export async function release(world: World, seed: string, round: number): Promise<Release> {
  const of: Round = {
    world,
    seed,
    round,
    // To all terminals: slow enough to be hit in its middle, patient enough to get through.
    input: {
      name: `Round ${round}`,
      scope: { releaseScope: '0' },
      delivery: { paceAtOnce: Math.ceil(world.fleets.count / 5), retries: 10, retryWaitSeconds: 1 },
      release: true,
    },
    sns: async () => (await world.fleets.states()).map(({ sn }) => sn),
  };
  const all: Sent[] = [];
  for (const send of allReleases) all.push(await send(of));
  const [firmware] = all as [Sent];
  const ids = all.map(({ taskId }) => taskId);
  return {
    all,
    taskId: firmware.taskId,
    version: firmware.installed?.version ?? '',
    async open() {
      const rows = await world.query<{ id: string; state: string }>('select id, state from rollout_task where id = any($1)', [ids]);
      const stateOf = new Map(rows.map(({ id, state }) => [Number(id), state]));
      return all.flatMap(({ kind, taskId }) => {
        const state = stateOf.get(taskId) ?? 'gone';
        return state === 'finished' ? [] : [`${kind} is ${state}`];
      });
    },
    async done() {
      const found = await world.query<{ n: number }>(
        "select count(*)::int as n from rollout_result where task_id = any($1) and state in ('3', '6')",
        [ids],
      );
      return (found[0]?.n ?? 0) / world.fleets.count / all.length;
    },
  };
}
