import fc from 'fast-check';
import { expect, test } from 'vitest';
import { next, type Stand, sideOf } from './stand.ts';

const NOON = new Date('2026-06-01T12:00:00Z');
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const patience = { margin: 100, fixes: 3, settleMinutes: 10 };
const inside: Stand = { state: 'inside', since: NOON, other: 0, otherSince: null };

test('a position says something only where it is sure beyond the margin', () => {
  expect([-5, 0, 1, 100, 125, 126].map((metres) => sideOf(metres, 25, 100))).toEqual([
    'inside',
    'inside',
    undefined,
    undefined,
    undefined,
    'outside',
  ]);
  // So vague a word says that it is within only where that is deep enough.
  expect([-1000, -901, -899, 1100, 1101].map((metres) => sideOf(metres, 1000, 100))).toEqual([
    'inside',
    'inside',
    undefined,
    undefined,
    'outside',
  ]);
});

test('three words in a row count, two and one back do not, and ten minutes of the same are enough', () => {
  const one = next(inside, 'outside', at(1), patience);
  const two = next(one, 'outside', at(2), patience);
  expect(two).toEqual({ ...inside, other: 2, otherSince: at(1) });
  expect(next(two, undefined, at(3), patience)).toBe(two);
  expect(next(two, 'inside', at(3), patience)).toEqual(inside);
  expect(next(two, 'outside', at(3), patience)).toEqual({ state: 'outside', since: at(1), other: 0, otherSince: null });
  expect(next(one, 'outside', at(11), patience)).toEqual({ state: 'outside', since: at(1), other: 0, otherSince: null });
  expect(next(inside, 'inside', at(5), patience)).toBe(inside);
});

test('who walks about the line with a shaking position changes sides no oftener than they really cross the band', () => {
  const step = fc.record({ by: fc.integer({ min: -120, max: 120 }), noise: fc.double({ min: -1, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 10, max: 300 }),
      fc.integer({ min: 1, max: 4 }),
      (steps, accuracy, margin, fixes) => {
        let [metres, changes, crossings] = [-500, 0, 0];
        let stand: Stand | undefined;
        let really = 'inside';
        for (const [index, { by, noise }] of steps.entries()) {
          metres = Math.max(-1500, Math.min(1500, metres + by));
          // Really outside is who is beyond the margin, really back who is within it again.
          const now = metres > margin ? 'outside' : 'inside';
          if (now !== really) crossings += 1;
          really = now;
          const after = next(stand, sideOf(metres + noise * accuracy, accuracy, margin), at(index), { margin, fixes, settleMinutes: 1000 });
          if (stand && after && after.state !== stand.state) changes += 1;
          stand = after;
        }
        expect(changes).toBeLessThanOrEqual(crossings);
      },
    ),
  );
});
