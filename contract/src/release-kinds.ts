import { appPermissionKind } from './app-permission/kind.ts';
import type { TaskKind } from './engines/rollout/task-kind.ts';
import { firmwareKind } from './firmware/kind.ts';
import { moduleKind } from './module/kind.ts';
import { networkConfigKind } from './network-config/kind.ts';
import { paramFileKind } from './paramfile/kind.ts';
import { patchKind } from './patch/kind.ts';
import { generalKinds } from './task/general-kinds.ts';

/** Everything that can be released to terminals. */
export const releaseKinds: readonly TaskKind[] = [
  firmwareKind,
  moduleKind,
  patchKind,
  appPermissionKind,
  networkConfigKind,
  paramFileKind,
  ...generalKinds,
];
