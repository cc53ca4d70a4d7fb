import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timerWheel } from './timer-wheel.ts';

const at = (ms: number) => new Date(1_000_000_000_000 + ms);

test('a lease that ends is told once', () => {
  const wheel = timerWheel();
  wheel.set(1, at(5000));
  expect(wheel.over(at(4999))).toEqual([]);
  expect(wheel.over(at(5000))).toEqual([1]);
  expect(wheel.over(at(9000))).toEqual([]);
  expect(wheel.size()).toBe(0);
});

test('the latest lease counts, longer or shorter', () => {
  const wheel = timerWheel();
  wheel.set(1, at(5000));
  wheel.set(1, at(60_000));
  wheel.set(2, at(60_000));
  wheel.set(2, at(5000));
  expect(wheel.over(at(6000))).toEqual([2]);
  expect(wheel.over(at(61_000))).toEqual([1]);
});

test('within one second the moment decides', () => {
  const wheel = timerWheel();
  wheel.set(1, at(5800));
  expect(wheel.over(at(5100))).toEqual([]);
  expect(wheel.over(at(5900))).toEqual([1]);
});

test('a device that speaks again and again is held once', () => {
  const wheel = timerWheel();
  for (let ms = 0; ms < 700_000; ms += 1500) wheel.set(1, at(750_000 + ms));
  expect(wheel.looks()).toBe(1);
  expect(wheel.over(at(750_000))).toEqual([]);
  expect(wheel.looks()).toBe(1);
  expect(wheel.over(at(1_448_999))).toEqual([]);
  expect(wheel.over(at(1_449_000))).toEqual([1]);
  expect([wheel.size(), wheel.looks()]).toEqual([0, 0]);
});

test('what was shortened and made longer again ends once, at its last word', () => {
  const wheel = timerWheel();
  wheel.set(1, at(60_000));
  wheel.set(1, at(10_000));
  wheel.set(1, at(90_000));
  expect(wheel.over(at(60_000))).toEqual([]);
  expect(wheel.over(at(89_999))).toEqual([]);
  expect(wheel.over(at(90_000))).toEqual([1]);
  expect(wheel.over(at(200_000))).toEqual([]);
});

test('leases end as a plain list of their ends says, however they are moved', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(20_000), fc.boolean()), { maxLength: 200 }), (steps) => {
      const wheel = timerWheel();
      const plain = new Map<number, number>();
      let now = 0;
      for (const [id, ms, looks] of steps) {
        if (looks) {
          now += ms % 3000;
          const over = [...plain].filter(([, ends]) => ends <= now).map(([one]) => one);
          for (const one of over) plain.delete(one);
          expect(wheel.over(at(now)).sort()).toEqual(over.sort());
        } else {
          wheel.set(id, at(now + ms));
          plain.set(id, now + ms);
        }
      }
    }),
  );
});
