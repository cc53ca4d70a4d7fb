import type { AdvertItem } from '@mooring/contract/desktop/advert';
import { customizeDesktopKind, storeAdvertSpaceKind, systemCustomizationKind } from '@mooring/contract/desktop/kinds';
import type { Layout } from '@mooring/contract/desktop/layout';
import { PICTURE, VIDEO } from '@mooring/contract/desktop/limits';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { DB } from '@mooring/database/tables';
import type { Selectable } from 'kysely';

type Values = Readonly<Record<string, unknown>>;
/** Where a file lies in the archive. */
type PathOf = (fileId: number) => string;

/** One kind of what terminals show: its rows, its files, and what its archive says. */
export interface Part {
  readonly part: 'advert' | 'customization' | 'desktop';
  readonly table: 'desktop_advert' | 'desktop_customization' | 'desktop_desktop';
  readonly of: TaskKind;
  /** Kinds of files that may hang on it. */
  readonly files: readonly string[];
  /** Files that its input names, by the names of the call. */
  fileIds(input: Values): number[];
  /** What a terminal gets to know of a row. */
  document(row: Values, pathOf: PathOf): Values;
  /** Nothing is packed that shows nothing. */
  isEmpty(row: Values): boolean;
}

const isId = (value: unknown): value is number => typeof value === 'number';

type AdvertRow = Selectable<DB['desktop_advert']>;
export const advertPart: Part = {
  part: 'advert',
  table: 'desktop_advert',
  of: storeAdvertSpaceKind,
  files: [PICTURE, VIDEO],
  fileIds: ({ items }) => (items as AdvertItem[]).map((one) => one.fileId),
  document(row, pathOf) {
    const { place, items, from_day, to_day, hours } = row as unknown as AdvertRow;
    const playlist = (items as unknown as AdvertItem[]).map(({ fileId, media, seconds, weight = 1 }) => ({
      path: pathOf(fileId),
      media,
      seconds,
      // Left out where it says nothing: the same playlist has the same bytes as before there were weights.
      ...(weight === 1 ? {} : { weight }),
    }));
    return { place, fromDay: from_day, toDay: to_day, hours, items: playlist };
  },
  isEmpty: ({ items }) => (items as unknown[]).length === 0,
};

type CustomizationRow = Selectable<DB['desktop_customization']>;
/** What a customization sets; what is left as it is isn't there. */
function setBy(row: CustomizationRow): [string, unknown][] {
  const { status_bar, navigation_keys, brightness, volume, screen_seconds, locale, time_zone } = row;
  const all: [string, unknown][] = [
    ['statusBar', status_bar === 'keep' ? null : status_bar],
    ['navigationKeys', navigation_keys === 'keep' ? null : navigation_keys],
    ['brightness', brightness],
    ['volume', volume],
    ['screenSeconds', screen_seconds],
    ['locale', locale],
    ['timeZone', time_zone],
  ];
  return all.filter(([, value]) => value !== null);
}
export const customizationPart: Part = {
  part: 'customization',
  table: 'desktop_customization',
  of: systemCustomizationKind,
  files: [PICTURE],
  fileIds: ({ bootPictureId, wallpaperId }) => [bootPictureId, wallpaperId].filter(isId),
  document(given, pathOf) {
    const row = given as unknown as CustomizationRow;
    const { boot_picture_id, wallpaper_id } = row;
    return {
      ...(boot_picture_id === null ? {} : { bootPicture: pathOf(boot_picture_id) }),
      ...(wallpaper_id === null ? {} : { wallpaper: pathOf(wallpaper_id) }),
      ...Object.fromEntries(setBy(row)),
    };
  },
  isEmpty(given) {
    const row = given as unknown as CustomizationRow;
    return row.boot_picture_id === null && row.wallpaper_id === null && setBy(row).length === 0;
  },
};

export const desktopPart: Part = {
  part: 'desktop',
  table: 'desktop_desktop',
  of: customizeDesktopKind,
  files: [PICTURE],
  fileIds(input) {
    const { wallpaperId, pages } = input.layout as Layout;
    const pictures = pages.flatMap(({ tiles }) => tiles.flatMap((tile) => (tile.kind === 'picture' ? [tile.fileId] : [])));
    return [wallpaperId, ...pictures].filter(isId);
  },
  document(row, pathOf) {
    const { wallpaperId, pages, ...rest } = row.layout as Layout;
    return {
      ...rest,
      ...(wallpaperId === null ? {} : { wallpaper: pathOf(wallpaperId) }),
      pages: pages.map(({ tiles }) => ({
        tiles: tiles.map((tile) => {
          if (tile.kind !== 'picture') return tile;
          const { fileId, ...shown } = tile;
          return { ...shown, path: pathOf(fileId) };
        }),
      })),
    };
  },
  isEmpty: ({ layout }) => (layout as Layout).pages.every(({ tiles }) => tiles.length === 0) && (layout as Layout).dock.length === 0,
};
