import { expect, test } from 'vitest';
import { say } from './say.ts';
import { bring } from './texts.ts';

test('Chinese for any Chinese, English for every other language', () => {
  expect(say('zh-CN', 'fault.FORBIDDEN')).toBe('您没有此操作权限。');
  expect(say('zh-TW', 'fault.FORBIDDEN')).toBe('您没有此操作权限。');
  for (const lang of ['en', 'de-AT', 'ar', '']) expect(say(lang, 'fault.FORBIDDEN')).toBe('You are not allowed to do this.');
});

test('values are filled in, with their plural', () => {
  expect(say('en', 'fault.TOO_MANY', { seconds: 1 })).toBe('Too many attempts. Try again in 1 second.');
  expect(say('en', 'fault.TOO_MANY', { seconds: 9 })).toBe('Too many attempts. Try again in 9 seconds.');
});

test('a gap is seen and nothing fails', () => {
  expect(say('en', 'no.such.text')).toBe('no.such.text');
  expect(say('en', 'fault.TOO_MANY')).toContain('Too many attempts');
});

test('values in words from right to left are kept apart, but for what is followed or typed as it stands', () => {
  bring('he', { 'mail.resetCode.subject': '{brand}: {account}', 'mail.resetCode.body': '{code} {minutes} {account}' });
  expect(say('he', 'mail.resetCode.subject', { brand: 'Mooring', account: 'https://a.example.com/reg?invite=x' })).toBe(
    '\u2068Mooring\u2069: https://a.example.com/reg?invite=x',
  );
  expect(say('he', 'mail.resetCode.body', { code: '123456', minutes: 10, account: '2026-11-21 15:12 (UTC)' })).toBe(
    '123456 10 \u20682026-11-21 15:12 (UTC)\u2069',
  );
  expect(say('en', 'mail.test.subject', { brand: 'Mooring' })).not.toMatch(/[\u2066-\u2069]/);
});
