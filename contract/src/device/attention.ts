import { z } from 'zod';

/** What somebody should look at, of terminals that are in use. */
export const Attention = z.enum(['silent', 'battery', 'storage']);
export type Attention = z.infer<typeof Attention>;

/** What no two terminals should report: the number of the device, and that of the SIM in it. */
export const DoubleKind = z.enum(['imei', 'iccid']);
export type DoubleKind = z.infer<typeof DoubleKind>;

/** What holds where a terminal's product says nothing else: not heard of for so many days. */
export const SILENT_DAYS = 7;
export const SILENT_HOURS = SILENT_DAYS * 24;
/** Percent of the battery, and of the storage that is left. */
export const LOW_BATTERY = 20;
export const LOW_STORAGE = 10;
