import { z } from 'zod';

/** What the person may do with a row next: its machine allows it and the person holds the permission. `offers` is its name of 0.1 and goes with 0.3. */
const both = <T extends z.ZodType>(list: T) => ({ allowedActions: list, offers: list });

export const allowedActions = both(z.array(z.string()));
export const allowedActionsOf = <const A extends string>(names: readonly A[]) => both(z.array(z.enum(names)));
