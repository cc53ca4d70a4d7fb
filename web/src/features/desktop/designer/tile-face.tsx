import type { Tile } from '@mooring/contract/desktop/layout';
import { StoredPicture } from '../../../kit/stored-picture.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';

const icons: Readonly<Record<Exclude<Tile['kind'], 'picture' | 'text'>, IconName>> = {
  app: 'app',
  folder: 'file',
  advert: 'play',
  clock: 'clock',
  link: 'link',
};
const CLOCK = '12:30';

/** What people read of a tile. */
export function nameOf(tile: Tile): string {
  if (tile.label) return tile.label;
  if (tile.kind === 'app') return tile.package.split('.').at(-1) ?? tile.package;
  if (tile.kind === 'link') return URL.canParse(tile.url) ? new URL(tile.url).hostname : tile.url;
  if (tile.kind === 'text') return tile.text;
  return tile.kind === 'clock' ? CLOCK : '';
}

/** A tile as a terminal would show it. */
export function TileFace({ tile }: { tile: Tile }) {
  if (tile.kind === 'picture')
    return (
      <>
        <StoredPicture id={tile.fileId} className="" />
        {tile.label ? <span>{tile.label}</span> : null}
      </>
    );
  return (
    <>
      {tile.kind === 'text' ? null : <Icon name={icons[tile.kind]} />}
      <span>{nameOf(tile)}</span>
    </>
  );
}
