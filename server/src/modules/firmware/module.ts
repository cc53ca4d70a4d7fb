import { followDevicesJob } from '../../engines/rollout/follow-devices.ts';
import { rolloutMessages } from '../../engines/rollout/handle-results.ts';
import { joinPreTasksJob } from '../../engines/rollout/join-pre-tasks.ts';
import { rolloutService } from '../../engines/rollout/tick.ts';
import type { AppContext } from '../../platform/app-context.ts';
import { KEYS_MS, keptFresh } from '../../platform/gateway/kept-fresh.ts';
import { loadReleaseKeys } from '../../platform/gateway/release-keys.ts';
import type { Module } from '../../platform/module.ts';
import { firmwareRoutes } from './firmware.handlers.ts';
import { firmwareKind } from './firmware-kind.ts';
import { resultExporter } from './page-results.ts';

export function makeFirmware(app: AppContext): Module {
  const keys = keptFresh(
    KEYS_MS,
    () => app.now().getTime(),
    () => loadReleaseKeys(app),
  );
  const kind = firmwareKind(keys);
  return {
    name: 'firmware',
    routes: firmwareRoutes(async () => (await keys()).sign),
    refs: { firmwarePackage: 'firmware_package', task: 'rollout_task' },
    fileOwners: [{ table: 'firmware_package', column: 'file_id', can: 'firmware:package:page' }],
    keepsBlob: async (db, sha256) =>
      (await db
        .selectFrom('firmware_package')
        .select('id')
        .where('sha256', '=', sha256)
        .where('deleted_at', 'is', null)
        .limit(1)
        .executeTakeFirst()) !== undefined,
    exporters: [resultExporter],
    messages: rolloutMessages([kind]),
    services: [rolloutService([kind])],
    jobs: [followDevicesJob([kind]), joinPreTasksJob([kind])],
  };
}
