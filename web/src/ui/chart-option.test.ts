import { expect, test } from 'vitest';
import { optionOf } from './chart-option.ts';

const series = ['North', 'South'].map((name) => ({ key: name, name, values: [1, 2] }));
const option = (mirrored: boolean, kind: 'line' | 'pie' = 'line') =>
  optionOf({ kind, data: { categories: ['a', 'b'], series }, write: String, label: 'Online' }, { scheme: 'light', mirrored, still: true });

test('where words run from right to left, axes and legend begin on the right', () => {
  expect(option(true)).toMatchObject({
    xAxis: { inverse: true },
    yAxis: { position: 'right' },
    legend: { align: 'right', data: ['South', 'North'] },
  });
  expect(option(true, 'pie')).toMatchObject({ legend: { data: ['b', 'a'] } });
});

test('the legend has a line of its own below the axis, one of a single series too', () => {
  const of = (count: number, kind: 'stack' | 'line') =>
    optionOf(
      { kind, data: { categories: ['a'], series: series.slice(0, count) }, write: String, label: 'x' },
      { scheme: 'light', mirrored: false, still: true },
    ) as { legend?: { type: string }; grid: { bottom: number } };
  for (const [count, kind] of [
    [1, 'stack'],
    [2, 'stack'],
    [2, 'line'],
  ] as const)
    expect(of(count, kind)).toMatchObject({ legend: { type: 'scroll' }, grid: { bottom: 34 } });
  expect(of(1, 'line')).toMatchObject({ legend: undefined, grid: { bottom: 8 } });
});

test('elsewhere they begin on the left', () => {
  expect(option(false)).toMatchObject({
    xAxis: { inverse: false },
    yAxis: { position: 'left' },
    legend: { align: 'left', data: ['North', 'South'] },
  });
});

test('an axis of bytes has steps of powers of two, and a level doesn’t begin at 0', () => {
  const of = (scale?: 'bytes' | 'level') =>
    optionOf(
      {
        kind: 'bar',
        data: { categories: ['a'], series: [{ key: 'x', name: 'x', values: [5_000_000, null] }] },
        write: String,
        label: 'x',
        scale,
      },
      { scheme: 'light', mirrored: false, still: true },
    );
  expect(of('bytes')).toMatchObject({ yAxis: { interval: 2 ** 21, max: 3 * 2 ** 21, scale: false } });
  expect(of('level')).toMatchObject({ yAxis: { scale: true, minInterval: 1 } });
  expect(of()).toMatchObject({ yAxis: { scale: false } });
});

test('bars that lie begin at the top, each with its figure behind it, and where words run from the right on the right', () => {
  const of = (mirrored: boolean) =>
    optionOf(
      { kind: 'across', data: { categories: ['a', 'b'], series: series.slice(0, 1) }, write: (value) => `${value} B`, label: 'x' },
      { scheme: 'light', mirrored, still: true },
    ) as unknown as { series: { label: { position: string; formatter: (at: { value: unknown }) => string } }[] };
  expect(of(false)).toMatchObject({
    yAxis: { data: ['a', 'b'], inverse: true, position: 'left' },
    xAxis: { inverse: false },
    legend: undefined,
  });
  expect(of(true)).toMatchObject({
    yAxis: { inverse: true, position: 'right' },
    xAxis: { inverse: true },
    series: [{ label: { position: 'left' } }],
  });
  expect(of(false).series[0]?.label.formatter({ value: 5 })).toBe('5 B');
});
