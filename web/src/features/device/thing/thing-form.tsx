import { COMMAND_HOURS } from '@mooring/contract/device/commands';
import { lazy, Suspense } from 'react';
import { useProducts } from '../../../kit/choices.ts';
import type { ControlPart } from '../../../kit/form/types.ts';

const Late = lazy(() => import('./values-control.tsx').then((found) => ({ default: found.ValuesControl })));
/** Loaded when it is needed: every list of terminals offers it. */
const ValuesControl = (part: ControlPart<Record<string, unknown> | undefined>) => (
  <Suspense>
    <Late {...part} />
  </Suspense>
);

/** Fields of setting a property on many terminals: those of one product. */
export const thingForm = {
  fields: [
    { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts },
    { name: 'values', label: 'thing.setMany.values', Control: ValuesControl, wide: true },
    { name: 'hours', label: 'device.command.hours', kind: 'number' },
  ],
  initial: { hours: COMMAND_HOURS },
} as const;
