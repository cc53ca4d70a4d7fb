import type { AdvertItem } from '@mooring/contract/desktop/advert';
import { customizeDesktopKind, storeAdvertSpaceKind, systemCustomizationKind } from '@mooring/contract/desktop/kinds';
import { type Layout, picturesOf, type ScreenLayout, screensOf } from '@mooring/contract/desktop/layout';
import { PICTURE, VIDEO } from '@mooring/contract/desktop/limits';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { Fault } from '@mooring/contract/kit/fault';
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
  /** Nothing is packed that shows nothing: why, where that is so. */
  emptiness(row: Values): Fault | undefined;
}

const emptyIf = (isEmpty: boolean) => (isEmpty ? new Fault('CONTENT_EMPTY') : undefined);
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
  emptiness: ({ items }) => emptyIf((items as unknown[]).length === 0),
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
  emptiness(given) {
    const row = given as unknown as CustomizationRow;
    return emptyIf(row.boot_picture_id === null && row.wallpaper_id === null && setBy(row).length === 0);
  },
};

/** What a terminal gets to know of one screen. */
function screenDocument({ wallpaperId, pages, ...rest }: ScreenLayout, pathOf: PathOf): Values {
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
}
export const desktopPart: Part = {
  part: 'desktop',
  table: 'desktop_desktop',
  of: customizeDesktopKind,
  files: [PICTURE],
  fileIds: (input) => picturesOf(input.layout as Layout),
  document(row, pathOf) {
    const [main, ...sizes] = [...screensOf(row.layout as Layout)].map((screen) => screenDocument(screen, pathOf));
    // Left out where there are none: the same layout has the same bytes as before there were sizes.
    return { ...main, ...(sizes.length === 0 ? {} : { sizes }) };
  },
  emptiness({ layout }) {
    const screens = [...screensOf(layout as Layout)];
    const empty = screens.filter(({ pages, dock }) => dock.length === 0 && pages.every(({ tiles }) => tiles.length === 0));
    const [first] = empty;
    if (!first || empty.length === screens.length) return emptyIf(first !== undefined);
    return new Fault('CONTENT_SCREEN_EMPTY', { params: { screen: sizeWords(first) } });
  },
};
