import type { ScreenLayout, Tile } from '@mooring/contract/desktop/layout';
import { type Box, fits, freePlace } from '@mooring/contract/desktop/layout-rules';

/** A change of one screen; undefined where it can't be made. */
type Edited = ScreenLayout | undefined;

const tilesOf = (layout: ScreenLayout, page: number): readonly Tile[] => layout.pages[page]?.tiles ?? [];
const withTiles = (layout: ScreenLayout, page: number, tiles: readonly Tile[]): ScreenLayout => ({
  ...layout,
  pages: layout.pages.map((one, at) => (at === page ? { tiles: [...tiles] } : one)),
});

export const boxOf = ({ x, y, w, h }: Box): Box => ({ x, y, w, h });
export const mayStand = (layout: ScreenLayout, page: number, id: string, box: Box): boolean =>
  fits(
    layout,
    box,
    tilesOf(layout, page).filter((one) => one.id !== id),
  );

/** Puts a tile elsewhere on its page, or makes it larger or smaller. */
export function placeTile(layout: ScreenLayout, page: number, id: string, box: Box): Edited {
  if (!mayStand(layout, page, id, box)) return undefined;
  return withTiles(
    layout,
    page,
    tilesOf(layout, page).map((one) => (one.id === id ? { ...one, ...box } : one)),
  );
}

/** Above all others: the ID of a tile that was removed from between them isn't another tile's. */
const newId = (layout: ScreenLayout): string => {
  const taken = layout.pages.flatMap(({ tiles }) => tiles.map((one) => Number(/^t(\d{1,9})$/.exec(one.id)?.[1] ?? 0)));
  return `t${Math.max(0, ...taken) + 1}`;
};
type Without<T> = T extends unknown ? Omit<T, 'id' | 'x' | 'y' | 'w' | 'h'> : never;
export type Draft = Without<Tile>;

/** Puts a new tile where there is room. */
export function addTile(
  layout: ScreenLayout,
  page: number,
  draft: Draft,
  size: Pick<Box, 'w' | 'h'>,
): { layout: ScreenLayout; id: string } | undefined {
  const box = freePlace(layout, size, tilesOf(layout, page));
  if (!box) return undefined;
  const id = newId(layout);
  return { id, layout: withTiles(layout, page, [...tilesOf(layout, page), { ...draft, ...box, id } as Tile]) };
}

export const removeTile = (layout: ScreenLayout, page: number, id: string): ScreenLayout =>
  withTiles(
    layout,
    page,
    tilesOf(layout, page).filter((one) => one.id !== id),
  );
export const patchTile = (layout: ScreenLayout, page: number, id: string, part: Partial<Tile>): ScreenLayout =>
  withTiles(
    layout,
    page,
    tilesOf(layout, page).map((one) => (one.id === id ? ({ ...one, ...part } as Tile) : one)),
  );

export const addPage = (layout: ScreenLayout): ScreenLayout => ({ ...layout, pages: [...layout.pages, { tiles: [] }] });
export const removePage = (layout: ScreenLayout, page: number): ScreenLayout => ({ ...layout, pages: layout.pages.toSpliced(page, 1) });

export function movePage(layout: ScreenLayout, from: number, to: number): ScreenLayout {
  const moved = layout.pages.slice(from, from + 1);
  return { ...layout, pages: layout.pages.toSpliced(from, 1).toSpliced(to, 0, ...moved) };
}

/** The tile that one comes to by an arrow key: the nearest in that direction. */
export function neighbour(tiles: readonly Tile[], from: Box, [dx, dy]: readonly [number, number]): Tile | undefined {
  const ahead = tiles.filter((one) => (dx === 0 ? Math.sign(one.y - from.y) === dy : Math.sign(one.x - from.x) === dx));
  const far = (one: Box) => Math.abs(one.x - from.x) * (dx === 0 ? 3 : 1) + Math.abs(one.y - from.y) * (dy === 0 ? 3 : 1);
  return ahead.toSorted((a, b) => far(a) - far(b))[0];
}
