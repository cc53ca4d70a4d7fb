import { describe, expect, test } from 'vitest';
import { opensNext } from './next-window.ts';

const night = { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '04:00', blackout: [] as string[] };
const from = new Date('2026-03-02T12:00:00Z');
const life = (to: string | null) => ({ from, to: to === null ? null : new Date(to) });

describe('when a terminal may install next', () => {
  test.each([
    ['no window', null, 'UTC', null, undefined],
    ['it is open', { ...night, from: '10:00', to: '14:00' }, 'UTC', null, undefined],
    ['this night', night, 'UTC', null, '2026-03-02T22:00:00.000Z'],
    ['by its own clock', night, 'Asia/Kathmandu', null, '2026-03-02T16:15:00.000Z'],
    ['a zone that is none counts as UTC', night, 'Mars/Base', null, '2026-03-02T22:00:00.000Z'],
    ['after its closed dates', { ...night, blackout: ['2026-03-02', '2026-03-03'] }, 'UTC', null, '2026-03-04T22:00:00.000Z'],
    ['the release ends before', night, 'UTC', '2026-03-02T22:00:00Z', null],
    ['it opens in the last minute', night, 'UTC', '2026-03-02T22:01:00Z', '2026-03-02T22:00:00.000Z'],
    ['on no day at all', { ...night, days: [] }, 'UTC', null, null],
  ])('%s', (_name, window, zone, to, at) => {
    const found = opensNext(window as never, zone, life(to));
    expect(found === undefined ? undefined : (found.at?.toISOString() ?? null)).toBe(at);
  });
});
