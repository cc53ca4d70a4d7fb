import { expect, test } from 'vitest';
import { movesTo, whyNot } from './board-moves.ts';

const row = {
  state: 'received',
  side: 'service',
  diagnosis: 'Worn',
  costs: 'none',
  warranty: 'covered',
  allowedActions: ['diagnose', 'refuse', 'quote'],
} as const;

test('an order goes only where a step that is allowed leads', () => {
  expect(movesTo(row, 'repairing')).toEqual(['diagnose']);
  expect(movesTo(row, 'returning')).toEqual(['refuse']);
  expect(movesTo(row, 'created')).toEqual([]);
  expect(movesTo({ ...row, state: 'repairing', allowedActions: ['repaired', 'replace', 'refuse'] } as never, 'returning')).toHaveLength(3);
});

test('why not is said in the words of what is missing', () => {
  const none = { ...row, allowedActions: ['quote'] };
  expect(whyNot({ ...none, diagnosis: '' }, 'repairing')).toBe('fault.ORDER_DIAGNOSIS');
  expect(whyNot({ ...none, costs: 'asked' }, 'repairing')).toBe('fault.ORDER_COSTS');
  expect(whyNot({ ...none, warranty: 'disputed' }, 'repairing')).toBe('fault.ORDER_WARRANTY');
  expect(whyNot({ ...none, warranty: 'denied' }, 'repairing')).toBe('fault.ORDER_WARRANTY_OPEN');
  expect(whyNot({ ...none, costs: 'refused' }, 'repairing')).toBe('fault.ORDER_COSTS');
  expect(whyNot({ ...row, side: 'customer', allowedActions: [] } as never, 'repairing')).toBe('fault.ORDER_SIDE');
  expect(whyNot({ ...row, state: 'returning', allowedActions: [] } as never, 'closed')).toBe('fault.ORDER_SIDE');
  expect(whyNot({ ...none, allowedActions: [] } as never, 'repairing')).toBe('fault.FORBIDDEN');
  expect(whyNot(row, 'closed')).toBe('order.board.notNext');
});
