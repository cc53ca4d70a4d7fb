import type { Life } from '@mooring/contract/kit/life';
import { StatusTag } from '../ui/status-tag.tsx';
import { useLooseT } from '../ui/words.ts';

export function useStateName(): (life: Life, code: string) => string {
  const loose = useLooseT();
  return (life, code) => {
    const state = life.byCode[code] ?? code;
    return loose(`life.${life.name}.${state}`, state);
  };
}

/** A row's state by its code: colour, shape and word come from the lifecycle. */
export function StateTag({ life, code }: { life: Life; code: string }) {
  const name = useStateName()(life, code);
  const state = life.states[life.byCode[code] ?? ''];
  return <StatusTag tone={state?.tone ?? 'idle'}>{name}</StatusTag>;
}
