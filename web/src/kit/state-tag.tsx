import type { Machine, Tone } from '@mooring/contract/kit/state-machine';
import { StatusTag } from '../ui/status-tag.tsx';
import { useLooseT } from '../ui/words.ts';

export function useStateName(): (machine: Machine, code: string) => string {
  const loose = useLooseT();
  return (machine, code) => {
    const state = machine.byCode[code] ?? code;
    return loose(`life.${machine.name}.${state}`, state);
  };
}

export const toneOf = (machine: Machine, code: string): Tone => machine.states[machine.byCode[code] ?? '']?.tone ?? 'idle';

/** A row's state by its code: colour, shape and word come from the lifecycle. */
export function StateTag({ machine, code }: { machine: Machine; code: string }) {
  const name = useStateName()(machine, code);
  return <StatusTag tone={toneOf(machine, code)}>{name}</StatusTag>;
}
