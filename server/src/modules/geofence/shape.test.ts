import type { Corner } from '@mooring/contract/device/map/area';
import { crossesItself, DEGREE, metresBetween } from '@mooring/contract/geofence/outline';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metresOutside, type Shape, shapeOf } from './shape.ts';

const BERLIN = { lat: 52.52, lon: 13.405 };
const drawn = { lat: null, lon: null, radius: null, area: '' };

test('metres are those between Berlin and Paris, and to the edge of a circle', () => {
  expect(metresBetween(BERLIN, { lat: 48.8566, lon: 2.3522 })).toBeCloseTo(877_460, -3);
  const circle: Shape = { kind: 'circle', centre: BERLIN, radius: 1000 };
  expect(metresOutside(circle, BERLIN)).toBe(-1000);
  expect(metresOutside(circle, { lat: BERLIN.lat + 2000 / DEGREE, lon: BERLIN.lon })).toBeCloseTo(1000, 0);
});

test('an outline over the date line holds what lies on both sides of it', () => {
  const fiji = shapeOf({ ...drawn, shape: 'polygon', area: '-19,177;-16,177;-16,-179;-19,-179' });
  if (!fiji) throw new Error('no shape');
  for (const lon of [178, 179.9, -179.5]) expect(metresOutside(fiji, { lat: -17, lon })).toBeLessThan(0);
  for (const lon of [176, -178, 0]) expect(metresOutside(fiji, { lat: -17, lon })).toBeGreaterThan(0);
});

test('around a shop that stands nowhere is nothing', () => {
  expect(shapeOf({ ...drawn, shape: 'shop', radius: 100 })).toBeUndefined();
  expect(shapeOf({ ...drawn, shape: 'shop', radius: 100 }, BERLIN)).toEqual({ kind: 'circle', centre: BERLIN, radius: 100 });
});

/** A star around a middle: its corners in the order of their angles, so that it never crosses itself. */
const star = fc.array(fc.double({ min: 0.05, max: 0.4, noNaN: true }), { minLength: 5, maxLength: 100 }).map((radii) =>
  radii.map((radius, at): Corner => {
    const angle = (at / radii.length) * 2 * Math.PI;
    return [BERLIN.lat + radius * Math.sin(angle), BERLIN.lon + radius * Math.cos(angle)];
  }),
);
const near = fc.record({ lat: fc.double({ min: 52, max: 53, noNaN: true }), lon: fc.double({ min: 12.9, max: 13.9, noNaN: true }) });

/** By the sum of the angles under which its sides are seen. */
function windsAround(corners: readonly Corner[], { lat, lon }: { lat: number; lon: number }): boolean {
  let sum = 0;
  for (const [at, [aLat, aLon]] of corners.entries()) {
    const [bLat, bLon] = corners[(at + 1) % corners.length] ?? [aLat, aLon];
    const turn = Math.atan2(bLat - lat, bLon - lon) - Math.atan2(aLat - lat, aLon - lon);
    sum += turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn;
  }
  return Math.abs(sum) > Math.PI;
}

test('a place is within as the angles around it say, whatever the outline', () => {
  fc.assert(
    fc.property(star, near, (corners, place) => {
      const metres = metresOutside({ kind: 'polygon', corners }, place);
      if (Math.abs(metres) > 0.5) expect(metres < 0).toBe(windsAround(corners, place));
    }),
  );
});

test('the way to an outline is the shortest of those to many places on it', () => {
  fc.assert(
    fc.property(star, near, (corners, place) => {
      const onIt = corners.flatMap(([lat, lon], at) => {
        const [nextLat, nextLon] = corners[(at + 1) % corners.length] ?? [lat, lon];
        return Array.from({ length: 50 }, (_, part) => ({
          lat: lat + ((nextLat - lat) * part) / 50,
          lon: lon + ((nextLon - lon) * part) / 50,
        }));
      });
      const shortest = Math.min(...onIt.map((one) => metresBetween(one, place)));
      const metres = Math.abs(metresOutside({ kind: 'polygon', corners }, place));
      // On a plane around the place instead of a ball, and between the places that were looked at.
      expect(metres).toBeLessThan(shortest * 1.02 + 1);
      expect(metres).toBeGreaterThan(shortest * 0.98 - 1500);
    }),
    { numRuns: 50 },
  );
});

test('an outline that runs over itself is known, and a star is none', () => {
  expect(
    crossesItself([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ]),
  ).toBe(true);
  expect(
    crossesItself([
      [0, 0],
      [0, 1],
      [0, 2],
    ]),
  ).toBe(true);
  expect(
    crossesItself([
      [0, 0],
      [0, 0],
      [1, 1],
    ]),
  ).toBe(true);
  expect(
    crossesItself([
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 0],
    ]),
  ).toBe(false);
  fc.assert(fc.property(star, (corners) => !crossesItself(corners)));
});
