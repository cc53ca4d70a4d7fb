import { expect, test } from 'vitest';
import { isPattern, matches } from './pattern.ts';

test.each([
  ['[A-Z]{2}\\d+', ['AB1', 'XY999'], ['A1', 'ab1', 'AB', 'AB1x']],
  ['^https?://[a-z.]+(:\\d{1,5})?$', ['http://a.b', 'https://a.b:443'], ['ftp://a.b', 'http://a.b:123456']],
  ['(?:on|off|auto)', ['on', 'off', 'auto'], ['of', 'onoff', '']],
  ['(a|b)*c?', ['', 'c', 'ababc'], ['cc', 'abd']],
  ['\\d{3,}', ['123', '12345'], ['12', '12a']],
  ['a\\.b\\_c', ['a.b_c'], ['axb_c']],
  ['[^\\]]+', ['abc'], [']', '']],
  ['.{2}', ['你好', '😀x'], ['你', 'abc']],
])('%s', (pattern, fit, wrong) => {
  expect(isPattern(pattern)).toBe(true);
  const whole = new RegExp(`^(?:${pattern.replace(/^\^|\$$/g, '').replace('\\_', '_')})$`, 'u');
  for (const text of fit) expect([text, matches(pattern, text), whole.test(text)]).toEqual([text, true, true]);
  for (const text of wrong) expect([text, matches(pattern, text), whole.test(text)]).toEqual([text, false, false]);
});

test.each([
  '(',
  ')',
  '[a',
  'a**',
  '*a',
  '\\1',
  '(?=a)',
  '(?<n>a)',
  'a{9',
  'a{3,2}',
  '\\b',
  '[z-a]',
  '((((){500}){500}){500}){500}',
  'a{500}{500}',
  '\\',
])('%s is none', (pattern) => {
  expect(isPattern(pattern)).toBe(false);
});

test('what makes other engines go back for years takes one walk', () => {
  const begun = performance.now();
  for (const pattern of ['(a+)+b', '(a|a)*b', '(a*)*b', '.*.*.*.*.*b', '(a?){50}a{50}c'])
    expect(matches(pattern, 'a'.repeat(500))).toBe(false);
  expect(performance.now() - begun).toBeLessThan(2000);
});
