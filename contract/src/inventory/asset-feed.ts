import { z } from 'zod';
import { SN } from '../device/limits.ts';

/** So much is read of one answer, and so many answers of one register. */
export const FEED_BYTES = 2 * 1024 * 1024;
export const FEED_TERMINALS = 1000;
export const FEED_PAGES = 200;

/** Nothing that a database, a list or a person can't read. */
const Text = z
  .string()
  .trim()
  .max(100)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text));

/** What an asset register knows of a terminal: its serial number, its product by code, and its owner by the name of an organisation. */
export const FeedTerminal = z.object({
  sn: z.string().trim().toUpperCase().regex(SN),
  product: Text.min(1),
  /** Without one it belongs to the register's own organisation. */
  owner: Text.optional(),
});

/** One answer of a register; `next` is asked for as `cursor` until there is none. */
export const FeedPage = z.object({
  terminals: z.array(z.unknown()).max(FEED_TERMINALS),
  next: z.string().min(1).max(512).nullish(),
});
