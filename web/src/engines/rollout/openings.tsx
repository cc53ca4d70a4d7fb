import type { Openings } from '@mooring/contract/engines/rollout/schemas';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { createContext } from 'react';
import { useCall } from '../../kit/queries.ts';
import { useSettled } from '../../kit/settled.ts';
import { useFormat, useT } from '../../ui/words.ts';

const SHOWN = 4;

/** When a release opens next: the earliest first, then where it is later. None where nothing holds anyone back. */
export function useOpeningWords(): (of: Openings | null | undefined) => string | undefined {
  const t = useT();
  const format = useFormat();
  return (of) => {
    if (!of || of.days.length + of.never === 0) return undefined;
    const named = of.days.slice(0, SHOWN).map(({ day, depts, moreDepts }) => {
      const when = format.straight(`${day} ${of.from}`);
      const isAll = of.now + of.never === 0 && of.days.length === 1;
      return isAll ? when : `${when} (${depts.join(', ')}${moreDepts > 0 ? ` ${format.straight(`+${moreDepts}`)}` : ''})`;
    });
    return [
      ...(of.now > 0 ? [t('window.opens.now', { count: of.now })] : []),
      ...named,
      ...(of.days.length > SHOWN ? ['…'] : []),
      ...(of.never > 0 ? [t('window.opens.never', { count: of.never })] : []),
    ].join(' · ');
  };
}

/** What is asked to know the openings of a release that is being written; none where its terminals aren't known. */
export interface AskedOpenings {
  readonly call: TaskCalls['preview'];
  readonly input: InputOf<TaskCalls['preview']>;
}
export const OpeningsOf = createContext<AskedOpenings | undefined>(undefined);

/** Nothing else of how it goes out makes a difference to them. */
function onlyHours({ delivery = {}, ...input }: AskedOpenings['input']): AskedOpenings['input'] {
  const { window, startAt, expiresAt, allowDowngrade } = delivery;
  return { ...input, delivery: { window, startAt, expiresAt, allowDowngrade } };
}

/** The openings of a release that hasn't begun, with what is said around them. */
export function AskedOpening({ call, input, say }: AskedOpenings & { say: (hours: string) => string }) {
  const t = useT();
  const words = useOpeningWords();
  const asked = useSettled(onlyHours(input));
  const { data, error, outdated } = useCall(call, asked.value, { keep: true });
  if (error && asked.isNow) return null;
  if (!data || outdated || !asked.isNow) return t('firmware.preview.checking');
  // Nothing holds anybody back: of a window that is worth saying.
  const atOnce = data.matched > 0 && input.delivery?.window ? t('window.opens.now', { count: data.matched }) : undefined;
  const hours = words(data.openings) ?? atOnce;
  return hours === undefined ? null : say(hours);
}
