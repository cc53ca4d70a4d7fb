import type { Call } from '@mooring/contract/kit/call';
import type { Tone } from '@mooring/contract/kit/state-machine';
import type { IconName } from '../ui/icon.tsx';
import type { TextKey } from '../ui/words.ts';

export interface PaletteItem {
  readonly key: string;
  readonly label: string;
  readonly note?: string;
  readonly icon?: IconName;
  readonly tone?: Tone;
  readonly to?: string;
  readonly run?: () => void;
}

/** As many of a kind are shown. */
export const FOUND_MOST = 6;

/** Finds things by what is typed: devices by SN, tasks by name. Features hand theirs over in their `pages.ts`. */
export interface PaletteSource {
  readonly title: TextKey;
  /** Asked only for those who may make this call. */
  readonly call?: Call;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly PaletteItem[]>;
}

/**
 * How well a label answers what is typed: at its start, at a word's start, somewhere, each of several words anywhere, or letter by
 * letter. 0: not at all.
 */
export function rank(label: string, typed: string): number {
  const text = label.toLowerCase();
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return 1;
  if (text.startsWith(wanted)) return 4;
  if (text.split(/[\s/.-]+/).some((word) => word.startsWith(wanted))) return 3;
  if (text.includes(wanted)) return 2;
  const words = wanted.split(/\s+/);
  if (words.length > 1 && words.every((word) => text.includes(word))) return 2;
  let at = 0;
  for (const char of wanted) {
    at = text.indexOf(char, at) + 1;
    if (at === 0) return 0;
  }
  return wanted.length > 2 ? 1 : 0;
}

export const best = <I extends PaletteItem>(items: readonly I[], typed: string, most = 8): I[] =>
  items
    .map((item) => ({ item, points: score(item, typed) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, most)
    .map(({ item }) => item);

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

const score = (item: PaletteItem, typed: string): number => Math.max(rank(item.label, typed), item.note ? rank(item.note, typed) - 1 : 0);
/** Matched by more than its letters in this order. */
const isStrong = (item: PaletteItem, typed: string): boolean => score(item, typed) > 1;

/** What is done at once is never guessed. */
const mayBeGuessed = ({ to }: PaletteItem): boolean => to !== undefined;

/**
 * The console's own answers, which are there at once, then what domains find and tell later: what arrives moves nothing that somebody is about
 * to choose. Own answers that match by scattered letters alone are guesses and come last.
 */
export function arrange(own: readonly PaletteGroup[], found: readonly PaletteGroup[], typed: string): PaletteGroup[] {
  const strong = own.map(({ title, items }) => ({ title, items: items.filter((item) => isStrong(item, typed)) }));
  const isSure = strong.some(({ items }) => items.length > 0);
  const guessed = own.map(({ title, items }) => ({ title, items: items.filter(mayBeGuessed) }));
  return (isSure ? [...strong, ...found] : [...found, ...guessed]).filter(({ items }) => items.length > 0);
}
