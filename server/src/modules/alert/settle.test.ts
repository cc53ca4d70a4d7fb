import { expect, test } from 'vitest';
import type { Found } from './open-alarms.ts';
import { decide, type Open } from './settle.ts';

const now = new Date('2026-06-10T12:00:00.000Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const found = (subject: string): Found => ({
  ruleId: 1,
  subject,
  deviceId: null,
  label: '',
  path: null,
  about: {},
  figure: null,
  threshold: null,
  n: 1,
});
const open = (id: number, subject: string, ended: Date | null, clear = 5): Open => ({
  id,
  rule_id: 1,
  subject,
  ended_since: ended,
  clear_minutes: clear,
});

test('what is so opens once, comes back, and is over after its minutes alone', () => {
  const settled = decide(
    [found('new'), found('open'), found('back')],
    [
      open(1, 'open', null),
      open(2, 'back', ago(4)),
      open(3, 'gone', null),
      open(4, 'going', ago(4)),
      open(5, 'over', ago(5)),
      open(6, 'at once', null, 0),
    ],
    now,
  );
  expect(settled).toEqual({ raised: [found('new')], back: [2], ending: [3], over: [5, 6] });
});

test('an alarm whose rule is gone ends like any other', () => {
  expect(decide([found('x')], [{ ...open(1, 'x', ago(9)), rule_id: null }], now)).toMatchObject({ over: [1] });
});
