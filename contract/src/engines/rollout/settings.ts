import { z } from 'zod';

/** A task that sets something sets it anew, or puts back what was there before anything was set. */
export const settingActions = ['config', 'reset'] as const;
export const settingAction = { action: z.enum(settingActions).default('config') };
