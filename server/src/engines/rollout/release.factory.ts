import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { gatesOf, releaseKinds } from '../../modules/modules.ts';
import { tell } from '../../modules/release/module.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { loadReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { rolloutMessages } from './handle-results.ts';
import { gatedBy } from './module.ts';
import type { Rollouts } from './task.ts';
import { round } from './tick.ts';

interface Attempted {
  readonly offer: string;
  readonly device_id: number;
  readonly sn: string;
  readonly dept_path: string;
}
/** The kinds as the server has them, for the engine's turns by hand. */
export const rolloutsOf = (app: TestApp): Rollouts => ({
  kinds: releaseKinds(() => loadReleaseKeys(app.context), app.context).map((one) => gatedBy(one, gatesOf(app.context)(one.kind)).kind),
  tell,
});

let serial = 0;

/** Releases in a test: the engine's turns by hand, and terminals' words as the gateway hands them on. */
export function releasing(app: () => TestApp, admin: () => Client, packageId: () => number) {
  /** The engine's clockwork until it has nothing more to do. */
  const settle = async () => {
    for (let turns = 0; turns < 50 && (await round(app().context, rolloutsOf(app()))); turns += 1);
  };
  const detail = (id: number) => admin().call(taskCalls.detail, { id });
  return {
    settle,
    detail,
    sns: (count: number) => Array.from({ length: count }, () => `SN${String(++serial).padStart(6, '0')}`),
    async release(devices: readonly string[], delivery: object = {}): Promise<number> {
      const scope = { releaseScope: '2' as const, sns: [...devices] };
      const task = await admin().call(taskCalls.add, { name: 'Release', packageId: packageId(), scope, delivery });
      await admin().call(taskCalls.submit, { id: task.id });
      await admin().call(taskCalls.enable, { id: task.id });
      await settle();
      return task.id;
    },
    offers: (taskId: number): Promise<Attempted[]> =>
      app()
        .context.unscoped((db) =>
          sql<Attempted>`select offer, device_id, sn, dept_path from rollout_result where task_id = ${taskId} and state = '2' order by sn`.execute(
            db,
          ),
        )
        .then((found) => found.rows),
    async subscribe(kindOf: 'result' | 'progress', of: Attempted, data: object): Promise<void> {
      const now = app().clock.now;
      const message = {
        sn: of.sn,
        deviceId: of.device_id,
        deptPath: of.dept_path,
        id: `m-${of.offer}`,
        at: now,
        receivedAt: now,
        data: { offer: of.offer, percent: 0, ...data },
      } as UpMessage;
      for (const handler of rolloutMessages(rolloutsOf(app()).kinds)) {
        if (handler.kind === kindOf) await app().context.unscoped((db) => handler.handle(db, [message], app().context));
      }
    },
    tally: async (id: number) => (await detail(id)).tally,
    stateOf: async (id: number) => (await detail(id)).state,
  };
}
