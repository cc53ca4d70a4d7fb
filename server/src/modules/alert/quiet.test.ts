import { expect, test } from 'vitest';
import { quietUntil } from './quiet.ts';

const at = (clock: string) => new Date(`2026-06-10T${clock}:30.000Z`);
test.each([
  ['23:00', 'UTC', '22:00', '07:00', '2026-06-11T07:00:00.000Z'],
  ['06:59', 'UTC', '22:00', '07:00', '2026-06-10T07:00:00.000Z'],
  ['07:00', 'UTC', '22:00', '07:00', undefined],
  ['12:00', 'UTC', '09:00', '17:00', '2026-06-10T17:00:00.000Z'],
  ['17:00', 'UTC', '09:00', '17:00', undefined],
  // Eight hours ahead: it is seven in the morning there, and half past five in the other.
  ['23:00', 'Asia/Shanghai', '22:00', '07:00', undefined],
  ['00:00', 'Asia/Kolkata', '22:00', '07:00', '2026-06-10T01:30:00.000Z'],
  ['23:00', 'No/Where', '22:00', '24:00', '2026-06-11T00:00:00.000Z'],
  ['12:00', 'UTC', '', '07:00', undefined],
  ['12:00', 'UTC', '12:00', '12:00', undefined],
])('at %s in %s, quiet from %s to %s, it is until %s', (now, zone, from, to, until) =>
  expect(quietUntil(at(now), zone, from, to)?.toISOString()).toBe(until),
);
