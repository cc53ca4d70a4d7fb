import { z } from 'zod';

/** Devices by their ids, or all whose results stand at and below a path; `since` narrows it to what was sent since then. */
const since = z.string().optional();
export const Which = z.union([z.object({ ids: z.array(z.int()), since }), z.object({ below: z.string(), since })]);
export type Which = z.output<typeof Which>;
