import { expect, test } from 'vitest';
import { namedCountries } from './countries.ts';

const some = [
  { code: 'DE', name: 'Germany', zh: '德国' },
  { code: 'SA', name: 'Saudi Arabia', zh: '沙特阿拉伯' },
  { code: 'AT', name: 'Austria', zh: '奥地利' },
];

test.each([
  ['en', ['Austria', 'Germany', 'Saudi Arabia']],
  ['zh-CN', ['奥地利', '德国', '沙特阿拉伯']],
  ['ar', ['ألمانيا', 'المملكة العربية السعودية', 'النمسا']],
  ['de', ['Deutschland', 'Österreich', 'Saudi-Arabien']],
])('countries are named in %s, in the order of its letters', (lang, names) => {
  expect(namedCountries(some, lang).map((one) => one.label)).toEqual(names);
});

test('one that no language names keeps the server’s name', () => {
  expect(namedCountries([{ code: 'QQ', name: 'Nowhere', zh: '无' }], 'ar')).toEqual([{ value: 'QQ', label: 'Nowhere' }]);
});
