import { expect, test } from 'vitest';
import { leaseWheel } from './lease-wheel.ts';

const at = (ms: number) => new Date(1_000_000_000_000 + ms);

test('a lease that ends is told once', () => {
  const wheel = leaseWheel();
  wheel.set(1, at(5000));
  expect(wheel.over(at(4999))).toEqual([]);
  expect(wheel.over(at(5000))).toEqual([1]);
  expect(wheel.over(at(9000))).toEqual([]);
  expect(wheel.size()).toBe(0);
});

test('the latest lease counts, longer or shorter', () => {
  const wheel = leaseWheel();
  wheel.set(1, at(5000));
  wheel.set(1, at(60_000));
  wheel.set(2, at(60_000));
  wheel.set(2, at(5000));
  expect(wheel.over(at(6000))).toEqual([2]);
  expect(wheel.over(at(61_000))).toEqual([1]);
});

test('within one second the moment decides', () => {
  const wheel = leaseWheel();
  wheel.set(1, at(5800));
  expect(wheel.over(at(5100))).toEqual([]);
  expect(wheel.over(at(5900))).toEqual([1]);
});
