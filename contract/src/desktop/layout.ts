import { z } from 'zod';
import { AppPackage } from '../device/manifest.ts';
import { FileId, PictureId } from './content-fields.ts';
import { pathOf, screenProblems } from './layout-rules.ts';
import { contentLimits } from './limits.ts';
import { closestScreen, type Measured } from './screen-fit.ts';

/** Package name of an Android app. */
const Package = z.string().trim().max(128).pipe(AppPackage);
const Label = z.string().trim().max(40).default('');
const AppRef = z.strictObject({ package: Package, label: Label });
/** Pages of the web that a tile opens are never fetched in the clear. */
const HttpsUrl = z
  .string()
  .trim()
  .max(500)
  .refine((text) => /^https:\/\/[^\s/@]+(\/\S*)?$/.test(text) && URL.canParse(text), 'invalid.httpsUrl');

const place = {
  id: z.string().regex(/^[a-z0-9]{1,12}$/, 'invalid.tileId'),
  x: z.int().min(0).max(11),
  y: z.int().min(0).max(11),
  w: z.int().min(1).max(12),
  h: z.int().min(1).max(12),
};
const Tile = z.discriminatedUnion('kind', [
  z.strictObject({ ...place, kind: z.literal('app'), package: Package, label: Label }),
  z.strictObject({ ...place, kind: z.literal('folder'), label: Label, apps: z.array(AppRef).min(1).max(contentLimits.folder) }),
  z.strictObject({ ...place, kind: z.literal('picture'), fileId: FileId, label: Label }),
  z.strictObject({ ...place, kind: z.literal('advert'), label: Label }),
  z.strictObject({ ...place, kind: z.literal('clock'), label: Label }),
  z.strictObject({ ...place, kind: z.literal('text'), label: Label, text: z.string().trim().min(1).max(200) }),
  z.strictObject({ ...place, kind: z.literal('link'), label: Label, url: HttpsUrl }),
]);
export type Tile = z.output<typeof Tile>;
/** Whether nothing of what a tile of its kind needs is missing or wrong. */
export const isComplete = (tile: Tile): boolean => Tile.safeParse(tile).success;

/** Cells of a page, and the screen for which it is drawn up, in pixels. */
export const Figures = z.strictObject({
  columns: z.int().min(2).max(12),
  rows: z.int().min(2).max(12),
  width: z.int().min(120).max(4096),
  height: z.int().min(120).max(4096),
});
export type Figures = z.output<typeof Figures>;
const screen = {
  ...Figures.shape,
  wallpaperId: PictureId,
  pages: z
    .array(z.strictObject({ tiles: z.array(Tile).max(contentLimits.tiles) }))
    .min(1)
    .max(contentLimits.pages),
  /** Apps below every page. */
  dock: z.array(AppRef).max(8).default([]),
};
const Shape = z.strictObject({
  ...screen,
  /** Further screens. Left out where there are none: a layout from before is what it was. Without a wallpaper one has that of the main screen. */
  sizes: z.array(z.strictObject(screen)).max(contentLimits.sizes).optional(),
});
export type Layout = z.output<typeof Shape>;
/** What stands where on one of its screens. */
export type ScreenLayout = Omit<Layout, 'sizes'>;

/** Everything that a layout is drawn up for: the main screen first, then the others, each with the wallpaper that is seen there. */
export function* screensOf({ sizes = [], ...main }: Layout): Generator<ScreenLayout, void> {
  yield main;
  for (const size of sizes) yield { ...size, wallpaperId: size.wallpaperId ?? main.wallpaperId };
}
/** Its pictures and wallpapers, on whichever screen. */
export const picturesOf = (layout: Layout): number[] =>
  [...screensOf(layout)].flatMap(({ wallpaperId, pages }) => [
    ...(wallpaperId === null ? [] : [wallpaperId]),
    ...pages.flatMap(({ tiles }) => tiles.flatMap((tile) => (tile.kind === 'picture' ? [tile.fileId] : []))),
  ]);
/** The one that a terminal with this screen shows; the main one where its screen isn't known. */
export function layoutFor(layout: Layout, screen: Measured | undefined): ScreenLayout {
  const [main = layout, ...others] = screensOf(layout);
  return closestScreen(main, others, screen);
}

/** What stands where on the home screen of a terminal. On each screen two tiles never share a cell, and an app stands in one place. */
export const Layout = Shape.superRefine((layout, ctx) => {
  for (const problem of screenProblems([...screensOf(layout)]))
    ctx.addIssue({ code: 'custom', path: pathOf(problem), message: problem.message });
});
