import { z } from 'zod';
import { call, calls } from '../kit/call.ts';

export const DeptBrief = z.object({ id: z.int(), name: z.string(), kind: z.string(), path: z.string(), parentId: z.int().nullable() });
export type DeptBrief = z.infer<typeof DeptBrief>;

export const deptCalls = calls('org', '/sys/dept', {
  /** The organisations that a person may act for on the manager platform: their own and the managed ones. */
  managed: call({ can: 'session', reads: true, output: z.array(DeptBrief) }),
  /** Departments in scope whose name matches, for pickers; at most 50, sorted by path. */
  search: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ text: z.string().max(64).default(''), ids: z.array(z.int()).max(100).optional() }),
    output: z.array(DeptBrief),
  }),
});
