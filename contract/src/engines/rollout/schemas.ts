import { z } from 'zod';
import { Window } from '../../device/messages.ts';
import { allowedActions } from '../../kit/allowed-actions.ts';
import { filter } from '../../kit/page.ts';
import { Day, documented, Id, Moment, Name, Remark, ref, revision } from '../../kit/schema.ts';
import { stateOf } from '../../kit/state-machine.ts';
import { MAX_RINGS, Rings } from './rings.ts';
import { resultMachine, taskMachine } from './state-machines.ts';

/** Release scope of specification section 4. */
export const releaseScopes = { all: '0', partial: '1', given: '2' } as const;

/** Terminals that a release names one by one, at most. */
export const MOST_SNS = 20_000;

/** So many different things that terminals had before go back by one release. */
const MOST_HAD = 3;

/** Which devices: all of the product, those of organisations, merchants or a filter, or given SNs. */
export const TaskScope = z
  .discriminatedUnion('releaseScope', [
    z.strictObject({ releaseScope: z.literal('0') }),
    z.strictObject({
      releaseScope: z.literal('1'),
      deptIds: z.array(ref('dept')).max(200).default([]),
      /** In any of these groups. Left out where there are none: by what it is agreed to, an older release stays what it was. */
      groupIds: z.array(ref('deviceGroup')).min(1).max(50).optional(),
      /** Of any of these merchants, in whichever of its shops. Left out where there are none, as groups are. */
      merchantIds: z.array(ref('merchant')).min(1).max(50).optional(),
      /** Versions, of what the task sends, that terminals have now. */
      firmware: z.array(z.string().max(64)).max(50).default([]),
      tags: z.array(z.string().max(32)).max(20).default([]),
      /** Those that a release has updated, or one of its rings. */
      updatedBy: z
        .strictObject({
          taskId: ref('task'),
          ring: z.int().min(1).max(MAX_RINGS).nullable().default(null),
          /** Of those the ones that still have what it brought, and had one of these before it; null is nothing. */
          had: z.array(z.string().max(64).nullable()).min(1).max(MOST_HAD).optional(),
          /** Of those this terminal alone. */
          sn: z.string().trim().toUpperCase().min(4).max(32).optional(),
        })
        .nullable()
        .default(null),
    }),
    z.strictObject({ releaseScope: z.literal('2'), sns: z.array(z.string().trim().toUpperCase().min(4).max(32)).min(1).max(MOST_SNS) }),
  ])
  .register(documented, { id: 'Targets' });
export type TaskScope = z.output<typeof TaskScope>;
/** A filter without a condition isn't one. */
export const narrowsNothing = (scope: TaskScope): boolean =>
  scope.releaseScope === '1' &&
  scope.deptIds.length + scope.firmware.length + scope.tags.length === 0 &&
  scope.groupIds === undefined &&
  scope.merchantIds === undefined &&
  scope.updatedBy === null;

/** Section 4: daily for terminals in the field; preset waits for those that aren't active yet, and reaches each at its first contact. */
export const taskClasses = { preset: '0', daily: '1' } as const;
export type TaskClass = (typeof taskClasses)[keyof typeof taskClasses];

/** A task that names no day for its end has one nevertheless. */
export const EXPIRY_DAYS: Readonly<Record<TaskClass, number>> = { '0': 365, '1': 30 };

