import { isComplete, type Layout } from '@mooring/contract/desktop/layout';
import { screenProblems } from '@mooring/contract/desktop/layout-rules';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import { Button } from '../../../ui/button.tsx';
import { type T, useT } from '../../../ui/words.ts';
import { drawnScreens } from './screens.ts';
import { nameOf } from './tile-name.ts';

/** Where something is to be done: a tile, a page, or what all pages of a screen have in common. */
interface Place {
  readonly screen: number;
  readonly page?: number;
  readonly id?: string;
}
interface Found extends Place {
  readonly words: string;
}

/** Tiles that something is missing from, and what no rule allows, on whatever screen. */
function found(t: T, layout: Layout, isWritten: (place: Place) => boolean): Found[] {
  const screens = drawnScreens(layout);
  const missing = screens.flatMap(({ pages }, screen) =>
    pages.flatMap(({ tiles }, page) =>
      tiles.flatMap((tile): Found[] => {
        const place = { screen, page, id: tile.id };
        if (isWritten(place) || isComplete(tile)) return [];
        return [{ ...place, words: t('desktop.unfinished', { tile: nameOf(tile) || t(`desktop.tile.${tile.kind}`), page: page + 1 }) }];
      }),
    ),
  );
  const wrong = screenProblems(screens).map(({ message, ...place }): Found => {
    const problem = t(message);
    const isOfScreen = message === 'invalid.screenDoubled';
    if (place.page !== undefined) return { ...place, words: t('desktop.wrong.page', { page: place.page + 1, problem }) };
    return { ...place, words: isOfScreen ? problem : t('desktop.wrong.dock', { problem }) };
  });
  const all = [...missing, ...wrong];
  // Where there is one screen alone, nobody asks which.
  if (screens.length === 1) return all;
  return all.map((one) => ({
    ...one,
    words: t('desktop.on.screen', { screen: sizeWords(screens[one.screen] ?? layout), what: one.words }),
  }));
}

interface UnfinishedProps {
  layout: Layout;
  /** The screen that is open, and the tile that is being written there: it isn't named meanwhile. */
  open: number;
  chosen: string | undefined;
  onGo: (place: Place) => void;
}

/** What is still to be done, each leading to itself, whatever screen and page it is on. */
export function Unfinished({ layout, open, chosen, onGo }: UnfinishedProps) {
  const t = useT();
  const all = found(t, layout, ({ screen, id }) => screen === open && id === chosen);
  return (
    <div role="status">
      <ul className="m-plain-list" hidden={all.length === 0}>
        {all.map(({ words, ...place }) => (
          <li key={`${place.screen} ${place.page} ${place.id} ${words}`}>
            <Button small look="quiet" icon="warning" onClick={() => onGo(place)}>
              {words}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
