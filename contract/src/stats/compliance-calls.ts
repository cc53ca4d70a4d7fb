import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Day, Id } from '../kit/schema.ts';
import { ofWhere } from './schemas.ts';

const can = 'stats:compliance:page';

/** What terminals have versions of. */
export const versionKinds = ['firmware', 'module', 'patch', 'app'] as const;
export const VersionKind = z.enum(versionKinds);
export type VersionKind = z.infer<typeof VersionKind>;
const ofKind = { kind: VersionKind.default('firmware') };
const ofVersions = z.strictObject({ ...ofWhere, ...ofKind });

/**
 * Which versions terminals run, and whether they are the ones approved for them: the newest published full package of their product, of its modules each by itself; of an app the newest
 * version in the catalogue that the organisation may release. Apps that come with the system aren't counted.
 */
export const Compliance = z.object({
  /** Terminals; of modules and apps, how often they are there. */
  total: z.int(),
  behind: z.int(),
  /** Terminals of products that something is approved for: the others are neither behind nor up to date. */
  judged: z.int(),
  rows: z.array(
    z.object({
      productId: Id,
      productName: z.string(),
      /** Of modules their name, of apps the package name; else empty. */
      part: z.string(),
      /** As people call it: of an app that is in the catalogue, its name. */
      partName: z.string(),
      version: z.string(),
      /** As releases tell it from others: of an app its version code. */
      runs: z.string(),
      count: z.int(),
      /** Of the terminals of its product, or of those of them that have the part. */
      share: z.number(),
      behind: z.boolean(),
      /** What they should run, and the package that brings it, or the version of the app; none where nothing is published for the product. */
      approved: z.string().nullable(),
      packageId: Id.nullable(),
      appVersionId: Id.nullable(),
    }),
  ),
  /** More versions are in use than are listed. */
  more: z.int(),
});
export type Compliance = z.infer<typeof Compliance>;

/** An organisation with all below it; the one that was asked for with what it holds itself. */
export const DeptCompliance = z.object({ id: Id, name: z.string(), self: z.boolean(), total: z.int(), behind: z.int(), judged: z.int() });
export type DeptCompliance = z.infer<typeof DeptCompliance>;

const deptFilters = { text: filter.text(), parentId: Id, productId: Id, kind: VersionKind };

/** The last month, quarter or year. */
export const HistorySpan = z.enum(['30', '90', '365']);
export type HistorySpan = z.infer<typeof HistorySpan>;
/** How many terminals ran what at the end of each day (UTC); from the first day of which something is known. */
export const VersionHistory = z.object({
  days: z.array(Day),
  series: z.array(z.object({ productName: z.string(), partName: z.string(), version: z.string(), counts: z.array(z.int()) })),
  /** Terminals on versions that aren't listed. */
  others: z.array(z.int()),
});
export type VersionHistory = z.infer<typeof VersionHistory>;

export const complianceCalls = calls('stats', '/statistic/compliance', {
  versions: call({
    can,
    reads: true,
    input: ofVersions.prefault({}),
    output: Compliance,
    about: 'Versions in use, those behind first, the most used first: of firmware, or of modules, patches or apps.',
  }),
  export: exporting(can, ofVersions),
  history: call({
    can,
    reads: true,
    input: ofVersions.extend({ days: HistorySpan.default('90') }).prefault({}),
    output: VersionHistory,
    about: 'Versions in use day by day, the most used first.',
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
