import { Delivery } from '@mooring/contract/engines/rollout/schemas';
import { endedTasks, taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, heldBack, type Rollout } from './decide.ts';

const tally = (...rings: [number, Record<string, number>][]) => new Map(rings);
const now = new Date('2026-03-01T12:00:00Z');
const rings = [{ share: 5, openAt: 80 }, { share: 100 }];
const rollout = (more: Partial<Rollout> = {}, delivery: object = {}): Rollout => ({
  state: 'running',
  staysOpen: false,
  startAt: null,
  isStarted: false,
  expiresAt: null,
  gathered: true,
  openRing: 1,
  gate: null,
  isOther: false,
  accepted: { failed: 0, ended: 0, ringFailed: 0 },
  ringReadyAt: null,
  ringTold: false,
  delivery: Delivery.parse(delivery),
  ...more,
});

test('starts when its devices are gathered and its time has come', () => {
  expect(decide(rollout({ state: 'scheduled' }), tally(), now)).toEqual({ do: 'start' });
  expect(decide(rollout({ state: 'scheduled', gathered: false }), tally(), now)).toBeUndefined();
  expect(decide(rollout({ state: 'scheduled', startAt: new Date('2026-03-01T12:00:01Z') }), tally(), now)).toBeUndefined();
});

test('expires from every living state, before anything else', () => {
  for (const state of ['scheduled', 'running', 'paused', 'halted'])
    expect(decide(rollout({ state, expiresAt: now }), tally(), now)).toEqual({ do: 'expire' });
  expect(decide(rollout({ state: 'cancelled', expiresAt: now }), tally(), now)).toBeUndefined();
});

test('halts at the failure share, but not before enough have ended', () => {
  const delivery = { haltPercent: 20, haltAfter: 10 };
  expect(decide(rollout({}, delivery), tally([1, { '1': 50, '3': 7, '4': 2 }]), now)).toBeUndefined();
  expect(decide(rollout({}, delivery), tally([1, { '1': 50, '3': 8, '4': 2 }]), now)).toEqual({ do: 'halt', failed: 2, ended: 10 });
  expect(decide(rollout({}, delivery), tally([1, { '1': 50, '3': 9, '5': 1 }]), now)).toBeUndefined();
});

test('opens the next ring at the success share of the open one', () => {
  expect(decide(rollout({}, { rings }), tally([1, { '3': 7, '2': 3 }], [2, { '1': 90 }]), now)).toBeUndefined();
  expect(decide(rollout({}, { rings }), tally([1, { '3': 8, '2': 2 }], [2, { '1': 90 }]), now)).toEqual({ do: 'openRing', ring: 2 });
});

test('an empty ring and deleted devices hold nothing up; a ring that waits for a person does', () => {
  expect(decide(rollout({}, { rings }), tally([2, { '1': 90 }]), now)).toEqual({ do: 'openRing', ring: 2 });
  expect(decide(rollout({}, { rings }), tally([1, { '3': 4, '10': 6 }], [2, { '1': 9 }]), now)).toEqual({ do: 'openRing', ring: 2 });
  const waiting = [{ share: 5, openAt: 0, waitForPerson: true }, { share: 100 }];
  const reached = tally([1, { '3': 5 }], [2, { '1': 95 }]);
  expect(decide(rollout({}, { rings: waiting }), reached, now)).toEqual({ do: 'ringReady', ring: 1 });
  const asking = { do: 'askPerson', ring: 1, succeeded: 5, of: 5 };
  expect(decide(rollout({ ringReadyAt: now }, { rings: waiting }), reached, now)).toEqual(asking);
  expect(decide(rollout({ ringReadyAt: now, ringTold: true }, { rings: waiting }), reached, now)).toBeUndefined();
});

test('an empty ring that terminals may still join holds the later ones until a person opens them', () => {
  const open = rollout({ staysOpen: true }, { rings });
  expect(decide(open, tally(), now)).toBeUndefined();
  expect(decide(open, tally([2, { '1': 90 }]), now)).toBeUndefined();
  expect(decide(open, tally([1, { '3': 1 }], [2, { '1': 90 }]), now)).toEqual({ do: 'openRing', ring: 2 });
});

test('after its success share a ring soaks before the next one opens', () => {
  const soaking = { rings: [{ share: 5, openAt: 80, soakMinutes: 60 }, { share: 100 }] };
  const reached = tally([1, { '3': 8, '2': 2 }], [2, { '1': 90 }]);
  expect(decide(rollout({}, soaking), reached, now)).toEqual({ do: 'ringReady', ring: 1 });
  const since = (minutes: number) => rollout({ ringReadyAt: new Date(now.getTime() - minutes * 60_000) }, soaking);
  expect(decide(since(59), reached, now)).toBeUndefined();
  expect(decide(since(60), reached, now)).toEqual({ do: 'openRing', ring: 2 });
});

