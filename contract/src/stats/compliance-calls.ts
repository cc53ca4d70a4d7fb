import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id } from '../kit/schema.ts';
import { ofWhere } from './schemas.ts';

const can = 'stats:compliance:page';

/** Which firmware terminals run, and whether it is the one that is approved for them: the newest published full package of their product. */
export const Compliance = z.object({
  total: z.int(),
  behind: z.int(),
  rows: z.array(
    z.object({
      productId: Id,
      productName: z.string(),
      version: z.string(),
      count: z.int(),
      /** Of the terminals of its product. */
      share: z.number(),
      behind: z.boolean(),
      /** What they should run, and the package that brings it; none where nothing is published for the product. */
      approved: z.string().nullable(),
      packageId: Id.nullable(),
    }),
  ),
  /** More versions are in use than are listed. */
  more: z.int(),
});
export type Compliance = z.infer<typeof Compliance>;

/** An organisation with all below it. */
export const DeptCompliance = z.object({ id: Id, name: z.string(), total: z.int(), behind: z.int() });
export type DeptCompliance = z.infer<typeof DeptCompliance>;

export const complianceCalls = calls('stats', '/statistic/compliance', {
  versions: call({
    can,
    reads: true,
    input: z.strictObject(ofWhere).prefault({}),
    output: Compliance,
    about: 'Firmware versions in use, those behind first, the most used first.',
  }),
  depts: call({
    can,
    reads: true,
    input: pageQuery({ text: filter.text(), parentId: Id, productId: Id }, ['name']),
    output: pageOf(DeptCompliance),
    about: 'The organisations directly below one, or below the scope, each with the terminals of all that lies below it.',
  }),
});
