import type { Tile } from '@mooring/contract/desktop/layout';

const CLOCK = '12:30';

/** What people read of a tile. */
export function nameOf(tile: Tile): string {
  if (tile.label) return tile.label;
  if (tile.kind === 'app') return tile.package.split('.').at(-1) ?? tile.package;
  if (tile.kind === 'link') return URL.canParse(tile.url) ? new URL(tile.url).hostname : tile.url;
  if (tile.kind === 'text') return tile.text;
  return tile.kind === 'clock' ? CLOCK : '';
}
