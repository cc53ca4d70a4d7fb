import { moneyInput } from '@mooring/contract/shared/patterns';
import { TextInput } from '../../ui/controls.tsx';
import type { ControlPart } from '../form/types.ts';

export const PriceControl = ({ value, onChange, onBlur, disabled }: ControlPart<string | undefined>) => (
  <TextInput value={value ?? ''} inputMode="decimal" onChange={(next) => onChange(moneyInput(next))} onBlur={onBlur} disabled={disabled} />
);
