import { moneyInput } from '@mooring/contract/shared/patterns';
import type { ControlPart } from '../form/types.ts';
import { TextInput } from '../../ui/controls.tsx';

export const PriceControl = ({ value, onChange, onBlur, disabled }: ControlPart<string | undefined>) => (
  <TextInput value={value ?? ''} inputMode="decimal" onChange={(next) => onChange(moneyInput(next))} onBlur={onBlur} disabled={disabled} />
);
