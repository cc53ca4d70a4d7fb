import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import type { DifferenceCalls } from '@mooring/contract/engines/rollout/difference-calls';
import type { PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import { taskClasses } from '@mooring/contract/engines/rollout/schemas';
import type { TaskCalls, TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import { packagePermission } from '@mooring/contract/engines/rollout/task-kind';
import { driftCallsFor } from '@mooring/contract/release-drift';
import { sql } from 'kysely';
import { type FileOwner, handlers, type Module, type Route } from '../../platform/module.ts';
import { releasesOf } from './device-releases.ts';
import { differenceRoutes } from './differences/difference-routes.ts';
import { differenceService } from './differences/service.ts';
import type { Bytes } from './differences/tools.ts';
import { driftRoutes } from './drift/drift-routes.ts';
import { driftExporter, driftsOfDevice } from './drift/page-drift.ts';
import { driftService } from './drift/service.ts';
import { followDevicesJob } from './follow-devices.ts';
import type { ReleaseGate } from './gate.ts';
import { rolloutMessages } from './handle-results.ts';
import { joinTasksJob } from './join-tasks.ts';
import { packageExporter } from './packages/package-exporter.ts';
import { packageRoutes } from './packages/package-routes.ts';
import { publishedPackages } from './packages/published-package.ts';
import type { SignManifest } from './packages/sign-package.ts';
import { resultExporter } from './page-results.ts';
import { taskExporter } from './page-tasks.ts';
import { passedOver, whyNot } from './passed-over.ts';
import { type Asking, followPublishing, type Published, publishJob } from './places/publish-job.ts';
import { swapDevicesJob } from './swap-devices.ts';
import type { RolloutKind, TellNews } from './task.ts';
import { dailyTaskRoutes, preTaskRoutes, taskDeviceRoutes } from './task-routes.ts';
import { tellWindowsJob } from './tell-windows.ts';
import { rolloutService } from './tick.ts';

/** A kind of release, and the calls that people make for it. */
export interface KindOfRelease {
  readonly kind: RolloutKind;
  readonly calls: {
    readonly tasks: TaskCalls;
    readonly preTasks?: TaskCalls;
    readonly devices: TaskDeviceCalls;
    readonly packages?: PackageCalls;
    readonly differences?: DifferenceCalls;
  };
  /** Calls that this kind alone has. */
  readonly routes?: (kind: RolloutKind) => readonly Route[];
}

const routesOf = ({ kind, calls, routes }: KindOfRelease, signer: () => Promise<SignManifest>, bytes: Bytes) => [
  ...(calls.packages ? packageRoutes(kind, calls.packages, signer, bytes) : []),
  ...(calls.differences && kind.differences ? differenceRoutes(kind.differences, calls.differences, bytes) : []),
  ...dailyTaskRoutes(kind, calls.tasks),
  ...(calls.preTasks ? preTaskRoutes(kind, calls.preTasks) : []),
  ...taskDeviceRoutes(kind, calls.devices),
  ...driftRoutes([kind], driftCallsFor(kind.of)),
  ...(routes?.(kind) ?? []),
];

const exportersOf = ({ kind, calls }: KindOfRelease) => [
  resultExporter(kind),
  driftExporter([kind], driftCallsFor(kind.of).export),
  taskExporter(kind, calls.tasks, taskClasses.daily),
  ...(calls.preTasks ? [taskExporter(kind, calls.preTasks, taskClasses.preset)] : []),
  ...(calls.packages ? [packageExporter(kind.of, calls.packages)] : []),
];
export const gatedBy = (one: KindOfRelease, gate: ReleaseGate | undefined): KindOfRelease =>
  gate ? { ...one, kind: { ...one.kind, gate } } : one;

/** Everything that is sent to terminals: one engine for all kinds. */
export function makeRollouts(
  declared: readonly KindOfRelease[],
  tell: TellNews,
  signer: () => Promise<SignManifest>,
  bytes: Bytes,
  publishing: { readonly asking: Asking; readonly also: readonly Published[] },
  gate: (kind: RolloutKind) => ReleaseGate | undefined = () => undefined,
): Module {
  const releases = declared.map((one) => gatedBy(one, gate(one.kind)));
  const kinds = releases.map(({ kind }) => kind);
  const published = [publishedPackages(kinds.map(({ of }) => of)), ...publishing.also];
  return {
    name: 'rollout',
    routes: [
      ...releases.flatMap((release) => routesOf(release, signer, bytes)),
      ...handlers(deviceReleaseCalls, {
        list: (ctx, input) => releasesOf(ctx, kinds, input.deviceId),
        passedOver: (ctx, input) => passedOver(ctx, kinds, input),
        whyNot: (ctx, input) => whyNot(ctx, kinds, input),
        drifts: (ctx, input) => driftsOfDevice(ctx, kinds, input.deviceId),
      }),
    ],
    refs: { package: 'rollout_package', task: 'rollout_task' },
    fileOwners: kinds
      .filter(({ files }) => files.length > 0)
      .map(
        ({ of }): FileOwner => ({
          table: 'rollout_package',
          column: 'file_id',
          where: ['content', of.kind],
          gone: 'deleted_at',
          can: packagePermission(of, 'page'),
          use: {
            what: 'package',
            name: sql`coalesce(nullif(rollout_package.name, ''), rollout_package.file_name) || ' ' || rollout_package.version`,
            ...(of.screens.packages ? { at: { path: `${of.screens.packages}/`, id: sql`rollout_package.id` } } : {}),
          },
        }),
      ),
    keepsBlob: async (db, sha256) =>
      (await db
        .selectFrom('rollout_package')
        .select('id')
        .where('sha256', '=', sha256)
        .where('deleted_at', 'is', null)
        .unionAll(db.selectFrom('rollout_difference').select('id').where('sha256', '=', sha256))
        .limit(1)
        .executeTakeFirst()) !== undefined,
    exporters: releases.flatMap(exportersOf),
    messages: rolloutMessages(kinds),
    services: [
      rolloutService({ kinds, tell }),
      driftService(kinds),
      differenceService(
        bytes,
        kinds.flatMap(({ differences }) => differences ?? []),
      ),
    ],
    jobs: [
      followDevicesJob(kinds),
      joinTasksJob(kinds),
      swapDevicesJob(kinds),
      tellWindowsJob,
      publishJob(published, publishing.asking),
      followPublishing(published),
    ],
  };
}
