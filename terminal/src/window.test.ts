import { expect, test } from 'vitest';
import { isInWindow } from './window.ts';

const week = [1, 2, 3, 4, 5, 6, 7];
const night = { days: week, from: '22:00', to: '04:00', blackout: [] };
const day = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', blackout: ['2026-11-23'] };
const at = (text: string) => new Date(text);

// 2026-11-21 is a Saturday.
test.each([
  ['the night, in UTC', night, '2026-11-21T23:00:00Z', 'UTC', true],
  ['before the night', night, '2026-11-21T21:59:00Z', 'UTC', false],
  ['after midnight', night, '2026-11-22T03:59:00Z', 'UTC', true],
  ['after its end', night, '2026-11-22T04:00:00Z', 'UTC', false],
  ['the terminal’s own night', night, '2026-11-21T15:00:00Z', 'Asia/Shanghai', true],
  ['not ours', night, '2026-11-21T23:00:00Z', 'Asia/Shanghai', false],
  ['a working day', day, '2026-11-24T10:00:00Z', 'UTC', true],
  ['a weekend', day, '2026-11-21T10:00:00Z', 'UTC', false],
  ['a blackout date', day, '2026-11-23T10:00:00Z', 'UTC', false],
  ['Friday’s night on Saturday morning', { ...night, days: [5] }, '2026-11-21T02:00:00Z', 'UTC', true],
  ['Saturday’s night is not Friday’s', { ...night, days: [5] }, '2026-11-21T23:00:00Z', 'UTC', false],
])('%s', (_name, window, moment, zone, open) => {
  expect(isInWindow(window, at(moment), zone)).toBe(open);
});
