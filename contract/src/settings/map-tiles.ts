import { z } from 'zod';

/** A host of letters, digits and hyphens alone: it goes into a header of every page. */
const TEMPLATE = /^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?\/[\w{}./?=&%~@+,:-]*$/;
const PARTS = ['{z}', '{x}', '{y}'] as const;
/** Other braces would stand in the address as they are. */
const KNOWN = /\{(z|x|y|key)\}/g;
export const isTemplate = (url: string): boolean =>
  TEMPLATE.test(url) && URL.canParse(url) && PARTS.every((part) => url.includes(part)) && !/[{}]/.test(url.replace(KNOWN, ''));

/** A server of map tiles that consoles ask for streets; the bundled map alone where there is none. The key is no secret: browsers send it. */
export const MapTiles = z.strictObject({
  url: z
    .string()
    .trim()
    .max(500)
    .default('')
    .refine((url) => url === '' || isTemplate(url), 'invalid.tiles'),
  key: z.string().trim().max(256).default(''),
  attribution: z.string().trim().max(200).default(''),
  maxZoom: z.int().min(1).max(22).default(19),
});

export const withKey = ({ url, key }: { url: string; key: string }): string => url.replaceAll('{key}', encodeURIComponent(key));
/** Where consoles may fetch pictures from besides. */
export const originOf = ({ url }: { url: string }): string | undefined => (isTemplate(url) ? new URL(url).origin : undefined);
