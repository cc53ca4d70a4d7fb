import { expect, test } from 'vitest';
import { inUnit, toMinutes, unitOf } from './span.ts';

test.each([
  [10_080, 'day', 7],
  [720, 'hour', 12],
  [1440, 'day', 1],
  [15, 'minute', 15],
  [90, 'minute', 90],
  [0, 'minute', 0],
] as const)('%d minutes are read in a %s', (minutes, unit, count) => {
  expect(unitOf(minutes)).toBe(unit);
  expect(inUnit(minutes, unit)).toBe(count);
  expect(toMinutes(count, unit)).toBe(minutes);
});

test('half an hour is thirty minutes, and what is no number stays', () => {
  expect([toMinutes(0.5, 'hour'), toMinutes(1.1, 'day'), toMinutes('x', 'day'), toMinutes(undefined, 'day'), inUnit('x', 'day')]).toEqual([
    30,
    1584,
    'x',
    undefined,
    'x',
  ]);
  expect([unitOf('x'), unitOf(undefined)]).toEqual(['minute', 'minute']);
});
