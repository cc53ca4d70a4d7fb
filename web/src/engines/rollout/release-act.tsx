import { deviceCalls } from '@mooring/contract/device/calls';
import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import type { Call } from '@mooring/contract/kit/call';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { lazy, Suspense } from 'react';
import { type BulkAction, type BulkDialogProps, bulkAct } from '../../kit/list/types.ts';

const Late = lazy(() => import('./release-to.tsx').then((found) => ({ default: found.ReleaseTo })));
/** Loaded when it is opened. */
const ReleaseTo = (part: BulkDialogProps) => (
  <Suspense>
    <Late {...part} />
  </Suspense>
);

/** For those who may release anything. */
const releasing = {
  ...deviceCalls.serials,
  platform: 'centre',
  can: releaseKinds.map((kind) => taskPermission(kind, 'add')).join('||'),
} as Call;

export const releaseTo: BulkAction = bulkAct(releasing, { key: 'release', label: 'device.bulk.release', Dialog: ReleaseTo });
