import { expect, test } from 'vitest';
import { isExactMoment } from './exact-moment.ts';

test('a moment that isn’t one isn’t read as the next that is', () => {
  for (const text of ['2026-11-26 10:00:00.000001+00', '2024-02-29 23:59:59+00', '0001-01-01 00:00:00.5+00'])
    expect(isExactMoment(text), text).toBe(true);
  for (const text of [
    '2024-02-30 00:00:00.000000+00',
    '2023-02-29 00:00:00.000000+00',
    '0000-01-01 00:00:00.000000+00',
    '2026-01-01 24:00:00.000000+00',
    '2026-99-99 00:00:00.000000+00',
    '2026-11-26T10:00:00Z',
    '',
  ])
    expect(isExactMoment(text), text).toBe(false);
});
