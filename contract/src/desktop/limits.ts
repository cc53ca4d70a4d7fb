const MB = 1024 * 1024;

/** What one playlist, customization or desktop may weigh with its files, so that a terminal on a slow line still gets it. */
export const contentLimits = {
  items: 20,
  weight: 100,
  bytes: 200 * MB,
  pages: 10,
  tiles: 60,
  sizes: 4,
  folder: 24,
  versions: 100,
} as const;
/** File kinds of what terminals show. */
export { PICTURE } from '../file/kinds.ts';
export const VIDEO = '10';

/** Where a terminal shows an advert: instead of the idle screen, while it starts, or in the banner of its main screen. */
export const advertPlaces = ['idle', 'boot', 'main'] as const;
