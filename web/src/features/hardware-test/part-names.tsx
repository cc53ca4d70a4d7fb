import type { HardwarePart } from '@mooring/contract/hardware-test/parts';
import { useT } from '../../ui/words.ts';

/** Parts by their names. */
export function usePartNames(): (parts: readonly HardwarePart[]) => string {
  const t = useT();
  return (parts) => parts.map((part) => t(`hardwareTest.part.${part}`)).join(', ');
}

export function PartNames({ parts }: { parts: readonly HardwarePart[] }) {
  const names = usePartNames();
  return <>{parts.length === 0 ? '–' : names(parts)}</>;
}