test('a ring that ended with too few successes asks a person once, and opens nothing', () => {
  const short = tally([1, { '3': 7, '4': 3 }], [2, { '1': 90 }]);
  expect(decide(rollout({}, { rings }), short, now)).toEqual({ do: 'askPerson', ring: 1, succeeded: 7, of: 10 });
  expect(decide(rollout({ ringTold: true }, { rings }), short, now)).toBeUndefined();
});

test('the failure share of the open ring halts, by the whole ring; what a person accepted halts no more', () => {
  const strict = { rings: [{ share: 5, haltAt: 20 }, { share: 100 }] };
  expect(decide(rollout({}, strict), tally([1, { '2': 9, '4': 1 }], [2, { '1': 90 }]), now)).toBeUndefined();
  const two = tally([1, { '2': 8, '4': 2 }], [2, { '1': 90 }]);
  expect(decide(rollout({}, strict), two, now)).toEqual({ do: 'halt', failed: 2, ended: 10 });
  expect(decide(rollout({ accepted: { failed: 2, ended: 2, ringFailed: 2 } }, strict), two, now)).toBeUndefined();
  const share = { haltPercent: 50, haltAfter: 2 };
  const half = tally([1, { '1': 5, '3': 2, '4': 2 }]);
  expect(decide(rollout({}, share), half, now)).toEqual({ do: 'halt', failed: 2, ended: 4 });
  const accepted = { failed: 2, ended: 4, ringFailed: 2 };
  expect(decide(rollout({ accepted }, share), half, now)).toBeUndefined();
  expect(decide(rollout({ accepted }, share), tally([1, { '1': 3, '3': 2, '4': 4 }]), now)).toEqual({ do: 'halt', failed: 2, ended: 2 });
});

test('whatever a fleet does, no ring opens before its share, its soak time and its person, and a halt opens none', () => {
  const ringOf = fc.record({
    openAt: fc.integer({ min: 0, max: 100 }),
    haltAt: fc.option(fc.integer({ min: 1, max: 100 })),
    soakMinutes: fc.integer({ min: 0, max: 100 }),
    waitForPerson: fc.boolean(),
  });
  const counts = fc.dictionary(fc.constantFrom('1', '2', '3', '4', '5', '6', '9', '10'), fc.integer({ min: 1, max: 50 }));
  fc.assert(
    fc.property(ringOf, counts, fc.option(fc.integer({ min: 0, max: 200 })), (ring, open, readyFor) => {
      const ringReadyAt = readyFor === null ? null : new Date(now.getTime() - readyFor * 60_000);
      const state = rollout({ ringReadyAt }, { rings: [{ ...ring, share: 5 }, { share: 100 }] });
      const decision = decide(state, tally([1, open], [2, { '1': 90 }]), now);
      const of = (codes: string[]) => codes.reduce((all, code) => all + (open[code] ?? 0), 0);
      const size = of(['1', '2', '3', '4', '5', '6']);
      if (decision?.do === 'openRing') {
        expect(ring.waitForPerson).toBe(false);
        expect(readyFor !== null || size === 0 || of(['3', '6']) * 100 >= ring.openAt * size).toBe(true);
        expect(ring.soakMinutes === 0 || (readyFor ?? -1) >= ring.soakMinutes).toBe(true);
        expect(ring.haltAt === null || of(['4', '5']) === 0 || of(['4', '5']) * 100 < ring.haltAt * size).toBe(true);
      }
    }),
  );
});

test('what more terminals may join is ended by its expiry alone', () => {
  const open = { staysOpen: true };
  expect(decide(rollout(open), tally(), now)).toBeUndefined();
  expect(decide(rollout(open), tally([1, { '3': 5 }]), now)).toBeUndefined();
  expect(decide(rollout({ ...open, expiresAt: now }), tally([1, { '3': 5 }]), now)).toEqual({ do: 'expire' });
});

test('finishes exactly when no device is open', () => {
  const codes = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...codes), fc.integer({ min: 1, max: 50 })), (counts) => {
      const open = ['1', '2', '8'].some((code) => (counts[code] ?? 0) > 0);
      expect(decide(rollout(), tally([1, counts]), now)?.do === 'finish').toBe(!open);
    }),
  );
});

test('what has begun, or waits for approval, ends in its time; what has not is only being written', () => {
  const expiresAt = new Date(now.getTime() - 1);
  const ended: readonly string[] = endedTasks;
  for (const state of Object.keys(taskMachine.states)) {
    expect(decide(rollout({ state, isStarted: true, expiresAt }), tally(), now)).toEqual(
      ended.includes(state) ? undefined : { do: 'expire' },
    );
    if (heldBack.includes(state))
      expect(decide(rollout({ state, expiresAt }), tally(), now)).toEqual(state === 'auditing' ? { do: 'expire' } : undefined);
  }
});
