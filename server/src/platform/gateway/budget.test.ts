import { expect, test } from 'vitest';
import { budgets, terminalBudget } from './budget.ts';

const SOME = Buffer.alloc(64 * 1024);
const clock = () => {
  const time = { ms: 0 };
  const held = budgets(terminalBudget, () => time.ms);
  const spend = (sn: string, bytes: number) => {
    const refusal = held.refusal(sn, 'event', SOME.subarray(0, bytes));
    return refusal ? (refusal.countedAlone ? 'overAgain' : 'over') : 'ok';
  };
  return { time, of: { spend, size: held.size } };
};
const times = (n: number, say: () => string) => Array.from({ length: n }, say).filter((one) => one !== 'ok').length;

test('a terminal says at once what ten minutes of an update and a pulled log left, and goes on', () => {
  const { time, of } = clock();
  expect(times(600, () => of.spend('A', 400))).toBe(0);
  expect(times(200, () => of.spend('A', 61_000))).toBe(0);
  for (let second = 0; second < 3600; second += 1) {
    time.ms += 1000;
    expect(times(5, () => of.spend('A', 1000))).toBe(0);
  }
});

test('one that never stops is held to its budget, is told of once a minute, and takes nothing from another', () => {
  const { time, of } = clock();
  const taken = { n: 0, bytes: 0, told: 0 };
  for (let second = 0; second < 600; second += 1) {
    for (let n = 0; n < 500; n += 1) {
      const answer = of.spend('HOSTILE', 60_000);
      if (answer === 'ok') taken.bytes += 60_000;
      else if (answer === 'over') taken.told += 1;
    }
    time.ms += 1000;
  }
  expect(taken.bytes).toBeLessThanOrEqual(terminalBudget.bytes.atOnce + 10 * terminalBudget.bytes.aMinute);
  expect(taken.told).toBe(10);
  expect(of.spend('B', 100)).toBe('ok');
  for (let n = 0; n < 20_000; n += 1) if (of.spend('SMALL', 1) === 'ok') taken.n += 1;
  expect(taken.n).toBe(terminalBudget.messages.atOnce);
});

test('who is quiet is forgotten', () => {
  const { time, of } = clock();
  for (let n = 0; n < 1000; n += 1) of.spend(`T-${n}`, 100);
  time.ms += 10 * 60_000;
  of.spend('LAST', 1);
  expect(of.size()).toBe(1);
});