/** How a task goes out; the same for every kind. */
export const Delivery = z
  .strictObject({
    startAt: z.iso.datetime().nullable().default(null),
    expiresAt: z.iso.datetime().nullable().default(null),
    window: Window.strict()
      .refine((it) => it.from !== it.to, { path: ['to'], error: 'invalid.windowEmpty' })
      .nullable()
      .default(null),
    download: z.enum(['now', 'window']).default('now'),
    install: z.enum(['silent', 'ask', 'restart']).default('silent'),
    network: z.enum(['any', 'wifi']).default('any'),
    pacePerMinute: z.int().min(1).max(1_000_000).nullable().default(null),
    paceAtOnce: z.int().min(1).max(1_000_000).nullable().default(null),
    jitterSeconds: z.int().min(0).max(86_400).default(0),
    retries: z.int().min(0).max(10).default(2),
    retryWaitSeconds: z.int().min(1).max(86_400).default(60),
    timeoutMinutes: z.int().min(1).max(43_200).default(120),
    /** How long a terminal may wait for a network, a restart or its user. For its window it may wait until that has been open. */
    waitingDays: z.int().min(1).max(90).default(7),
    haltPercent: z.int().min(1).max(100).nullable().default(null),
    haltAfter: z.int().min(1).max(100_000).default(10),
    onBusy: z.enum(['wait', 'replace']).default('wait'),
    /** Terminals that come to fit its targets while it runs are taken in; it then ends by its expiry or by hand. */
    laterMembers: z.boolean().default(false),
    allowDowngrade: z.boolean().default(false),
    rings: Rings.prefault([{}]),
  })
  .register(documented, { id: 'Delivery' });
export type Delivery = z.output<typeof Delivery>;

/** Device results by state code, kept by the writers. */
export const Tally = z.record(z.string(), z.int());

export const TaskHead = z.object({
  id: Id,
  ...revision,
  name: Name,
  kind: z.string(),
  taskClass: z.enum(['0', '1']),
  state: stateOf(taskMachine),
  releaseScope: z.enum(['0', '1', '2']),
  /** Null: for terminals of any product. */
  productId: Id.nullable(),
  deptId: Id,
  deptName: z.string(),
  createdBy: z.string(),
  createdAt: Moment,
  startAt: Moment.nullable(),
  startedAt: Moment.nullable(),
  endedAt: Moment.nullable(),
  expiresAt: Moment.nullable(),
  haltReason: z.string().nullable(),
  total: z.int(),
  tally: Tally,
  remark: z.string(),
  ...allowedActions,
});
export const TaskFilters = {
  name: filter.text(),
  state: filter.exact(stateOf(taskMachine)),
  productId: filter.exact(Id),
  packageId: filter.exact(Id),
  deptId: filter.exact(Id),
  createdBy: filter.text(),
  createdAt: filter.moment(),
};
export { Remark };

export const Attempt = z.object({
  no: z.int(),
  sentAt: Moment,
  endedAt: Moment.nullable(),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  sha256: z.string().nullable(),
  /** What was to be downloaded, in bytes, and of a difference what the full package would have been. */
  size: z.number().nullable(),
  fullSize: z.number().nullable(),
  late: z.boolean(),
});

/** One device of a task. `why` says in one key why it isn't updated yet, or what it ended with. */
export const TaskResult = z
  .object({
    id: Id,
    taskId: Id,
    deviceId: Id,
    sn: z.string(),
    deviceName: z.string(),
    deptName: z.string(),
    state: stateOf(resultMachine),
    online: z.boolean(),
    ring: z.int(),
    fromVersion: z.string().nullable(),
    version: z.string().nullable(),
    /** Succeeded, and changed on the terminal since. */
    differs: z.boolean(),
    phase: z.string().nullable(),
    percent: z.number().nullable(),
    reason: z.string().nullable(),
    message: z.string().nullable(),
    attempts: z.int(),
    sentAt: Moment.nullable(),
    endedAt: Moment.nullable(),
    why: z.object({ key: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }),
    ...allowedActions,
  })
  .register(documented, { id: 'ReleaseResult' });

/** Why a terminal that is asked for won't be updated, as far as that is certain before anything is sent. */
export const refusals = [
  'newer',
  'same',
  'otherProduct',
  'noPart',
  'notSupported',
  'noPackage',
  'active',
  'disabled',
  'appBlocked',
  'appOver',
  'appPinned',
] as const;
export type Refusal = (typeof refusals)[number];
/** Why a release doesn't ask for a terminal at all. */
export const unasked = ['product', 'reach', 'sns', 'depts', 'groups', 'merchants', 'firmware', 'tags', 'updatedBy'] as const;
export type Unasked = (typeof unasked)[number];

