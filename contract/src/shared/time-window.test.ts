import { expect, test } from 'vitest';
import { isInWindow, openHours } from './time-window.ts';

const week = [1, 2, 3, 4, 5, 6, 7];
const night = { days: week, from: '22:00', to: '04:00', blackout: [] as string[] };
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
  ['a night that reaches into a blackout date', { ...night, blackout: ['2026-11-22'] }, '2026-11-22T02:00:00Z', 'UTC', false],
  ['Saturday’s night is not Friday’s', { ...night, days: [5] }, '2026-11-21T23:00:00Z', 'UTC', false],
])('%s', (_name, window, moment, zone, open) => {
  expect(isInWindow(window, at(moment), zone)).toBe(open);
});

const hours = (window: typeof night, moment: string, zone: string, count: number) =>
  openHours(window, at(moment), zone, count).map((one) => `${one.from.toISOString().slice(0, 16)} ${one.to.toISOString().slice(0, 16)}`);

test('the next hours: what is open now counts, closed days and dates are left out', () => {
  expect(hours(night, '2026-11-22T01:00:00Z', 'UTC', 2)).toEqual([
    '2026-11-21T22:00 2026-11-22T04:00',
    '2026-11-22T22:00 2026-11-23T04:00',
  ]);
  expect(hours(day, '2026-11-20T17:00:00Z', 'UTC', 1)).toEqual(['2026-11-24T09:00 2026-11-24T17:00']);
  expect(hours({ ...day, days: [1] }, '2026-11-21T00:00:00Z', 'Asia/Shanghai', 1)).toEqual(['2026-11-30T01:00 2026-11-30T09:00']);
});

test('the clock on the wall holds over the change to summer time', () => {
  const early = { days: week, from: '04:00', to: '05:00', blackout: [] as string[] };
  expect(hours(early, '2026-03-28T12:00:00Z', 'Europe/Berlin', 1)).toEqual(['2026-03-29T02:00 2026-03-29T03:00']);
  expect(hours(early, '2026-03-27T12:00:00Z', 'Europe/Berlin', 1)).toEqual(['2026-03-28T03:00 2026-03-28T04:00']);
});

test('a window that never opens has no hours', () => {
  expect(hours({ days: week, from: '02:00', to: '02:00', blackout: [] }, '2026-11-22T01:00:00Z', 'UTC', 3)).toEqual([]);
});

test('whatever the window, the moment and the zone: each hour given is inside it, and between them nothing is', () => {
  const zones = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Kiritimati'];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let turn = 0; turn < 300; turn++) {
    const clock = () => `${String(random(24)).padStart(2, '0')}:${random(2) === 0 ? '00' : '30'}`;
    const from = clock();
    const to = clock();
    const window = { days: week.filter((one) => one === 3 || random(2) === 0), from, to, blackout: ['2026-11-25', '2026-11-28'] };
    const zone = zones[random(zones.length)] ?? 'UTC';
    const now = new Date(Date.UTC(2026, 10, 20 + random(8), random(24), random(60)));
    const [first] = openHours(window, now, zone, 1);
    if (from === to) continue;
    if (!first) throw new Error(`${JSON.stringify(window)} has no hours`);
    for (let probe = now.getTime(); probe < first.to.getTime(); probe += 1_800_000)
      expect(isInWindow(window, new Date(probe), zone)).toBe(probe >= first.from.getTime());
  }
});
