import { createHash, randomBytes } from 'node:crypto';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import { expect } from 'vitest';
import type { Api } from './api.ts';
import { makeEstate, uploadFirmware } from './estate.ts';
import { addPublished } from './published.ts';

/** A release to 60 terminals, slow enough to be hit in its middle. */
export interface ReleaseUnderFire {
  readonly fleet: Fleet;
  readonly terminals: number;
  state(): Promise<string>;
  /** How many have succeeded. */
  ended(): Promise<number>;
  /** Exactly one final result and one install of each terminal, and the terminals' own digests are the file's. */
  check(): Promise<void>;
}

const TERMINALS = 60;
const SIZE = 900_000;

export async function releaseUnderFire(url: string, admin: Api, password: string, seed: string): Promise<ReleaseUnderFire> {
  const bytes = randomBytes(SIZE);
  const { productId, code } = await makeEstate(url, admin, password, TERMINALS);
  const pace = { installSeconds: 1, bootSeconds: 0.2, speed: 400_000, maxBackoffSeconds: 1, atOnce: 20 };
  const fleet = startFleet({ server: url, count: TERMINALS, code, product: 'A920', seed, firmware: '1.0.0', ...pace });
  await fleet.whenOnline(TERMINALS, 90);
  const packageId = await addPublished(admin, packageCalls, {
    productId,
    version: '2.0.0',
    fileId: await uploadFirmware(url, password, bytes),
  });
  const task = { name: 'Under fire', packageId, scope: { releaseScope: '0' }, delivery: { paceAtOnce: 10 }, release: true };
  const { id: taskId } = await admin.call(taskCalls.add, task);
  const detail = () => admin.call(taskCalls.detail, { id: taskId });
  return {
    fleet,
    terminals: TERMINALS,
    state: async () => (await detail()).state,
    ended: async () => (await detail()).tally['3'] ?? 0,
    async check() {
      const { tally, total } = await detail();
      expect({ tally, total }).toEqual({ tally: { '3': TERMINALS }, total: TERMINALS });
      const digest = createHash('sha256').update(bytes).digest('hex');
      for (const terminal of fleet.terminals)
        expect([terminal.sn, terminal.journal.installs.map((one) => one.sha256)]).toEqual([terminal.sn, [digest]]);
      const rows = await admin.call(taskDeviceCalls.page, { criteria: { taskId }, page: { size: 100 } });
      for (const row of rows.content) {
        const attempts = await admin.call(taskDeviceCalls.attempts, { id: row.id });
        expect([row.sn, attempts.filter((one) => one.outcome === 'success' && !one.late).length]).toEqual([row.sn, 1]);
      }
    },
  };
}
