import { expect, test } from 'vitest';
import { AndroidParams, AndroidParamsKept } from './android-calls.ts';
import { TemplateFields } from './template-fields.ts';

const slow = `(${Array.from({ length: 98 }, () => '.').join('|')})*`;
const field = (key: string, more: object = {}) => ({ key, type: 'text', pattern: slow, ...more });
const wrong = (fields: readonly object[]) =>
  TemplateFields.safeParse(fields).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

test('formats that would hold the server up are refused before they read anything, one or many together', () => {
  const text = 'a'.repeat(500);
  expect(wrong(Array.from({ length: 100 }, (_, at) => field(`k${at}`, { default: text })))).toEqual([
    [expect.stringMatching(/^\d+\.pattern$/), 'invalid.patternCostly'],
  ]);
  expect(wrong(Array.from({ length: 100 }, (_, at) => field(`k${at}`, { maxLength: 10 })))).toEqual([
    [expect.stringMatching(/^\d+\.pattern$/), 'invalid.patternCostly'],
  ]);
  expect(wrong([field('one', { maxLength: 10 })])).toEqual([]);
  // What people write: an address, a number, a code of a shop.
  const usual = [
    String.raw`((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`,
    String.raw`\d{6,12}`,
    '[A-Z]{3}-[0-9]{5}',
  ];
  expect(wrong(usual.map((pattern, at) => ({ key: `k${at}`, type: 'text', pattern })))).toEqual([]);
});

test('fields that come with the values of a release have the same budget, and a release is read without them', () => {
  const fields = Array.from({ length: 100 }, (_, at) => field(`k${at}`, { default: 'a'.repeat(500) }));
  const sent = { templateId: 1, action: 'config', values: { k1: 'x' }, fields };
  expect(AndroidParams.safeParse(sent).error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['values', 'invalid.params'],
  ]);
  expect(AndroidParamsKept.safeParse(sent).success).toBe(true);
});
