import { handleBeats } from '@mooring/server/modules/device/handle-beat';
import { timerWheel } from '@mooring/server/modules/device/timer-wheel';
import type { UpMessage } from '@mooring/server/platform/gateway/message';
import { deskOf } from './fleet-estate.ts';
import { beatText } from './sayings.ts';

/** The batch statement of beats alone, without terminals or a server: each call of `write` writes the next batch. */
export async function beatWriter(url: string, size: number) {
  const { app, end } = deskOf(url);
  const { rows: devices } = await app.pools.system.query<{ id: number; sn: string; dept_path: string }>(
    'select id, sn, dept_path from device where tags && $1 order by sn',
    [['fleet']],
  );
  const handler = handleBeats(timerWheel());
  let said = 0;
  const batchAt = (from: number): UpMessage[] => {
    const at = new Date();
    return devices.slice(from, from + size).map(({ id, sn, dept_path }, n) => ({
      sn,
      deviceId: id,
      deptPath: dept_path,
      id: `b${n}`,
      at,
      receivedAt: at,
      data: (JSON.parse(beatText(said + n)) as { data: UpMessage['data'] }).data,
    }));
  };
  return {
    devices: devices.length,
    async write(): Promise<void> {
      const batch = batchAt(said % devices.length);
      said += batch.length;
      await app.unscoped((db) => handler.handle(db, batch, app));
    },
    end,
  };
}
