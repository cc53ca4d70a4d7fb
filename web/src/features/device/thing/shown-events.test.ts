import type { TerminalEvent } from '@mooring/contract/device/thing/thing-calls';
import { expect, test } from 'vitest';
import { withNewest, withOlder } from './shown-events.ts';

const page = (from: number, to: number) => ({
  content: Array.from({ length: from - to + 1 }, (_, n): TerminalEvent => {
    const at = new Date(Date.UTC(2026, 0, 1, 0, from - n)).toISOString();
    return { key: String(from - n), at, terminalAt: at, name: 'paperOut', level: 'info', params: {}, misfits: [] };
  }),
  next: to === 1 ? null : `before ${to}`,
});
const keys = ({ events }: { events: readonly TerminalEvent[] }) => events.map(({ key }) => Number(key));
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);

test('events that come while older ones are shown push none of them out', () => {
  let shown = withOlder(withNewest(undefined, page(40, 21)), page(20, 11));
  expect([keys(shown), shown.next]).toEqual([down(40, 11), 'before 11']);
  shown = withNewest(shown, page(45, 26));
  expect([keys(shown), shown.next]).toEqual([down(45, 11), 'before 11']);
  expect(withOlder(shown, page(10, 1))).toMatchObject({ next: null });
});

test('where more came than a page holds the list begins anew, without a hole', () => {
  const shown = withNewest(withNewest(undefined, page(40, 21)), page(90, 71));
  expect([keys(shown), shown.next]).toEqual([down(90, 71), 'before 71']);
});
