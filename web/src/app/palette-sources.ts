import { packageFinder, taskFinder } from '../engines/rollout/finder.ts';
import { memberFinder } from '../features/access/finder.ts';
import { appPermissions } from '../features/app-permission/kind.ts';
import { deviceFinder } from '../features/device/finder.ts';
import { firmware } from '../features/firmware/kind.ts';
import { merchantFinder } from '../features/merchant/finder.ts';
import { modules } from '../features/module/kind.ts';
import { networkConfigs } from '../features/network-config/kind.ts';
import { orderFinder } from '../features/order/finder.ts';
import { deptFinder } from '../features/org/finder.ts';
import { paramFiles } from '../features/paramfile/kind.tsx';
import { patches } from '../features/patch/kind.ts';
import { generalTaskFinder } from '../features/task/finder.ts';
import type { PaletteSource } from '../kit/palette.ts';

/** What the palette finds besides pages and actions. */
export const paletteSources: readonly PaletteSource[] = [
  deviceFinder,
  merchantFinder,
  orderFinder,
  taskFinder(firmware, 'menu.firmwareTask'),
  packageFinder(firmware, 'menu.firmwarePackage'),
  taskFinder(modules, 'menu.moduleTask'),
  packageFinder(modules, 'menu.modulePackage'),
  taskFinder(patches, 'menu.patchTask'),
  packageFinder(patches, 'menu.patchPackage'),
  taskFinder(appPermissions, 'menu.appPermission'),
  taskFinder(networkConfigs, 'menu.networkConfig'),
  taskFinder(paramFiles, 'menu.paramFileTask'),
  generalTaskFinder,
  memberFinder,
  deptFinder,
];
