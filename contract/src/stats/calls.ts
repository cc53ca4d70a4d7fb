import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Id } from '../kit/schema.ts';

/** What the welcome page shows of the scope: counters that the writers keep, and how far an empty installation has come. */
export const Overview = z.object({
  total: z.int(),
  online: z.int(),
  offline: z.int(),
  inactive: z.int(),
  disabled: z.int(),
  inStock: z.int(),
  runningTasks: z.int(),
  /** Of the newest releases, those that failed on terminals; none for whoever may not see releases. */
  failing: z.array(z.object({ taskId: Id, name: z.string(), failed: z.int() })),
  has: z.object({ product: z.boolean(), device: z.boolean(), firmware: z.boolean(), release: z.boolean() }),
});
export type Overview = z.infer<typeof Overview>;

export const homeCalls = calls('stats', '/home', {
  overview: call({ can: 'home:welcome:page', reads: true, output: Overview }),
});
