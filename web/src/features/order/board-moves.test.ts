import { orderMachine } from '@mooring/contract/order/state-machines';
import { expect, test } from 'vitest';
import { movesTo, whyNot } from './board-moves.ts';

const row = {
  state: 'received',
  side: 'service',
  diagnosis: 'Worn',
  costs: 'none',
  warranty: 'covered',
  outCarrier: '',
  outNumber: '',
  allowedActions: ['diagnose', 'refuse', 'quote', 'assign'],
} as const;

test('an order goes only where a step that is allowed leads', () => {
  expect(movesTo(row, 'repairing')).toEqual(['diagnose']);
  expect(movesTo(row, 'returning')).toEqual(['refuse']);
  expect(movesTo(row, 'created')).toEqual([]);
  expect(movesTo({ ...row, state: 'repairing', allowedActions: ['repaired', 'replace', 'refuse'] } as never, 'returning')).toHaveLength(3);
});

test('why not is said in the words of what is missing', () => {
  const none = { ...row, allowedActions: ['quote', 'assign'] };
  expect(whyNot({ ...none, diagnosis: '' }, 'repairing')).toBe('fault.ORDER_DIAGNOSIS');
  expect(whyNot({ ...none, costs: 'asked' }, 'repairing')).toBe('fault.ORDER_COSTS');
  expect(whyNot({ ...none, warranty: 'disputed' }, 'repairing')).toBe('fault.ORDER_WARRANTY');
  expect(whyNot({ ...none, warranty: 'denied' }, 'repairing')).toBe('fault.ORDER_WARRANTY_OPEN');
  expect(whyNot({ ...none, costs: 'refused' }, 'repairing')).toBe('fault.ORDER_COSTS');
  expect(whyNot({ ...row, side: 'customer', allowedActions: [] } as never, 'repairing')).toBe('fault.ORDER_SIDE');
  expect(whyNot({ ...none, allowedActions: [] } as never, 'repairing')).toBe('fault.FORBIDDEN');
  expect(whyNot(row, 'closed')).toBe('order.board.notNext');
});

type State = keyof typeof orderMachine.states;
const fresh = { ...row, diagnosis: '', warranty: 'none' };
/** Of each side, where it may do nothing of it now though it holds every permission; `assign` says that of the partner. */
const table: Readonly<Record<string, readonly [from: State, to: State, of: object, expected: string]>> = {
  'a return within its days waits for them, and is nobody else’s': ['returning', 'closed', {}, 'fault.ORDER_RETURN_EARLY'],
  'also where somebody acts for both sides and may only repair': ['returning', 'closed', { side: 'customer' }, 'fault.ORDER_RETURN_EARLY'],
  'who may not repair has to be allowed that, not to wait': ['returning', 'closed', { allowedActions: [] }, 'fault.FORBIDDEN'],
  'who ordered and may not confirm': ['returning', 'closed', { side: 'customer', allowedActions: [] }, 'fault.FORBIDDEN'],
  'a terminal that travels isn’t declined': ['accepted', 'cancelled', { outNumber: 'P1' }, 'fault.ORDER_SENT'],
  'nor is one of a new order': ['created', 'cancelled', { outCarrier: 'Post', allowedActions: [] }, 'fault.ORDER_SENT'],
  'who ordered and may not cancel': ['accepted', 'cancelled', { side: 'customer', allowedActions: [] }, 'fault.FORBIDDEN'],
  'a diagnosis keeps it from being expected again': ['received', 'accepted', { diagnosis: 'Worn' }, 'fault.ORDER_DIAGNOSED'],
  'and so does a word on the warranty': ['received', 'accepted', { warranty: 'covered' }, 'fault.ORDER_DIAGNOSED'],
  'that it arrived is the partner’s to take back': ['received', 'accepted', { side: 'customer', allowedActions: [] }, 'fault.ORDER_SIDE'],
  'what has arrived is cancelled by neither side': ['received', 'cancelled', {}, 'fault.ORDER_ARRIVED'],
  'nor by who ordered': ['received', 'cancelled', { side: 'customer', allowedActions: [] }, 'fault.ORDER_ARRIVED'],
  'nor during its repair': ['repairing', 'cancelled', {}, 'fault.ORDER_ARRIVED'],
  'nor on its way back': ['returning', 'cancelled', { side: 'customer', allowedActions: ['delivered'] }, 'fault.ORDER_ARRIVED'],
  'a new order is accepted by the partner': ['created', 'accepted', { side: 'customer', allowedActions: ['cancel'] }, 'fault.ORDER_SIDE'],
  'a terminal is received by the partner': ['accepted', 'received', { side: 'customer', allowedActions: ['cancel'] }, 'fault.ORDER_SIDE'],
  'and sent back by the partner': ['repairing', 'returning', { side: 'customer', allowedActions: [] }, 'fault.ORDER_SIDE'],
  'what is over stays so': ['closed', 'returning', {}, 'order.board.notNext'],
  'also what was cancelled': ['cancelled', 'created', {}, 'order.board.notNext'],
  'a repair isn’t taken back by hand': ['repairing', 'received', {}, 'order.board.notNext'],
};
test.each(Object.entries(table))('%s', (_, [state, to, more, expected]) => {
  expect(whyNot({ ...fresh, allowedActions: ['assign'], state, ...more } as never, to)).toBe(expected);
});

test('every column says of every state why an order doesn’t come there', () => {
  const states = Object.keys(orderMachine.states) as State[];
  for (const state of states)
    for (const to of states)
      for (const side of ['customer', 'service'])
        expect(whyNot({ ...fresh, state, side, allowedActions: [] } as never, to)).toMatch(
          /^(fault\.(ORDER_[A-Z_]+|FORBIDDEN)|order\.board\.notNext)$/,
        );
});
