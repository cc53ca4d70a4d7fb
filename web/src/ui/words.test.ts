import { afterAll, beforeEach, expect, test } from 'vitest';
import { speech, t } from './words.ts';

const before = speech.get();
afterAll(() => speech.set(before));
beforeEach(() =>
  speech.set({
    ...speech.get(),
    lang: 'ar',
    textLang: 'ar',
    texts: { 'kit.table.actsOf': 'إجراءات {name}', 'kit.pager.perPage': '{size} في الصفحة' },
  }),
);

test('a value in words from right to left is kept apart, a number stands in Latin digits', () => {
  expect(t('kit.table.actsOf', { name: '2026-11-21 15:12' })).toBe('إجراءات \u20682026-11-21 15:12\u2069');
  expect(t('kit.pager.perPage', { size: 20 })).toBe('20 في الصفحة');
});

test('words that are values alone run from right to left where a place asks their first letter', () => {
  speech.set({ ...speech.get(), texts: { 'kit.act.of': '{act}: {name}' } });
  expect(t('kit.act.of', { act: 'Members', name: 'x' })).toBe('\u200f\u2068Members\u2069: \u2068x\u2069');
});

test('a value by which words are chosen chooses them from right to left too', () => {
  speech.set({ ...speech.get(), texts: { 'alert.what.geofence': '{when, select, left {غادر {fence}} other {خارج}}' } });
  expect(t('alert.what.geofence', { when: 'left', fence: 'Depot' })).toBe('غادر \u2068Depot\u2069');
});

test('a value in words from left to right stays as it is', () => {
  speech.set({ ...speech.get(), lang: 'en', textLang: 'en', texts: { 'kit.table.actsOf': 'Actions for {name}' } });
  expect(t('kit.table.actsOf', { name: 'V1-000001' })).toBe('Actions for V1-000001');
});
