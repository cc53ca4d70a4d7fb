import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Day, Id } from '../kit/schema.ts';
import { ofWhere } from './schemas.ts';

const can = 'stats:compliance:page';

/** Which firmware terminals run, and whether it is the one that is approved for them: the newest published full package of their product. */
export const Compliance = z.object({
  total: z.int(),
  behind: z.int(),
  /** Terminals of products that something is approved for: the others are neither behind nor up to date. */
  judged: z.int(),
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

/** An organisation with all below it; the one that was asked for with what it holds itself. */
export const DeptCompliance = z.object({ id: Id, name: z.string(), self: z.boolean(), total: z.int(), behind: z.int(), judged: z.int() });
export type DeptCompliance = z.infer<typeof DeptCompliance>;

const deptFilters = { text: filter.text(), parentId: Id, productId: Id };

/** The last month, quarter or year. */
export const HistorySpan = z.enum(['30', '90', '365']);
export type HistorySpan = z.infer<typeof HistorySpan>;
/** How many terminals ran what at the end of each day (UTC); from the first day of which something is known. */
export const VersionHistory = z.object({
  days: z.array(Day),
  series: z.array(z.object({ productName: z.string(), version: z.string(), counts: z.array(z.int()) })),
  /** Terminals on versions that aren't listed. */
  others: z.array(z.int()),
});
export type VersionHistory = z.infer<typeof VersionHistory>;

export const complianceCalls = calls('stats', '/statistic/compliance', {
  versions: call({
    can,
    reads: true,
    input: z.strictObject(ofWhere).prefault({}),
    output: Compliance,
    about: 'Firmware versions in use, those behind first, the most used first.',
  }),
  export: exporting(can, z.strictObject(ofWhere)),
  history: call({
    can,
    reads: true,
    input: z.strictObject({ ...ofWhere, days: HistorySpan.default('90') }).prefault({}),
    output: VersionHistory,
    about: 'Firmware versions in use day by day, the most used first.',
  }),
  depts: call({
    can,
    reads: true,
    input: pageQuery(deptFilters, ['name']),
    output: pageOf(DeptCompliance),
    about:
      'The organisations directly below one, or below the scope, each with the terminals of all that lies below it; and that one, where it holds terminals itself, with those alone.',
  }),
  exportDepts: exporting(can, criteriaOf(deptFilters)),
});
