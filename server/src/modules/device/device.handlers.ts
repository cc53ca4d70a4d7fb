import type { deviceCalls } from '@mooring/contract/device/calls';
import type { Handler } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { addDeviceCall } from './add-device.ts';
import { deviceDetail } from './device-detail.ts';
import { deviceExporter } from './device-exporter.ts';
import { deviceLabels } from './labels.ts';
import { commandExporter } from './list-exporters.ts';
import { refuseOld } from './log/request-logs.ts';
import { pageCommands, withdrawCommand } from './page-commands.ts';
import { pageDevices } from './page-devices.ts';
import { runBulk } from './run-bulk.ts';
import { saveDevice } from './save-device.ts';
import { deviceSerials } from './serials.ts';
import { swapDevice } from './swap.ts';
import { countDevices, countFirmwares, installedApps, usedTags } from './tallies.ts';
import { timeline } from './timeline.ts';
import { restoreDevice, revokeDevice, setConfig, updateDevice } from './update-device.ts';

export const deviceHandlers: { readonly [K in keyof typeof deviceCalls]: Handler<(typeof deviceCalls)[K]> } = {
  page: pageDevices,
  detail: deviceDetail,
  counts: (ctx) => countDevices(ctx.db),
  add: addDeviceCall,
  save: saveDevice,
  update: updateDevice,
  disable: (ctx, { of, preview }) => runBulk(ctx, 'disable', of, preview),
  enable: (ctx, { of, preview }) => runBulk(ctx, 'enable', of, preview),
  stockIn: (ctx, { of, preview }) => runBulk(ctx, 'stockIn', of, preview),
  issue: (ctx, { of, preview }) => runBulk(ctx, 'issue', of, preview),
  delete: (ctx, { of, preview }) => runBulk(ctx, 'delete', of, preview),
  restore: restoreDevice,
  restoreMany: (ctx, { of, preview }) => runBulk(ctx, 'restore', of, preview),
  move: (ctx, { of, deptId, preview }) => runBulk(ctx, 'move', of, preview, { deptId }),
  retag: (ctx, { of, add, remove, preview }) => runBulk(ctx, 'retag', of, preview, { add, remove }),
  swap: swapDevice,
  timeline,
  commands: pageCommands,
  exportCommands: (ctx, input) => startExport(ctx, commandExporter, input),
  command: async (ctx, { of, command, hours, preview }) => {
    if (command.kind === 'logPull') await refuseOld(ctx, command.params, 'command.params.');
    return runBulk(ctx, 'command', of, preview, { ...command, hours });
  },
  withdraw: withdrawCommand,
  export: (ctx, input) => startExport(ctx, deviceExporter, input),
  tags: (ctx) => usedTags(ctx.db),
  labels: deviceLabels,
  serials: deviceSerials,
  firmwares: (ctx, { productId }) => countFirmwares(ctx.db, productId),
  apps: (ctx, { text }) => installedApps(ctx.db, text),
  revoke: revokeDevice,
  setConfig,
  setConfigMany: (ctx, { of, values, remove, preview }) => runBulk(ctx, 'configure', of, preview, { values, remove }),
};
