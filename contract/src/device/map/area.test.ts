import { expect, test } from 'vitest';
import { areaOf, type Corner, cornersOf } from './area.ts';

const box = (south: number, west: number, north: number, east: number): Corner[] => [
  [south, west],
  [north, west],
  [north, east],
  [south, east],
];
const lonsOf = (area: string) => {
  const lons = cornersOf(area)?.map(([, lon]) => lon) ?? [];
  return [Math.min(...lons), Math.max(...lons)];
};

test('an outline across the date line goes on beyond it, and none is the rest of the world', () => {
  expect(lonsOf('0,170;10,170;10,-170;0,-170')).toEqual([170, 190]);
  expect(lonsOf('0,-170;10,-170;10,170;0,170')).toEqual([-190, -170]);
  expect(lonsOf(areaOf(box(0, 170, 10, 200)))).toEqual([170, 200]);
  expect(lonsOf(areaOf(box(0, -10, 10, 20)))).toEqual([-10, 20]);
});

test('a wide one is as wide as it was drawn, the whole world at most', () => {
  expect(lonsOf(areaOf(box(0, -100, 10, 150)))).toEqual([-100, 150]);
  expect(lonsOf(areaOf(box(-85, -180, 85, 180)))).toEqual([-180, 180]);
  const [least = 0, most = 0] = lonsOf(areaOf(box(-85, -300, 85, 300)));
  expect(most - least).toBe(360);
});

test('what goes round a pole, or may go either way, is no outline', () => {
  expect(cornersOf('80,0;80,120;80,-120')).toBeUndefined();
  expect(cornersOf('0,-90;10,-90;10,90;0,90')).toBeUndefined();
});
