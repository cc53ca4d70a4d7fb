import { expect, test } from 'vitest';
import { unwrapped } from './unwrap.ts';

test('what crosses the date line is drawn on both sides, and nothing runs round the world', () => {
  const crossing = [
    [
      [170, 60],
      [-170, 60],
      [-170, 70],
      [170, 70],
      [170, 60],
    ],
  ];
  const drawn = unwrapped(crossing);
  expect(drawn.map(([ring]) => ring?.map(([lon]) => lon))).toEqual([
    [170, 190, 190, 170, 170],
    [-190, -170, -170, -190, -190],
  ]);
});

test('what lies within the map stays as it is', () => {
  const plain = [
    [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 0],
    ],
  ];
  expect(unwrapped(plain)).toEqual([plain]);
});

test('what goes round a pole is closed along it', () => {
  const round = [
    [
      [-180, -70],
      [-60, -72],
      [60, -71],
      [180, -70],
      [-180, -70],
    ],
  ];
  const [first] = unwrapped(round);
  expect(first?.[0]?.slice(-3).map(([, lat]) => lat)).toEqual([-89.9, -89.9, -70]);
});
