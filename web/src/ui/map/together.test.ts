import { expect, test } from 'vitest';
import type { MapMark } from './marks.ts';
import { together } from './together.ts';

const one = (key: string, lat: number, lon: number, tone: 'good' | 'away' = 'good'): MapMark => ({
  key,
  lat,
  lon,
  count: 1,
  label: '',
  parts: [{ tone, n: 1 }],
});

test('what lies on each other from afar is one mark with a figure, and apart from near', () => {
  const marks = [one('a', 52.52, 13.4), one('b', 52.53, 13.41, 'away'), one('c', 52.54, 13.42), one('d', 38.7, -9.1)];
  const far = together(marks, 3, String);
  expect(far.map(({ key, count, label, parts }) => ({ key, count, label, parts }))).toEqual([
    {
      key: 'a,b,c',
      count: 3,
      label: '3',
      parts: [
        { tone: 'good', n: 2 },
        { tone: 'away', n: 1 },
      ],
    },
    { key: 'd', count: 1, label: '', parts: [{ tone: 'good', n: 1 }] },
  ]);
  expect(far[0]?.lat).toBeCloseTo(52.53, 5);
  expect(together(marks, 15, String)).toHaveLength(4);
});
