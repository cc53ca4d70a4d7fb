import { expect, test } from 'vitest';
import { say } from './say.ts';

test('Chinese for any Chinese, English for every other language', () => {
  expect(say('zh-CN', 'fault.FORBIDDEN')).toBe('您没有此操作权限。');
  expect(say('zh-TW', 'fault.FORBIDDEN')).toBe('您没有此操作权限。');
  for (const lang of ['en', 'de-AT', 'ar', '']) expect(say(lang, 'fault.FORBIDDEN')).toBe('You are not allowed to do this.');
});

test('values are filled in, with their plural', () => {
  expect(say('en', 'fault.TOO_MANY', { seconds: 1 })).toBe('Too many tries. Wait 1 second.');
  expect(say('en', 'fault.TOO_MANY', { seconds: 9 })).toBe('Too many tries. Wait 9 seconds.');
});

test('a gap is seen and nothing fails', () => {
  expect(say('en', 'no.such.text')).toBe('no.such.text');
  expect(say('en', 'fault.TOO_MANY')).toContain('Too many tries');
});
