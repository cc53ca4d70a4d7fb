import { activeCalls } from '@mooring/contract/device/active/active-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceHistoryCalls } from '@mooring/contract/device/history-calls';
import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import { mapCalls } from '@mooring/contract/device/map/map-calls';
import { positionCalls } from '@mooring/contract/device/position/position-calls';
import { deviceChangeCalls, deviceImportCalls } from '@mooring/contract/device/sheet/sheet-calls';
import { deviceThingCalls } from '@mooring/contract/device/thing/thing-calls';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { loadDeviceAuthority } from '../../platform/gateway/device-authority.ts';
import { KEYS_MS, keptFresh } from '../../platform/gateway/kept-fresh.ts';
import { loadReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { serveFiles } from '../../platform/gateway/serve-files.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { handlers, job, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { largeImport } from '../../platform/work/large-import.ts';
import { keepBuilt } from '../file/api.ts';
import { countSentBytes } from '../stats/api.ts';
import { activeChanges, activeCurve, activeFigures, dropContacts } from './active/read-active.ts';
import { deviceHandlers } from './device.handlers.ts';
import { deviceExporter } from './device-exporter.ts';
import { type EnrolmentServices, serveDevices } from './device-routes.ts';
import { DEVICES } from './device-rows.ts';
import { factories } from './factory-calls.ts';
import { foldDoubles, recountDoubles } from './fold-doubles.ts';
import { foldGroups, foldTally, forgetDeleted } from './fold-tally.ts';
import { deviceGroups } from './groups/group.resource.ts';
import { handleBeats } from './handle-beat.ts';
import { handleBye } from './handle-bye.ts';
import { handleEvents, handleProperties } from './handle-events.ts';
import { handleHello } from './handle-hello.ts';
import { deviceHealth, deviceTransport } from './health/read-health.ts';
import { keepHealth, keepHealthDays, recordHealth } from './health/record-health.ts';
import { codeExporter, commandExporter, expectedExporter } from './list-exporters.ts';
import { handleLogs } from './log/handle-logs.ts';
import { logExporter, logRequestExporter, pageLogRequests, pageLogs } from './log/read-logs.ts';
import { requestLogs } from './log/request-logs.ts';
import { dropFailures, foldFailures } from './map/fold-failures.ts';
import { foldMap } from './map/fold-map.ts';
import { mapFailures } from './map/map-failures.ts';
import { mapShops } from './map/map-shops.ts';
import { mapTiles } from './map/map-tiles.ts';
import { mapFigures, mapView } from './map/map-view.ts';
import { pendingExporter } from './pending-exporter.ts';
import { pageTrack, positionDetail, positionWay, trackExporter } from './position/read-positions.ts';
import { pruneJob } from './prune.ts';
import { regHandlers } from './reg.handlers.ts';
import { enrolCalls } from './reg-groups.ts';
import { enrolRules } from './rule-calls.ts';
import { bulkJob } from './run-bulk.ts';
import { addSheet } from './sheet/add-sheet.ts';
import { changeSheet } from './sheet/change-sheet.ts';
import { type DevicePlane, startDevicePlane } from './start-gateway.ts';
import { callThing, requestThing, setThing } from './thing/ask-thing.ts';
import { readThing } from './thing/read-thing.ts';
import { setThings, settableOf } from './thing/set-many.ts';
import { thingEvents } from './thing/thing-events.ts';
import { timerWheel } from './timer-wheel.ts';
import { watchAttention } from './watch-attention.ts';

/** So many differences of the map, are added up in one turn; what is left then is read as it stands. */
const MAP_BATCHES = 50;
/** A quarter of a million terminals that came with their numbers in a minute. */
const DOUBLE_BATCHES = 50;

/** `speaking` are the modules that take messages of terminals. */
export function makeDevice(app: AppContext, speaking: () => readonly Module[]): Module {
  const wheel = timerWheel();
  const bytes = { store: openStore(app.config, app.counts), keep: keepBuilt };
  const [added, changed] = [largeImport(addSheet, bytes), largeImport(changeSheet, bytes)];
  let plane: DevicePlane | undefined;
  const open = keptFresh(
    KEYS_MS,
    () => app.now().getTime(),
    async (): Promise<EnrolmentServices> => ({ authority: await loadDeviceAuthority(app), releases: await loadReleaseKeys(app) }),
  );
  return {
    name: 'device',
    refs: { device: 'device' },
    seed: keepHealth,
    resources: [deviceGroups, enrolRules, factories],
    routes: [
      ...handlers(deviceCalls, deviceHandlers),
      ...handlers(deviceImportCalls, added),
      ...handlers(deviceChangeCalls, changed),
      ...handlers(deviceHistoryCalls, { health: deviceHealth, transport: deviceTransport }),
      ...handlers(activeCalls, { figures: activeFigures, curve: activeCurve, changes: activeChanges }),
      ...handlers(mapCalls, { tiles: mapTiles, view: mapView, shops: mapShops, failures: mapFailures, figures: mapFigures }),
      ...handlers(positionCalls, {
        detail: positionDetail,
        way: positionWay,
        track: pageTrack,
        exportTrack: (ctx, input) => startExport(ctx, trackExporter, input),
      }),
      ...handlers(deviceThingCalls, {
        read: readThing,
        settable: settableOf,
        set: setThing,
        setMany: setThings,
        request: requestThing,
        call: callThing,
        events: thingEvents,
      }),
      ...handlers(deviceLogCalls, {
        page: pageLogs,
        export: (ctx, input) => startExport(ctx, logExporter, input),
        request: requestLogs,
        requests: pageLogRequests,
        exportRequests: (ctx, input) => startExport(ctx, logRequestExporter, input),
      }),
      ...handlers(enrolCalls, regHandlers),
    ],
    counts: {
      regDevice: {
        can: 'device:reg:page',
        count: async (db) =>
          (
            await db
              .selectFrom('device_pending')
              .select((eb) => eb.fn.countAll<number>().as('n'))
              .where('state', '=', 'asking')
              .executeTakeFirstOrThrow()
          ).n,
      },
    },
    messages: [handleHello(wheel), handleBeats(wheel), handleBye(wheel), handleEvents, handleLogs, handleProperties],
    exporters: [
      deviceExporter,
      pendingExporter,
      expectedExporter,
      codeExporter,
      commandExporter,
      trackExporter,
      logExporter,
      logRequestExporter,
    ],
    jobs: [
      bulkJob,
      added.job,
      changed.job,
      job(pruneJob),
      watchAttention,
      recordHealth,
      keepHealthDays,
      job({
        name: 'device.fold',
        payload: z.object({}),
        every: '* * * * *',
        run: async (ctx) => {
          await foldTally(ctx.db);
          await foldGroups(ctx.db);
          await ctx.unscoped(dropContacts);
        },
      }),
      job({
        name: 'device.map',
        payload: z.object({}),
        every: '* * * * *',
        run: async (ctx) => {
          for (let at = 0; at < MAP_BATCHES; at += 1) if (!(await ctx.inBulk(foldMap))) break;
          for (let at = 0; at < MAP_BATCHES; at += 1) if (!(await ctx.inBulk(foldFailures))) return;
        },
      }),
      job({
        name: 'device.doubles',
        payload: z.object({}),
        every: '* * * * *',
        run: async (ctx) => {
          for (let at = 0; at < DOUBLE_BATCHES; at += 1) {
            const more = await ctx.inBulk(async (db) => {
              const folded = await foldDoubles(db);
              await invalidatePaths(db, app, DEVICES, folded.paths);
              return folded.more;
            });
            if (!more) return;
          }
        },
      }),
      job({
        name: 'device.doubles-recount',
        payload: z.object({}),
        every: '41 3 * * *',
        run: (ctx) => ctx.inBulk(recountDoubles),
      }),
      job({
        name: 'device.forget',
        payload: z.object({}),
        every: '17 3 * * *',
        run: async (ctx) => {
          await ctx.unscoped((db) => forgetDeleted(db, ctx.now()));
          await ctx.unscoped((db) => dropFailures(db, ctx.now()));
        },
      }),
    ],
    gauges: {
      terminal_connections: {
        help: 'Open connections of terminals to the broker of this process; none with an outside one',
        read: () => plane?.figures().connections ?? 0,
      },
      messages_taken: { help: 'Messages of terminals that were taken', type: 'counter', read: () => plane?.figures().taken ?? 0 },
      messages_queued: { help: 'Messages that wait for the database', read: () => plane?.figures().queued ?? 0 },
      messages_refused: {
        help: 'Messages and connections that were refused, by reason',
        type: 'counter',
        label: 'reason',
        read: () => plane?.figures().refused ?? {},
      },
    },
    services: [
      {
        of: 'gateway',
        name: 'devices',
        async start() {
          const handlers = speaking().flatMap((module) => module.messages ?? []);
          plane = await startDevicePlane(app, async () => (await open()).authority, handlers, wheel);
          return plane.stop;
        },
      },
    ],
    plugins: () => {
      const sent = countSentBytes(app);
      return [
        (http) => serveDevices(http, app, open),
        (http) => {
          serveFiles(http, app, openStore(app.config, app.counts), sent);
          http.addHook('onClose', sent.flush);
        },
      ];
    },
  };
}
