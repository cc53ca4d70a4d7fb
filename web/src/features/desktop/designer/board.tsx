import type { ScreenLayout, Tile } from '@mooring/contract/desktop/layout';
import type { Box } from '@mooring/contract/desktop/layout-rules';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useT } from '../../../ui/words.ts';
import { boxOf, mayStand, neighbour, placeTile, removeTile } from './edits.ts';
import { areaOf, Screen } from './screen.tsx';
import { TileFace } from './tile-face.tsx';
import { nameOf } from './tile-name.ts';

interface BoardProps {
  layout: ScreenLayout;
  /** What is seen behind it where it has no wallpaper of its own. */
  wallpaperId: number | null;
  page: number;
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
  onPut: (layout: ScreenLayout) => void;
  disabled: boolean;
}
/** A tile on its way: where it would stand, and by what it is held. */
interface Held {
  readonly id: string;
  readonly box: Box;
  readonly by: 'pointer' | 'keys';
}
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);

/** A page that is arranged: tiles are dragged, or picked up and set down by the keyboard. */
export function Board({ layout, wallpaperId, page, chosen, onChoose, onPut, disabled }: BoardProps) {
  const t = useT();
  const grid = useRef<HTMLDivElement>(null);
  const grip = useRef({ x: 0, y: 0 });
  const [held, setHeld] = useState<Held>();
  const [said, say] = useState('');
  const tiles = layout.pages[page]?.tiles ?? [];

  const inGrid = (box: Box): Box => ({ ...box, x: within(box.x, layout.columns - box.w), y: within(box.y, layout.rows - box.h) });
  const cellAt = (event: PointerEvent) => {
    const area = grid.current?.getBoundingClientRect();
    if (!area) return { x: 0, y: 0 };
    return {
      x: Math.floor(((event.clientX - area.left) / area.width) * layout.columns),
      y: Math.floor(((event.clientY - area.top) / area.height) * layout.rows),
    };
  };
  const drop = (at: Held, tile: Tile) => {
    setHeld(undefined);
    const isSame = at.box.x === tile.x && at.box.y === tile.y;
    const next = isSame ? layout : placeTile(layout, page, at.id, at.box);
    if (next && next !== layout) onPut(next);
    say(t(next ? 'desktop.said.dropped' : 'desktop.said.noRoom', { name: nameOf(tile), column: at.box.x + 1, row: at.box.y + 1 }));
  };
  const onKeys = (event: KeyboardEvent<HTMLElement>, tile: Tile) => {
    const step = arrows[event.key];
    const mine = held?.id === tile.id ? held : undefined;
    if (step && mine) {
      const box = inGrid({ ...mine.box, x: mine.box.x + step[0], y: mine.box.y + step[1] });
      setHeld({ ...mine, box });
      say(t('desktop.said.at', { column: box.x + 1, row: box.y + 1 }));
    } else if (step && event.shiftKey) {
      const next = placeTile(layout, page, tile.id, { ...boxOf(tile), w: tile.w + step[0], h: tile.h + step[1] });
      if (next && tile.w + step[0] > 0 && tile.h + step[1] > 0) onPut(next);
    } else if (step) {
      const next = neighbour(tiles, tile, step);
      if (next) grid.current?.querySelector<HTMLElement>(`[data-tile="${next.id}"]`)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (mine) drop(mine, tile);
      else {
        setHeld({ id: tile.id, box: boxOf(tile), by: 'keys' });
        say(t('desktop.said.held', { name: nameOf(tile) }));
      }
    } else if (event.key === 'Escape' && mine) {
      setHeld(undefined);
      say(t('desktop.said.left', { name: nameOf(tile) }));
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      onPut(removeTile(layout, page, tile.id));
      onChoose(undefined);
      setHeld(undefined);
      say(t('desktop.said.removed', { name: nameOf(tile) }));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const pointing = (tile: Tile) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (disabled || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const at = cellAt(event);
      grip.current = { x: at.x - tile.x, y: at.y - tile.y };
      onChoose(tile.id);
      setHeld({ id: tile.id, box: boxOf(tile), by: 'pointer' });
    },
    onPointerMove(event: PointerEvent) {
      if (held?.by !== 'pointer' || held.id !== tile.id) return;
      const at = cellAt(event);
      setHeld({ ...held, box: inGrid({ ...held.box, x: at.x - grip.current.x, y: at.y - grip.current.y }) });
    },
    onPointerUp: () => held?.by === 'pointer' && drop(held, tile),
    onPointerCancel: () => setHeld(undefined),
  });
  return (
    <>
      <Screen layout={layout} wallpaperId={wallpaperId} gridRef={grid}>
        {Array.from({ length: layout.columns * layout.rows }, (_, at) => {
          const box = { x: at % layout.columns, y: Math.floor(at / layout.columns), w: 1, h: 1 };
          return <div key={`${box.x}:${box.y}`} className="m-screen-cell" style={areaOf(box)} />;
        })}
        {tiles.map((tile) => (
          <button
            key={tile.id}
            type="button"
            data-tile={tile.id}
            className={['m-tile', tile.id === chosen ? 'm-tile-chosen' : '', tile.id === held?.id ? 'm-tile-held' : ''].join(' ')}
            style={areaOf(tile)}
            disabled={disabled}
            aria-label={t('desktop.tile.at', { name: nameOf(tile), column: tile.x + 1, row: tile.y + 1 })}
            aria-pressed={tile.id === held?.id}
            onFocus={() => onChoose(tile.id)}
            onBlur={() => held?.by === 'keys' && setHeld(undefined)}
            onKeyDown={(event) => onKeys(event, tile)}
            {...pointing(tile)}
          >
            <TileFace tile={tile} />
          </button>
        ))}
        {held ? (
          <div
            className={`m-screen-ghost${mayStand(layout, page, held.id, held.box) ? '' : ' m-screen-ghost-bad'}`}
            style={areaOf(held.box)}
          />
        ) : null}
      </Screen>
      <p className="m-muted m-small">{t('desktop.keys')}</p>
      <p className="m-hidden" role="status">
        {said}
      </p>
    </>
  );
}
