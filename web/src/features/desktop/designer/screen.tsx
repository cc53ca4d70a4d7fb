import type { ScreenLayout, Tile } from '@mooring/contract/desktop/layout';
import type { CSSProperties, ReactNode, Ref } from 'react';
import { usePicture } from '../../../kit/stored-picture.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { TileFace } from './tile-face.tsx';
import '../desktop.css';

export const areaOf = ({ x, y, w, h }: Pick<Tile, 'x' | 'y' | 'w' | 'h'>): CSSProperties => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
});

interface ScreenProps {
  layout: ScreenLayout;
  /** Where it has none of its own. */
  wallpaperId?: number | null;
  gridRef?: Ref<HTMLDivElement>;
  children: ReactNode;
}
/** The screen of a terminal in its own proportions: wallpaper, grid and dock. */
export function Screen({ layout, wallpaperId = null, gridRef, children }: ScreenProps) {
  const wallpaper = usePicture(layout.wallpaperId ?? wallpaperId);
  return (
    <div
      className={layout.width > layout.height ? 'm-screen m-screen-wide' : 'm-screen'}
      style={{
        aspectRatio: `${layout.width} / ${layout.height}`,
        ...(wallpaper ? { backgroundImage: `url(${JSON.stringify(wallpaper)})` } : {}),
      }}
    >
      <div
        ref={gridRef}
        className="m-screen-grid"
        style={{
          gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))`,
          gridTemplateRows: `repeat(${layout.rows}, minmax(0, 1fr))`,
        }}
      >
        {children}
      </div>
      {layout.dock.length > 0 ? (
        <div className="m-dock">
          {layout.dock.map((one) => (
            <div key={one.package} className="m-tile">
              <Icon name="app" />
              <span>{one.label || one.package.split('.').at(-1)}</span>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** A page as people at the terminal see it. */
export const ShownPage = ({ layout, page }: { layout: ScreenLayout; page: number }) => (
  <Screen layout={layout}>
    {layout.pages[page]?.tiles.map((tile) => (
      <div key={tile.id} className="m-tile" style={areaOf(tile)}>
        <TileFace tile={tile} />
      </div>
    ))}
  </Screen>
);
