import { driftCallsFor } from '@mooring/contract/release-drift';
import { sql } from 'kysely';
import type { Client, TestApp } from '../../../../test/test-app.ts';
import { handleHello, timerWheel } from '../../../modules/device/api.ts';
import type { UpMessage } from '../../../platform/gateway/message.ts';
import { rolloutMessages } from '../handle-results.ts';
import { rolloutsOf } from '../release.factory.ts';
import { round } from '../tick.ts';
import { lookAtDrift } from './look.ts';

interface Says {
  readonly firmware?: string;
  readonly modules?: Record<string, string>;
  readonly settings?: Record<string, string>;
  readonly apps?: readonly { readonly id: string; readonly code: number; readonly certificate?: string }[];
}
const CAN = ['module', 'patch', 'appPermission', 'networkConfig', 'softApp', 'androidParam', 'softAppParams'];

/** Terminals that say what they have, and what becomes of that, in tests. */
export function drifting(app: () => TestApp, admin: () => Client) {
  const run = <T>(query: ReturnType<typeof sql<T>>) => app().context.unscoped(async (db) => (await query.execute(db)).rows);
  const kinds = () => rolloutsOf(app()).kinds;
  let words = 0;
  const deviceOf = async (sn: string) => {
    const [found] = await run(sql<{ id: number; dept_path: string }>`select id, dept_path from device where sn = ${sn}`);
    if (!found) throw new Error(`no ${sn}`);
    return found;
  };
  const settle = async () => {
    for (let turns = 0; turns < 50 && (await round(app().context, rolloutsOf(app()))); turns += 1);
  };
  const look = async () => {
    while (await lookAtDrift(app().context, kinds()));
  };
  const message = async (sn: string, data: object) => {
    const { id, dept_path } = await deviceOf(sn);
    words += 1;
    const receivedAt = new Date(app().clock.now.getTime() + words);
    return { sn, deviceId: id, deptPath: dept_path, id: `m-${words}`, at: receivedAt, receivedAt, data } as unknown as UpMessage;
  };
  /** What it says of itself, all of it; nothing is compared yet. */
  const report = async (sn: string, says: Says) => {
    const { apps = [], ...facts } = says;
    const told = apps.map(({ id, code, ...more }) => ({ id, name: id, version: `${code}`, code, ...more }));
    const hello = await message(sn, {
      product: 'A920',
      firmware: '1.0',
      agent: 'x',
      capabilities: CAN,
      timeZone: 'UTC',
      apps: told,
      ...facts,
    });
    await app().context.unscoped((db) => handleHello(timerWheel()).handle(db, [hello], app().context));
  };
  /** What it says of the offer of a release. */
  const answers = async (sn: string, taskId: number, data: object) => {
    const [row] = await run(
      sql<{ offer: string }>`select offer from rollout_result where task_id = ${taskId} and sn = ${sn} and offer is not null`,
    );
    const result = await message(sn, { offer: row?.offer, ...data });
    for (const handler of rolloutMessages(kinds()))
      if (handler.kind === 'result') await app().context.unscoped((db) => handler.handle(db, [result], app().context));
  };
  return {
    run,
    settle,
    look,
    report,
    answers,
    deviceOf,
    /** It says it, and is looked at. */
    async says(sn: string, says: Says) {
      await report(sn, says);
      await look();
    },
    /** Terminals of which something of a kind has drifted, with what they have. */
    async drifted(kind: string, client: Client = admin()) {
      const { content } = await client.call(driftCallsFor({ kind }).page, { page: { size: 100 } });
      return content.map(({ sn, part, version, found }) => [sn, part, version, found]).toSorted();
    },
    rows: async (kind: string, client: Client = admin()) => (await client.call(driftCallsFor({ kind }).page, {})).content,
  };
}
