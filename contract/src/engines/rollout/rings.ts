import { z } from 'zod';
import { Moment, ref } from '../../kit/schema.ts';

/**
 * A part of a task's terminals that goes out before the rest (design 2, "Release safety"). A terminal belongs to the first ring that names
 * it; of those that none names a stable hash of the SN picks, and `share` says up to which percentage of them, as an exact count of those
 * that are there when the release begins.
 */
export const Ring = z.strictObject({
  share: z.int().min(1).max(100).default(100),
  deptIds: z.array(ref('dept')).min(1).max(50).optional(),
  tags: z.array(z.string().max(32)).min(1).max(20).optional(),
  groupIds: z.array(ref('deviceGroup')).min(1).max(50).optional(),
  /** In whichever of their shops. */
  merchantIds: z.array(ref('merchant')).min(1).max(50).optional(),
  sns: z.array(z.string().trim().toUpperCase().min(4).max(32)).min(1).max(5000).optional(),
  /** The next ring opens once so many percent of this one succeeded, and the soak time is over. */
  openAt: z.int().min(0).max(100).default(90),
  /** The task halts once so many percent of this ring failed. */
  haltAt: z.int().min(1).max(100).nullable().optional(),
  soakMinutes: z.int().min(0).max(43_200).optional(),
  waitForPerson: z.boolean().default(false),
});
export type Ring = z.output<typeof Ring>;

/** It names its terminals; others take a share. */
export const namesTerminals = (ring: Pick<Ring, (typeof naming)[number]>): boolean => naming.some((list) => ring[list] !== undefined);
const naming = ['deptIds', 'groupIds', 'merchantIds', 'tags', 'sns'] as const;

const isGrowing = (shares: readonly number[]) => shares.every((share, at) => at === 0 || share > (shares[at - 1] ?? 0));

export const MAX_RINGS = 10;

/** The last one takes all the rest. */
export const Rings = z
  .array(Ring)
  .min(1)
  .max(MAX_RINGS)
  .refine((rings) => rings.slice(-1).every((last) => !namesTerminals(last) && last.share === 100), { message: 'invalid.lastRing' })
  .refine((rings) => isGrowing(rings.filter((ring) => !namesTerminals(ring)).map((ring) => ring.share)), { message: 'invalid.ringShares' });

/** What a ring stands at. `empty`: nobody is in it, so it proves nothing. `short`: all of it ended and too few succeeded; like `asking` it waits for a person. `approval`: it has all that its rules ask for, and the next one hasn't been agreed to. `done`: the last one has ended. */
export const ringStates = ['later', 'empty', 'open', 'soaking', 'asking', 'short', 'approval', 'passed', 'done'] as const;
export type RingState = (typeof ringStates)[number];

export const RingStanding = z.object({
  no: z.int(),
  state: z.enum(ringStates),
  tally: z.record(z.string(), z.int()),
  total: z.int(),
  openedAt: Moment.nullable(),
  /** Nobody: the ring before it reached its share. */
  openedBy: z.string().nullable(),
  /** When its soak time ends. */
  soakedAt: Moment.nullable(),
});
