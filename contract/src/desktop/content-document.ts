import { z } from 'zod';
import { Sha256 } from '../device/manifest.ts';

/** Name of the first file of an archive, and how far into it a terminal looks for its end. */
export const DOCUMENT_NAME = 'content.json';
export const DOCUMENT_MOST = 4 * 1024 * 1024;

/**
 * What an archive is of, in its first file. `kind` is said in here too: whoever unpacks it needs no word from outside. A path below
 * `files/` is the file's SHA-256 with its ending.
 */
export const ContentDocument = z.object({
  format: z.literal(1),
  kind: z.string().max(32),
  name: z.string().max(64),
  values: z.record(z.string(), z.json()),
  files: z.array(z.object({ path: z.string().max(128), sha256: Sha256, size: z.int().positive() })).max(200),
});
export type ContentDocument = z.infer<typeof ContentDocument>;
