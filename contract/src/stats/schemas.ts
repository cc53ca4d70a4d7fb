import { z } from 'zod';
import { Alarm } from '../alert/alarm.ts';
import type { Attention } from '../device/attention.ts';
import { DeviceStatus } from '../device/schemas.ts';
import { Day, Id, Moment, ref } from '../kit/schema.ts';

/** What the page shows of an installation that has only begun: how far it has come. */
export const Overview = z.object({
  has: z.object({ product: z.boolean(), device: z.boolean(), firmware: z.boolean(), release: z.boolean() }),
});
export type Overview = z.infer<typeof Overview>;

/** Of which organisation, with all below it, and of which product; of all where they are left out. */
export const ofWhere = { deptId: ref('dept').optional(), productId: Id.optional() };
/** The last day, week or month. */
export const Span = z.enum(['1', '7', '30']);
export type Span = z.infer<typeof Span>;

export const Fleet = z.object({
  total: z.int(),
  byStatus: z.partialRecord(DeviceStatus, z.int()),
  attention: z.object({ silent: z.int(), battery: z.int(), storage: z.int() } satisfies Record<Attention, z.ZodType>),
  /** Some of them haven't been looked at yet, since they are new: there may be more of those. */
  looking: z.boolean(),
  /** Below the newest published full package of their product. */
  behind: z.int(),
});
export type Fleet = z.infer<typeof Fleet>;

/** `before` is what it was the same time earlier; null where nobody counted. */
export const OnlineCurve = z.object({
  now: z.int(),
  points: z.array(z.object({ at: Moment, online: z.number().nullable(), before: z.number().nullable() })),
  average: z.number().nullable(),
  averageBefore: z.number().nullable(),
});
export type OnlineCurve = z.infer<typeof OnlineCurve>;

export const RunningRelease = z.object({
  taskId: Id,
  kind: z.string(),
  name: z.string(),
  state: z.enum(['running', 'paused', 'halted']),
  productName: z.string(),
  version: z.string(),
  total: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  /** Of all, those that need nothing more. */
  settled: z.int(),
  /** Settled in the last hour. */
  perHour: z.int(),
  /** What had succeeded and failed by then. */
  curve: z.array(z.object({ at: Moment, succeeded: z.int(), failed: z.int() })),
});
export const RunningReleases = z.object({
  /** How many there are; the newest of them are listed. */
  total: z.int(),
  list: z.array(RunningRelease),
  /** Of the newest that ended, those that failed on terminals. */
  failing: z.array(z.object({ taskId: Id, kind: z.string(), name: z.string(), failed: z.int() })),
});
export type RunningReleases = z.infer<typeof RunningReleases>;

export const Failures = z.object({
  total: z.int(),
  /** In the same time before. */
  before: z.int(),
  succeeded: z.int(),
  reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
});
export type Failures = z.infer<typeof Failures>;

export const Versions = z.object({
  behind: z.int(),
  products: z.array(
    z.object({
      productId: Id,
      productName: z.string(),
      newest: z.string().nullable(),
      behind: z.int(),
      total: z.int(),
      versions: z.array(z.object({ version: z.string(), count: z.int(), behind: z.boolean() })),
      /** Terminals whose version isn't among those. */
      others: z.int(),
    }),
  ),
});
export type Versions = z.infer<typeof Versions>;

export const measures = ['activated', 'online', 'results', 'bytes'] as const;
/** A day, or the 1st of a month. */
export const TrendAsked = z.strictObject({
  measure: z.enum(measures),
  /** Specification, section 3: 1 daily, otherwise monthly. */
  tendencyType: z.string().max(8).default('1'),
  summaryDate: z.strictObject({ greaterThanOrEqual: Day.optional(), lessThanOrEqual: Day.optional() }).default({}),
  ...ofWhere,
});
export const Trend = z.object({
  entries: z.array(z.object({ summaryDate: z.string(), totalCnt: z.number(), failedCnt: z.number() })),
  totalSummary: z.object({ cnt: z.number(), failedCnt: z.number() }),
  max: z.object({ summaryDate: z.string(), cnt: z.number() }).nullable(),
});
export type Trend = z.infer<typeof Trend>;

export const WallView = z.object({
  deptName: z.string(),
  at: Moment,
  fleet: Fleet,
  day: OnlineCurve,
  month: OnlineCurve,
  releases: RunningReleases,
  failures: Failures,
  versions: Versions,
  /** Null where whoever shows the wall may not read alarms. */
  alarms: z
    .object({
      open: z.int(),
      acknowledged: z.int(),
      capped: z.boolean(),
      newest: z.array(Alarm.row.pick({ id: true, label: true, kind: true, about: true, openedAt: true, state: true, priority: true })),
    })
    .nullable(),
});
export type WallView = z.infer<typeof WallView>;
