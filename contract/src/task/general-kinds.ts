import { softAppKind } from '../app/app-kind.ts';
import { customizeDesktopKind, storeAdvertSpaceKind, systemCustomizationKind } from '../desktop/kinds.ts';
import type { TaskKind } from '../engines/rollout/task-kind.ts';
import { androidParamKind } from '../paramfile/android-kind.ts';

/** What a general release can send: one family of screens for all of them (specification, sections 2 and 6). */
export const generalKinds: readonly TaskKind[] = [
  androidParamKind,
  storeAdvertSpaceKind,
  systemCustomizationKind,
  customizeDesktopKind,
  // New ones last: rights are granted by the number of a kind's buttons.
  softAppKind,
];
