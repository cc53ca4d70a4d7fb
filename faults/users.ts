import { setTimeout as sleep } from 'node:timers/promises';
import { deviceCalls } from '@mooring/contract/device/calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { pick, seeded } from '@mooring/terminal/random';
import { seededBytes } from './bytes.ts';
import { upload } from './upload.ts';
import type { World } from './world/world.ts';

export interface Users {
  /** Nothing more is asked or begun. What is under way comes to its end. */
  rest(): Promise<void>;
}

const PAUSE_MS = 250;
/** Uploads that a person leaves lying in a round: a slow machine's would be more than one may have unfinished. */
const MOST_LEFT = 5;
/** Of the size of a part. Hundreds of uploads have room on the disk of a world. */
const UPLOAD_PARTS = 1.2;

/** People at the console during one round: they look, change, send commands and upload. */
export function startUsers(world: World, seed: string, round: number, taskId: number): Users {
  const { console } = world;
  let isResting = false;
  let commands = 0;
  const random = seeded(`${seed} users ${round}`);
  const someDevices = async () => {
    const answer = await console.call(deviceCalls.page, { criteria: {}, page: { size: 20 } });
    return answer.ok ? answer.body.content : [];
  };
  const acts: readonly (() => Promise<unknown>)[] = [
    () => console.call(deviceCalls.page, { criteria: { text: pick(random, ['1', '7', 'V']) }, page: { size: 100 } }),
    () => console.call(deviceCalls.counts),
    () => console.call(taskCalls.detail, { id: taskId }),
    () => console.call(taskDeviceCalls.page, { criteria: { taskId }, page: { size: 100 } }),
    async () => {
      const device = pick(random, await someDevices());
      if (device) await console.call(deviceCalls.update, { id: device.id, name: device.sn, remark: `round ${round}` });
    },
    async () => {
      const device = pick(random, await someDevices());
      if (device) await console.call(deviceCalls.setConfig, { id: device.id, values: { round, at: Math.floor(random() * 1000) } });
    },
    async () => {
      const ids = (await someDevices()).filter(() => random() < 0.3).map((device) => device.id);
      commands += 1;
      const params = { title: `${round}.${commands}`, text: 'The shop closes early today.', seconds: 5 };
      if (ids.length > 0) await console.call(deviceCalls.command, { of: { ids }, command: { kind: 'message', params } });
    },
    async () => {
      const device = pick(random, await someDevices());
      if (device)
        await console.call(deviceCalls.command, { of: { ids: [device.id] }, command: { kind: 'logPull', params: { lines: 50 } } });
    },
  ];
  const person = async () => {
    while (!isResting) {
      await pick(random, acts)();
      await sleep(PAUSE_MS * (0.5 + random()));
    }
  };
  // Else a campaign of many rounds would leave more lying than one person may.
  const tidyUp = async () => {
    const left = await world.query<{ kind: string; identifier: string }>(
      "select kind, identifier from file_upload where state = 'uploading' and name like '%-2-%.zip'",
    );
    for (const { kind, identifier } of left) await console.call(fileCalls.cancelUpload, { identifier, fileType: kind });
  };
  const uploader = async (number: number) => {
    if (number === 2) await tidyUp();
    let left = 0;
    for (let count = 1; !isResting && left < MOST_LEFT; count += 1) {
      const name = `${round}-${number}-${count}.zip`;
      // One of them leaves in the middle, for good.
      const leavesAt = number === 2 ? performance.now() + 300 + 1200 * random() : undefined;
      const bytes = seededBytes(`${seed} ${name}`, Math.floor(UPLOAD_PARTS * world.partBytes));
      const wanted = () => leavesAt === undefined || performance.now() < leavesAt;
      const file = await upload(world, name, bytes, { wanted });
      if (!file) left += 1;
      await sleep(1500);
    }
  };
  const all = [person(), person(), person(), uploader(1), uploader(2)];
  return {
    async rest() {
      isResting = true;
      await Promise.all(all);
    },
  };
}
