import { isComplete, type Layout } from '@mooring/contract/desktop/layout';
import { Button } from '../../../ui/button.tsx';
import { useT } from '../../../ui/words.ts';
import { nameOf } from './tile-name.ts';

interface UnfinishedProps {
  layout: Layout;
  /** The tile that is being written: it isn't named meanwhile. */
  chosen: string | undefined;
  onGo: (page: number, id: string) => void;
}

/** Tiles that something is missing from, each leading to itself, whatever page it is on. */
export function Unfinished({ layout, chosen, onGo }: UnfinishedProps) {
  const t = useT();
  const found = layout.pages.flatMap(({ tiles }, page) =>
    tiles.flatMap((tile) => (tile.id === chosen || isComplete(tile) ? [] : [{ page, tile }])),
  );
  return (
    <div role="status">
      <ul className="m-plain-list" hidden={found.length === 0}>
        {found.map(({ page, tile }) => (
          <li key={tile.id}>
            <Button small look="quiet" icon="warning" onClick={() => onGo(page, tile.id)}>
              {t('desktop.unfinished', { tile: nameOf(tile) || t(`desktop.tile.${tile.kind}`), page: page + 1 })}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
