import type { ScreenLayout, Tile } from '@mooring/contract/desktop/layout';
import { freePlace, type Grid } from '@mooring/contract/desktop/layout-rules';
import { contentLimits } from '@mooring/contract/desktop/limits';

type Page = ScreenLayout['pages'][number];

const read = ({ tiles }: Page): Tile[] => tiles.toSorted((a, b) => a.y - b.y || a.x - b.x);

/** Puts each tile on the first page that has room for it, and on one more where none has. One that is larger than the grid becomes as large as that. */
function placed(tiles: readonly Tile[], grid: Grid): Page[] {
  const pages: Page[] = [{ tiles: [] }];
  for (const tile of tiles) {
    const size = { w: Math.min(tile.w, grid.columns), h: Math.min(tile.h, grid.rows) };
    const found = pages.some((page) => {
      const box = page.tiles.length < contentLimits.tiles ? freePlace(grid, size, page.tiles) : undefined;
      if (box) page.tiles.push({ ...tile, ...box });
      return box !== undefined;
    });
    if (!found) pages.push({ tiles: [{ ...tile, ...size, x: 0, y: 0 }] });
  }
  return pages;
}

/**
 * The same tiles on another grid, in reading order: what doesn't fit on a page goes on behind it, and where that makes too many pages they
 * close up. Undefined where there is no room for all.
 */
export function reflow(pages: readonly Page[], grid: Grid): Page[] | undefined {
  const ways = [() => pages.flatMap((page) => placed(read(page), grid)), () => placed(pages.flatMap(read), grid)];
  return ways.map((way) => way()).find((made) => made.length <= contentLimits.pages);
}
