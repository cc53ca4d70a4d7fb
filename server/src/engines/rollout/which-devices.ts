import { z } from 'zod';

/** Devices by their ids, or all whose results stand at and below a path. */
export const Which = z.union([z.object({ ids: z.array(z.int()) }), z.object({ below: z.string() })]);
export type Which = z.output<typeof Which>;
