import { type Measured, sizeWords } from './screen-fit.ts';

/** A rectangle of cells. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}
export interface Grid {
  readonly columns: number;
  readonly rows: number;
}
interface Placed extends Box {
  readonly id: string;
  readonly kind: string;
  readonly package?: string;
  readonly apps?: readonly { readonly package: string }[];
}
interface Laid extends Grid {
  readonly pages: readonly { readonly tiles: readonly Placed[] }[];
  readonly dock: readonly { readonly package: string }[];
}

export const overlap = (a: Box, b: Box): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
export const isInside = ({ columns, rows }: Grid, { x, y, w, h }: Box): boolean => x >= 0 && y >= 0 && x + w <= columns && y + h <= rows;

/** May a tile stand here, beside the others of its page? */
export const fits = (grid: Grid, box: Box, others: readonly Box[]): boolean =>
  isInside(grid, box) && !others.some((one) => overlap(one, box));

/** The first free place for a tile of this size, row by row. */
export function freePlace(grid: Grid, size: Pick<Box, 'w' | 'h'>, others: readonly Box[]): Box | undefined {
  for (let y = 0; y + size.h <= grid.rows; y += 1)
    for (let x = 0; x + size.w <= grid.columns; x += 1) {
      const box = { x, y, ...size };
      if (fits(grid, box, others)) return box;
    }
  return undefined;
}

export const appsIn = (tile: { readonly package?: string; readonly apps?: readonly { readonly package: string }[] }): string[] => [
  // One that isn't written yet is none.
  ...(tile.package ? [tile.package] : []),
  ...(tile.apps ?? []).map((one) => one.package),
];

export interface LayoutProblem {
  readonly message: 'invalid.tileOutside' | 'invalid.tileOverlap' | 'invalid.tileDoubled' | 'invalid.appDoubled';
  /** The dock, where there is none. */
  readonly page?: number;
}

/** What forbids the layout of a screen: each rule at most once for each page. */
export function layoutProblems(layout: Laid): LayoutProblem[] {
  const problems: LayoutProblem[] = [];
  const ids = new Set<string>();
  const apps = new Set<string>();
  const isNew = (seen: Set<string>, one: string) => !seen.has(one) && seen.add(one) !== undefined;
  for (const [page, { tiles }] of layout.pages.entries()) {
    const found = new Set<LayoutProblem['message']>();
    for (const [at, tile] of tiles.entries()) {
      if (!isInside(layout, tile)) found.add('invalid.tileOutside');
      if (tiles.slice(0, at).some((one) => overlap(one, tile))) found.add('invalid.tileOverlap');
      if (!isNew(ids, tile.id)) found.add('invalid.tileDoubled');
      if (appsIn(tile).some((one) => !isNew(apps, one))) found.add('invalid.appDoubled');
    }
    problems.push(...[...found].map((message) => ({ message, page })));
  }
  if (layout.dock.some((one) => !isNew(apps, one.package))) problems.push({ message: 'invalid.appDoubled' });
  return problems;
}

export interface ScreenProblem {
  readonly message: LayoutProblem['message'] | 'invalid.screenDoubled';
  /** 0 is the main one. */
  readonly screen: number;
  readonly page?: number;
}
/** What forbids the layouts of several screens: each has rules of its own, and no two are of one size. */
export function screenProblems(screens: readonly (Laid & Measured)[]): ScreenProblem[] {
  const seen = new Set<string>();
  return screens.flatMap((one, screen): ScreenProblem[] => {
    const size = sizeWords(one);
    const isDoubled = seen.has(size);
    seen.add(size);
    return [
      ...(isDoubled ? [{ message: 'invalid.screenDoubled' as const, screen }] : []),
      ...layoutProblems(one).map((found) => ({ ...found, screen })),
    ];
  });
}
/** Where in a layout a problem is. */
export const pathOf = ({ message, screen, page }: ScreenProblem): (string | number)[] => [
  ...(screen === 0 ? [] : ['sizes', screen - 1]),
  ...(message === 'invalid.screenDoubled' ? ['width'] : page === undefined ? ['dock'] : ['pages', page]),
];
