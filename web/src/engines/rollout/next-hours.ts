import { Window } from '@mooring/contract/device/messages';
import { openHours } from '@mooring/contract/shared/time-window';
import { useFormat } from '../../ui/words.ts';

export interface Hours {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly blackout?: readonly string[] | undefined;
}
const SHOWN = 3;

/** When a window opens next, in words: none where it never does, and undefined where it isn't one. */
export function useNextHours(): (window: Hours) => readonly string[] | undefined {
  const format = useFormat();
  return (window) => {
    const read = Window.safeParse(window);
    if (!read.success) return undefined;
    return openHours(read.data, new Date(), format.timeZone, SHOWN).map(
      ({ from }) => `${format.moment(from)} – ${format.straight(window.to)}`,
    );
  };
}
