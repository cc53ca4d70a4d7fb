import { expect, test } from 'vitest';
import { isTopic, topicOf } from './topic.ts';

const of = { sn: 'A920-0001', product: 'A920', kind: 'event' };

test('places become what the message is of', () => {
  expect(topicOf('mooring/{product}/{sn}/{kind}', of)).toBe('mooring/A920/A920-0001/event');
  expect(topicOf('{sn}{sn}', of)).toBe('A920-0001A920-0001');
});

test('a hostile value makes neither a level nor a wildcard', () => {
  expect(topicOf('m/{product}/{sn}', { ...of, product: '+/#', sn: 'a/b\u0000#' })).toBe('m/___/a_b__');
  expect(topicOf('m/{product}/x', { ...of, product: '' })).toBe('m/_/x');
  // What was put in isn't read again.
  expect(topicOf('m/{product}', { ...of, product: '{sn}' })).toBe('m/{sn}');
});

test.each(['mooring/{product}/{sn}/{kind}', 'a', 'a b/ü/{sn}', '$aws/rules/Mooring/{sn}'])('%s is a topic', (one) => {
  expect(isTopic(one)).toBe(true);
});
test.each(['a/+', '#', '{other}/a', 'a/{sn', '/a', 'a/', 'a//b', '$SYS/a', '$aws/things/a', 'a\u0000', '$aws/rules/'])(
  '%s is none',
  (one) => {
    expect(isTopic(one)).toBe(false);
  },
);