/** When terminals of a release may install next, by their own clocks: in its window, without the blackout dates of their organisations. */
export const Openings = z
  .object({
    /** Those that may at once. */
    now: z.int(),
    /** Those that may on no day before it ends. */
    never: z.int(),
    /** The time of day at which they may. */
    from: z.string(),
    /** The others by the day from which they may, the earliest first, with the organisations of most of them. */
    days: z.array(z.object({ day: Day, count: z.int(), depts: z.array(z.string()), moreDepts: z.int() })),
  })
  .register(documented, { id: 'Openings' });
export type Openings = z.output<typeof Openings>;

/** What a release would do, before it does it. */
export const TaskPreview = z
  .object({
    /** Terminals that it will be sent to. */
    matched: z.int(),
    /** Those that are asked for and won't be updated for certain, by reason, with the first few of them. */
    refused: z.array(z.object({ reason: z.enum(refusals), count: z.int(), sns: z.array(z.string()) })),
    /** Of the first `looked` that it will be sent to, those that lack what nothing can be sent without, with the first few and what that is. */
    lacking: z.object({ count: z.int(), looked: z.int(), terminals: z.array(z.object({ sn: z.string(), fields: z.string() })) }),
    /** When those that it will be sent to may install; of a first-contact release nobody knows. */
    openings: Openings.nullable(),
    /** Given serial numbers that are no terminal in reach. */
    unknownSns: z.array(z.string()),
    /** Serial numbers that a ring names and the release doesn't reach. */
    strayRingSns: z.array(z.string()),
    byVersion: z.array(
      z.object({
        version: z.string().nullable(),
        count: z.int(),
        gets: z.enum(['full', 'diff', 'same', 'settings', 'params']),
        bytes: z.number(),
        /** A delta package from this version is verified, and not in use. */
        idle: z.boolean(),
      }),
    ),
    busy: z.int(),
    online: z.int(),
    bytes: z.number(),
    minutes: z.number().nullable(),
    /** Matched terminals by ring; one that nobody is in would be passed at once. */
    rings: z.array(z.int()),
    /** It goes out only after approval, in stages. */
    approval: z.boolean(),
  })
  .register(documented, { id: 'ReleasePreview' });

/** Where a release that is approved in stages stands, and where that is shown. */
export const ApprovalStanding = z.object({ step: z.string(), screen: z.string() });

/** Why terminals can't be brought back to what they had before; `refused` as a release of it would be, by `fault`. */
export const noWaysBack = ['noPackage', 'notPublished', 'noRecord', 'noRemoval', 'otherCertificate', 'many', 'refused'] as const;
export type NoWayBack = (typeof noWaysBack)[number];

/**
 * What updated devices had before, the most frequent first; null is nothing, and with `noRecord` what nobody knows. With what a release takes to have
 * it again: the published full package of that version, or content, for those of `had`; or why there is no way.
 */
export const Previous = z.array(
  z.object({
    version: z.string().nullable(),
    had: z.array(z.string().nullable()),
    count: z.int(),
    packageId: Id.nullable(),
    content: z.record(z.string(), z.json()).nullable(),
    cant: z.enum(noWaysBack).nullable(),
    fault: z.object({ key: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
  }),
);

/** The release of the same to the same product that began before this one. */
export const ReleaseBefore = z.object({ id: Id, name: z.string(), startedAt: Moment, total: z.int() }).nullable();

/** Results ended by minute, for the curve. */
export const Curve = z.array(z.object({ at: Moment, state: z.string(), count: z.int() }));
export const Reasons = z.array(z.object({ reason: z.string(), count: z.int() }));
