import { Delivery } from '@mooring/contract/engines/rollout/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, type Rollout } from './decide.ts';

const tally = (...rings: [number, Record<string, number>][]) => new Map(rings);
const now = new Date('2026-03-01T12:00:00Z');
const rings = [
  { share: 5, openAt: 80, waitForPerson: false },
  { share: 95, openAt: 90, waitForPerson: false },
];
const rollout = (more: Partial<Rollout> = {}, delivery: object = {}): Rollout => ({
  state: 'running',
  startAt: null,
  expiresAt: null,
  gathered: true,
  openRing: 1,
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
  const waiting = [
    { share: 5, openAt: 0, waitForPerson: true },
    { share: 95, openAt: 90, waitForPerson: false },
  ];
  expect(decide(rollout({}, { rings: waiting }), tally([1, { '3': 5 }], [2, { '1': 95 }]), now)).toBeUndefined();
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
