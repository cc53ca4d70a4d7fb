import { expect, test } from 'vitest';
import { bring } from './texts.ts';
import { t } from './translate.ts';

test('Chinese for any Chinese, English for every other language', () => {
  expect(t('zh-CN', 'fault.FORBIDDEN')).toBe('您没有此操作权限。');
  expect(t('zh-TW', 'fault.FORBIDDEN')).toBe('您没有此操作权限。');
  for (const lang of ['en', 'de-AT', 'ar', '']) expect(t(lang, 'fault.FORBIDDEN')).toBe('You are not allowed to do this.');
});

test('values are filled in, with their plural', () => {
  expect(t('en', 'fault.TOO_MANY', { seconds: 1 })).toBe('Too many attempts. Try again in 1 second.');
  expect(t('en', 'fault.TOO_MANY', { seconds: 9 })).toBe('Too many attempts. Try again in 9 seconds.');
});

test('a gap is seen and nothing fails', () => {
  expect(t('en', 'no.such.text')).toBe('no.such.text');
  expect(t('en', 'fault.TOO_MANY')).toContain('Too many attempts');
});

test('values in words from right to left are kept apart, but for what is followed or typed as it stands', () => {
  bring('he', { 'mail.resetCode.subject': '{brand}: {account}', 'mail.resetCode.body': '{code} {minutes} {account}' });
  expect(t('he', 'mail.resetCode.subject', { brand: 'Mooring', account: 'https://a.example.com/reg?invite=x' })).toBe(
    '\u2068Mooring\u2069: https://a.example.com/reg?invite=x',
  );
  expect(t('he', 'mail.resetCode.body', { code: '123456', minutes: 10, account: '2026-11-21 15:12 (UTC)' })).toBe(
    '123456 10 \u20682026-11-21 15:12 (UTC)\u2069',
  );
  expect(t('en', 'mail.test.subject', { brand: 'Mooring' })).not.toMatch(/[\u2066-\u2069]/);
});

test('a limit of a thing model is said with all of its digits', () => {
  for (const limit of [0.0000125, 12345.1234567])
    expect(t('zh-CN', 'thing.wrong.min', { limit })).toBe(`不小于 ${limit.toLocaleString('zh-CN', { maximumFractionDigits: 20 })}`);
  expect(t('en', 'thing.wrong.step', { limit: 0.0001 })).toBe('In steps of 0.0001');
});
