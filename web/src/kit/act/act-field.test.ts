import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { speech } from '../../ui/words.ts';
import { rowAction } from '../list/types.ts';
import { actField } from './act-field.ts';

const before = speech.get();
const keys = ['order.ship', 'order.ship.number', 'order.number', 'order.covered', 'order.covered.help', 'order.engineerId'];
const useChoices = () => ({ choices: [] });
beforeAll(() => speech.set({ ...before, texts: Object.fromEntries(keys.map((key) => [key, key])) }));
afterAll(() => speech.set(before));

test('a field is named in its act, or else in its domain', () => {
  expect(actField('order.ship', orderCalls.ship, 'number')).toEqual({ name: 'number', label: 'order.ship.number' });
  expect(actField('order.quote', orderCalls.quote, 'covered')).toEqual({
    name: 'covered',
    label: 'order.covered',
    help: 'order.covered.help',
  });
});

test('values of a closed list are named by its texts, and what is chosen is one or several as the call takes it', () => {
  const blacklist = actField('appSubscription.term', appSubscriptionCalls.term, 'blacklist');
  expect(blacklist.names).toBe('appSubscription.blacklist.');

  expect(actField('order.assign', orderCalls.assign, { name: 'engineerId', useChoices }).kind).toBe('one');
  expect(actField('order.add', orderCalls.add, { name: 'photos', useChoices }).kind).toBe('multi');
});

test('what is said of a field stands', () => {
  const said = { name: 'backNumber', label: 'order.ship.number', help: 'order.ship', kind: 'area' } as const;
  expect(actField('order.repaired', orderCalls.repaired, said)).toEqual(said);
});

test('what has no words, or what the call does not take, does not compile', () => {
  // @ts-expect-error the call takes no such field
  rowAction(orderCalls.cancel, { label: 'order.cancel', form: ['carrier'] });
  // @ts-expect-error neither the act nor its domain has words for the field
  rowAction(orderCalls.ship, { label: 'job.run', form: ['carrier'] });
  // @ts-expect-error what was done has no words
  rowAction(orderCalls.accept, { label: 'order.number' });
  expect(rowAction(orderCalls.ship, { label: 'order.ship', form: ['carrier'] }).key).toBe('ship');
});
