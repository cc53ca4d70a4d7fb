import { type RefObject, useEffect } from 'react';
import { useView } from '../view.ts';

const ROW = 'tbody tr[aria-rowindex], .m-card';
const OPENER = '.m-row-open, td a, td button, .m-card-title a, .m-card-title button';

/** Over the list: not a drawer beside it. */
const ABOVE = '[role=dialog]:not([aria-modal=false]), [role=menu]:not([hidden])';
/** The first of those that are shown: pages that are kept alive hold lists too. */
const shown = (what: string) => [...document.querySelectorAll(what)].find((one) => one.checkVisibility());

/** The keyboard is elsewhere: somebody types, chooses, or answers a dialog. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.defaultPrevented ||
  shown(ABOVE) !== undefined ||
  (event.target instanceof HTMLElement &&
    event.target.closest('input:not([type=checkbox]),textarea,select,[contenteditable],[role=combobox]') !== null);

const acts: Readonly<Record<string, (row: Element | undefined, rows: readonly Element[]) => boolean>> = {
  j: (row, rows) => step(rows, row ? rows.indexOf(row) + 1 : 0),
  k: (row, rows) => step(rows, row ? rows.indexOf(row) - 1 : 0),
  x: (row) => press(row, 'input[type=checkbox]'),
  e: (row) => press(row, '[aria-haspopup=menu]'),
};
function step(rows: readonly Element[], to: number): boolean {
  const opener = rows[to]?.querySelector<HTMLElement>(OPENER);
  opener?.focus();
  return opener !== undefined && opener !== null;
}
function press(row: Element | undefined, what: string): boolean {
  const found = row?.querySelector<HTMLElement>(what);
  found?.click();
  return found !== undefined && found !== null;
}

/** j and k walk the rows, Enter opens one (it is a link or a button), x chooses it, e opens its actions. */
export function useRowKeys(frame: RefObject<HTMLElement | null>): void {
  const { active } = useView();
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      const act = acts[event.key];
      const list = frame.current;
      if (!act || !list?.checkVisibility() || isTaken(event)) return;
      const focused = document.activeElement?.closest('.m-list');
      if (focused ? focused !== list : shown('.m-list') !== list) return;
      const rows = [...list.querySelectorAll(ROW)];
      // With the focus in the drawer beside it, the list goes on from the row that is shown there.
      const row = rows.find((one) => one.contains(document.activeElement)) ?? rows.find((one) => one.matches('[data-current]'));
      if (act(row, rows)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [active, frame]);
}
