import { allReleases } from './releases/all-kinds.ts';
import type { Sent } from './releases/sent.ts';
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
  const all: Sent[] = [];
  for (const send of allReleases) all.push(await send({ world, seed, round }));
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
