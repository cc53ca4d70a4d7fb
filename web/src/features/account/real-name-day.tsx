import type { ControlPart } from '../../kit/form/types.ts';
import { DayInput } from '../../ui/late-dates.tsx';

/** A day as the documents have it: without a time zone. */
export const DayField = ({ value, onChange, onBlur, disabled }: ControlPart<string | undefined>) => (
  <DayInput value={value} onChange={onChange} onBlur={onBlur} disabled={disabled} />
);
