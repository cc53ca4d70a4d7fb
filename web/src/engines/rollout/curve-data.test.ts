import { expect, test } from 'vitest';
import { comparedCurves, curveData } from './curve-data.ts';

const names = { good: 'Good', bad: 'Bad' };

test('adds up what ended, minute by minute', () => {
  const data = curveData(
    [
      { at: '2026-01-01T00:00:00.000Z', state: '3', count: 2 },
      { at: '2026-01-01T00:02:00.000Z', state: '4', count: 1 },
      { at: '2026-01-01T00:02:00.000Z', state: '6', count: 3 },
    ],
    names,
    (at) => at.slice(11, 16),
  );
  expect(data.categories).toEqual(['00:00', '00:01', '00:02']);
  expect(data.series.map((one) => one.values)).toEqual([
    [2, 2, 5],
    [0, 0, 1],
  ]);
});

test('a long release is drawn in at most 121 steps, and loses none', () => {
  const data = curveData(
    [
      { at: '2026-01-01T00:00:00.000Z', state: '3', count: 1 },
      { at: '2026-01-20T00:00:00.000Z', state: '3', count: 1 },
    ],
    names,
    (at) => at,
  );
  expect(data.categories.length).toBeLessThanOrEqual(121);
  expect(data.series[0]?.values.at(-1)).toBe(2);
});

test('nothing yet is a blank chart', () => {
  expect(curveData([], names, (at) => at)).toEqual({ categories: [], series: [] });
});

test('two releases stand side by side from their start, each as a share of its own terminals', () => {
  const run = (name: string, startedAt: string, total: number, counts: Readonly<Record<string, number>>) => ({
    name,
    startedAt,
    total,
    points: Object.entries(counts).map(([at, count]) => ({ at, state: '3', count })),
  });
  const data = comparedCurves(
    [
      run('Now', '2026-01-02T10:00:00.000Z', 4, { '2026-01-02T10:01:00.000Z': 1, '2026-01-02T10:03:00.000Z': 3 }),
      run('Before', '2026-01-01T08:00:00.000Z', 10, { '2026-01-01T08:02:00.000Z': 5 }),
    ],
    (seconds) => `${seconds} s`,
  );
  expect(data.categories).toEqual(['0 s', '60 s', '120 s', '180 s']);
  expect(data.series.map((one) => [one.name, one.values])).toEqual([
    ['Now', [0, 0.25, 0.25, 1]],
    ['Before', [0, 0, 0.5, 0.5]],
  ]);
});
