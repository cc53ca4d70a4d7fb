import { lazy, Suspense } from 'react';

/** Loaded when they are opened: the list of terminals is the first that many see. */
const Import = lazy(() => import('./device-sheets.tsx').then((found) => ({ default: found.ImportDevices })));
const Change = lazy(() => import('./device-sheets.tsx').then((found) => ({ default: found.ChangeDevices })));

export const ImportDevices = ({ onClose }: { onClose: () => void }) => (
  <Suspense>
    <Import onClose={onClose} />
  </Suspense>
);
export const ChangeDevices = ({ onClose }: { onClose: () => void }) => (
  <Suspense>
    <Change onClose={onClose} />
  </Suspense>
);
