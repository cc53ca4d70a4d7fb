import { type ComponentProps, lazy, Suspense } from 'react';
import type * as dates from './date-range.tsx';
import { Bone } from './states.tsx';

const LateRange = lazy(() => import('./date-range.tsx').then((found) => ({ default: found.DateRangePicker })));
const LateMoment = lazy(() => import('./date-range.tsx').then((found) => ({ default: found.MomentPicker })));

export const DateRange = (props: ComponentProps<typeof dates.DateRangePicker>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateRange {...props} />
  </Suspense>
);
const LateMinutes = lazy(() => import('./date-range.tsx').then((found) => ({ default: found.MinuteRangePicker })));
export const MinuteRange = (props: ComponentProps<typeof dates.MinuteRangePicker>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateMinutes {...props} />
  </Suspense>
);
export const MomentInput = (props: ComponentProps<typeof dates.MomentPicker>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateMoment {...props} />
  </Suspense>
);
const LateDay = lazy(() => import('./date-range.tsx').then((found) => ({ default: found.DayPicker })));
export const DayInput = (props: ComponentProps<typeof dates.DayPicker>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateDay {...props} />
  </Suspense>
);
