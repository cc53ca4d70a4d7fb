import { expect, test } from 'vitest';
import { mayPublish, maySubscribe, readTopic } from './topics.ts';

test.each([
  ['d/SN-1/up/beat', true],
  ['d/SN-1/up/anything', true],
  ['d/SN-2/up/beat', false],
  ['d/SN-1/down/offer', false],
  ['d/SN-1/up/beat/more', false],
  ['d/SN-1/up/', false],
  ['d/SN-1/up/+', false],
  ['$SYS/broker', false],
  ['/d/SN-1/up/beat', false],
  ['d//up/beat', false],
])('SN-1 publishing to %s: %s', (topic, allowed) => {
  expect(mayPublish('SN-1', topic)).toBe(allowed);
});

test.each([
  ['d/SN-1/down/+', true],
  ['d/SN-1/down/offer', true],
  ['d/SN-1/down/#', false],
  ['d/+/down/+', false],
  ['d/SN-2/down/+', false],
  ['d/SN-1/up/+', false],
  ['d/SN-1/+/offer', false],
  ['#', false],
  ['$SYS/#', false],
  ['$share/x/d/SN-1/down/+', false],
])('SN-1 subscribing to %s: %s', (filter, allowed) => {
  expect(maySubscribe('SN-1', filter)).toBe(allowed);
});

test('a topic is taken apart', () => {
  expect(readTopic('d/SN-1/up/beat')).toEqual({ sn: 'SN-1', direction: 'up', kind: 'beat' });
  expect(readTopic('d/abc/up/beat')).toBeUndefined();
});
