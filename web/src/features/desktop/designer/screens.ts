import { type Figures, type Layout, type ScreenLayout, screensOf } from '@mooring/contract/desktop/layout';
import { contentLimits } from '@mooring/contract/desktop/limits';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import { reflow } from './reflow.ts';

const mainOf = ({ sizes: _sizes, ...main }: Layout): ScreenLayout => main;
/** All screens as they are drawn up, the main one first: one without a wallpaper has none here. */
export const drawnScreens = (layout: Layout): readonly ScreenLayout[] => [mainOf(layout), ...(layout.sizes ?? [])];
export const screenAt = (layout: Layout, at: number): ScreenLayout => drawnScreens(layout)[at] ?? mainOf(layout);
/** Without further screens it is what it was before there were any. */
const layoutOf = ([main, ...sizes]: readonly ScreenLayout[], was: Layout): Layout => ({
  ...(main ?? mainOf(was)),
  ...(sizes.length === 0 ? {} : { sizes }),
});

/** Each screen changed in the same way. */
export const changeScreens = (layout: Layout, change: (screen: ScreenLayout) => ScreenLayout): Layout =>
  layoutOf(drawnScreens(layout).map(change), layout);
export const putScreen = (layout: Layout, at: number, screen: ScreenLayout): Layout =>
  layoutOf(drawnScreens(layout).with(at, screen), layout);
/** The main one stays. */
export const removeScreen = (layout: Layout, at: number): Layout =>
  at === 0 ? layout : layoutOf(drawnScreens(layout).toSpliced(at, 1), layout);

/** Another one becomes the main one. Each keeps the wallpaper that is seen there, as far as one is: those that had none have that of the new one. */
export function makeMain(layout: Layout, at: number): Layout {
  const seen = [...screensOf(layout)];
  const main = seen[at];
  if (at === 0 || !main) return layout;
  const others = seen.toSpliced(at, 1).map((one) => (one.wallpaperId === main.wallpaperId ? { ...one, wallpaperId: null } : one));
  return layoutOf([main, ...others], layout);
}

/** The first screen that is another one than before, or that isn't there any more; then the one before it. */
export function changedScreen(before: Layout, after: Layout): number {
  const [was, is] = [drawnScreens(before), drawnScreens(after)];
  const most = Math.max(was.length, is.length);
  const found = Array.from({ length: most }, (_, at) => at).find((at) => JSON.stringify(was[at]) !== JSON.stringify(is[at])) ?? 0;
  return Math.min(found, is.length - 1);
}

interface Added {
  readonly layout?: Layout;
  /** Why it can't be. */
  readonly problem?: 'invalid.screenDoubled' | 'desktop.screen.noRoom';
}
/** One more screen, with everything that stands on another one. */
export function addScreen(layout: Layout, from: number, figures: Figures): Added {
  if (drawnScreens(layout).some((one) => sizeWords(one) === sizeWords(figures))) return { problem: 'invalid.screenDoubled' };
  const { pages, dock } = screenAt(layout, from);
  const placed = reflow(pages, figures);
  if (!placed) return { problem: 'desktop.screen.noRoom' };
  const added: ScreenLayout = { ...figures, wallpaperId: null, pages: placed, dock };
  return { layout: layoutOf([...drawnScreens(layout), added], layout) };
}
export const mayAddScreen = ({ sizes = [] }: Layout): boolean => sizes.length < contentLimits.sizes;

/** Screens that terminals often have, each with a grid that suits it. */
export const commonScreens: readonly (Figures & { readonly of: 'handheld' | 'counter' | 'small' })[] = [
  { of: 'handheld', width: 720, height: 1280, columns: 4, rows: 6 },
  { of: 'handheld', width: 1080, height: 1920, columns: 4, rows: 6 },
  { of: 'counter', width: 1280, height: 800, columns: 6, rows: 4 },
  { of: 'counter', width: 1920, height: 1080, columns: 6, rows: 4 },
  { of: 'small', width: 320, height: 240, columns: 3, rows: 2 },
];
