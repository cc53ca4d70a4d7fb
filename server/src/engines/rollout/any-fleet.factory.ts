import { Delivery } from '@mooring/contract/engines/rollout/schemas';
import fc from 'fast-check';

/** Half and quarter hours, and a whole day between the first and the last. */
export const zones = ['Pacific/Apia', 'Asia/Kathmandu', 'Europe/Berlin', 'America/New_York', 'Pacific/Honolulu'] as const;

export const personActs = ['pause', 'recover', 'cancel', 'openRing', 'retry', 'start'] as const;
export const fleetActs = ['disable', 'enable', 'delete', 'move', 'swap'] as const;

/** Given terminals, or those of some of its merchants. */
const targets: readonly (readonly number[])[] = [[], [], [0], [1], [0, 1]];

/** What may happen to a fleet while releases go out; `at` picks among what is there. */
export type Step =
  | { readonly do: 'pass'; readonly minutes: number }
  | { readonly do: 'contact'; readonly at: number; readonly there: boolean }
  /** Some of them, by bits: those that go on with what they have, that end it, and that fail. */
  | { readonly do: 'work'; readonly who: number; readonly end: number; readonly fail: number }
  | { readonly do: 'waits'; readonly at: number }
  | { readonly do: 'again'; readonly at: number; readonly outcome: 'success' | 'failure' }
  | { readonly do: 'person'; readonly act: (typeof personActs)[number]; readonly at: number }
  | { readonly do: 'fleet'; readonly act: (typeof fleetActs)[number]; readonly at: number }
  /** Blackout dates are added, so many days from then; or one of those that are there goes. */
  | { readonly do: 'blackout'; readonly from: number; readonly days: number; readonly below: boolean }
  | { readonly do: 'opened'; readonly at: number }
  /** A terminal goes to a merchant, the first or the second, or to none. */
  | { readonly do: 'assign'; readonly at: number; readonly to: number }
  | { readonly do: 'release' };

export interface Planned {
  readonly zones: readonly string[];
  /** Each with its targets, its window's blackout dates, and its expiry, as days from when it is made. */
  readonly releases: readonly {
    readonly delivery: object;
    readonly closed: readonly number[];
    readonly days: number | null;
    readonly whom: readonly number[];
  }[];
  readonly steps: readonly Step[];
}

const at = fc.noBias(fc.nat(20));
/** What stops a release is rarer than what has it go on: otherwise little ever goes out. */
const often = fc.constantFrom<(typeof personActs)[number]>(
  ...personActs,
  'pause',
  'recover',
  'recover',
  'recover',
  'openRing',
  'retry',
  'retry',
);
const bits = fc.noBias(fc.nat(255));
const most = fc.oneof(fc.constant(255), bits);
const outcome = fc.constantFrom('success' as const, 'failure' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('work' as const), who: most, end: most, fail: fc.oneof(fc.constant(0), bits) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(0.05, 0.05, 1, 1, 4, 20, 20, 100, 240, 600, 1500) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('waits' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), at, outcome }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('contact' as const), at, there: fc.constantFrom(true, true, false) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('person' as const), act: often, at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fleet' as const), act: fc.constantFrom(...fleetActs, 'enable'), at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('blackout' as const),
      from: fc.nat(2),
      days: fc.integer({ min: 1, max: 3 }),
      below: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('opened' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('assign' as const), at, to: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'release' as const }) },
);

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
const window = fc
  .record({ days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }), from: fc.nat(23), hours: fc.integer({ min: 4, max: 22 }) })
  .map(({ days, from, hours }) => ({ days, from: clock(from), to: clock((from + hours) % 24) }));
const rings = fc.constantFrom<object[]>(
  [{}],
  [{ share: 30, openAt: 50 }, {}],
  [{ share: 30, openAt: 80, haltAt: 40 }, {}],
  [{ share: 20, openAt: 0, soakMinutes: 30 }, { share: 60, waitForPerson: true }, {}],
);
const release = fc.record({
  delivery: fc.record({
    window: fc.option(window, { freq: 2 }),
    pacePerMinute: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 }),
    paceAtOnce: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 }),
    retries: fc.nat(2),
    retryWaitSeconds: fc.constantFrom(1, 60, 900),
    timeoutMinutes: fc.constantFrom(5, 30, 120, 480),
    waitingDays: fc.constantFrom(1, 7),
    haltPercent: fc.option(fc.integer({ min: 10, max: 80 })),
    haltAfter: fc.integer({ min: 1, max: 4 }),
    onBusy: fc.constantFrom('wait', 'replace'),
    laterMembers: fc.boolean(),
    rings,
  }),
  closed: fc.subarray([0, 1, 2, 3, 4]),
  days: fc.option(fc.integer({ min: 1, max: 20 })),
  whom: fc.constantFrom(...targets),
});

export const planned: fc.Arbitrary<Planned> = fc.record({
  zones: fc.array(fc.constantFrom(...zones), { minLength: 2, maxLength: 7, size: 'max' }),
  releases: fc.array(release, { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }),
});

const DAY = 86_400_000;
export const dayFrom = (now: Date, days: number) => new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);

/** A release of the plan as it is set when it is made. */
export function deliveryOf({ delivery, closed, days }: Planned['releases'][number], now: Date): Delivery {
  const { window: hours, ...more } = delivery as { window: object | null };
  return Delivery.parse({
    ...more,
    window: hours && { ...hours, blackout: closed.map((one) => dayFrom(now, one)) },
    expiresAt: days === null ? null : new Date(now.getTime() + days * DAY).toISOString(),
  });
}
