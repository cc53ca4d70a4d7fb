import { Geofence, geofenceCalls } from '@mooring/contract/geofence/geofence';
import { geofenceAlarmCalls } from '@mooring/contract/geofence/geofence-alarm';
import { DEGREE } from '@mooring/contract/geofence/outline';
import { sql } from 'kysely';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { setMailServer } from '../../../test/set-mail-server.ts';
import { type Client, testApp } from '../../../test/test-app.ts';
import type { Ctx } from '../../platform/context.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { notePositions } from './note-positions.ts';
import { watchFences } from './watch.ts';

export const BERLIN = { lat: 52.52, lon: 13.405 };
/** So many metres north of the middle. */
export const north = (metres: number) => ({ lat: BERLIN.lat + metres / DEGREE, lon: BERLIN.lon });

let made = 0;
/** A circle of a kilometre around the middle of Berlin, that two words settle. */
export const makeFence = (client: Client, deptId: number, more: object = {}) =>
  client.call(geofenceCalls.add, { name: `Fence ${++made}`, deptId, shape: 'circle', ...BERLIN, radius: 1000, fixes: 2, ...more });

/** What its form sends when nothing is changed. */
export const formOf = (fence: object) =>
  Geofence.change.parse(Object.fromEntries(Object.entries(fence).filter(([key]) => key in Geofence.change.shape)));

/** A bank with a branch, another organisation, and terminals that say where they are. */
export async function geofenceBench() {
  const app = await testApp();
  const bank = await app.dept('Bank');
  const branch = await app.dept('Branch', bank);
  const other = await app.dept('Other');
  const manager = await app.person('orgManager', bank);
  const outsider = await app.person('orgManager', other);
  const productId = await makeProduct(app, app.root);
  await setMailServer(app);
  const gateways = [notePositions(), notePositions()].map(([beat]) => beat);
  let count = 0;
  let turn = 0;
  /** Their words, by one gateway and another in turn, and the look that follows. */
  const say = async (owner: typeof bank, ids: readonly number[], place: { lat: number; lon: number }, minutes = 1, accuracy = 10) => {
    app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
    const now = app.clock.now;
    const batch = ids.map(
      (deviceId) => ({ deviceId, deptPath: owner.path, data: { position: { ...place, accuracy, source: 'gps' } } }) as unknown as UpMessage,
    );
    await app.context.unscoped(async (db) => void (await gateways[turn++ % 2]?.handle(db, batch, { ...app.context, now: () => now })));
  };
  const look = (minutes = 0) => {
    app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
    return watchFences.run({ ...app.context, now: () => app.clock.now } as unknown as Ctx, {});
  };
  return {
    app,
    bank,
    branch,
    other,
    manager,
    outsider,
    productId,
    say,
    look,
    /** So far that an alarm is open by this fence, whose patience is two words. */
    async leave(owner: typeof bank, ids: readonly number[]): Promise<void> {
      await say(owner, ids, BERLIN);
      for (let n = 0; n < 2; n += 1) await say(owner, ids, north(3000));
    },
    async terminals(owner: typeof bank, n: number): Promise<number[]> {
      const sns = Array.from({ length: n }, () => `FNC${String(++count).padStart(6, '0')}`);
      return [...(await makeDevices(app, owner, productId, sns))];
    },
    alarmsOf: async (name: string, who = manager) =>
      (await who.call(geofenceAlarmCalls.page, { criteria: { text: name }, page: { size: 200, sort: 'openedAt', order: 'asc' } })).content,
    standsOf: async (fenceId: number) =>
      (
        await app.context.unscoped((db) =>
          sql<{ device_id: number; state: string; other: number }>`
            select device_id, state, other from geofence_state where fence_id = ${fenceId} order by device_id`.execute(db),
        )
      ).rows,
  };
}
export type GeofenceBench = Awaited<ReturnType<typeof geofenceBench>>;
