import type { Tile } from '@mooring/contract/desktop/layout';
import { StoredPicture } from '../../../kit/stored-picture.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { nameOf } from './tile-name.ts';

const icons: Readonly<Record<Exclude<Tile['kind'], 'picture' | 'text'>, IconName>> = {
  app: 'app',
  folder: 'file',
  advert: 'play',
  clock: 'clock',
  link: 'link',
};

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
