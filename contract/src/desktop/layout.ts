import { z } from 'zod';
import { AppPackage } from '../device/manifest.ts';
import { FileId, PictureId } from './content-fields.ts';
import { layoutProblems } from './layout-rules.ts';
import { contentLimits } from './limits.ts';

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

const Shape = z.strictObject({
  /** Cells of a page, and the screen for which it is drawn up, in pixels. */
  columns: z.int().min(2).max(12),
  rows: z.int().min(2).max(12),
  width: z.int().min(120).max(4096),
  height: z.int().min(120).max(4096),
  wallpaperId: PictureId,
  pages: z
    .array(z.strictObject({ tiles: z.array(Tile).max(contentLimits.tiles) }))
    .min(1)
    .max(contentLimits.pages),
  /** Apps below every page. */
  dock: z.array(AppRef).max(8).default([]),
});
export type Layout = z.output<typeof Shape>;

/** What stands where on the home screen of a terminal. Two tiles never share a cell, and an app stands in one place. */
export const Layout = Shape.superRefine((layout, ctx) => {
  for (const { message, page } of layoutProblems(layout))
    ctx.addIssue({ code: 'custom', path: page === undefined ? ['dock'] : ['pages', page], message });
});
