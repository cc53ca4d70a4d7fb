import { expect, it } from 'vitest';
import { preferredLanguage } from './language.ts';

const published = ['en', 'zh-CN', 'pt-BR'].map((langCode) => ({ langCode, language: langCode }));

it.each([
  ['an English browser', ['en-GB', 'en'], 'en'],
  ['a Chinese browser', ['zh-CN', 'en'], 'zh-CN'],
  ['Chinese of another place', ['zh-TW'], 'zh-CN'],
  ['the first that is published', ['de-DE', 'de', 'en-US'], 'en'],
  ['the whole tag, in any case', ['PT-br'], 'pt-BR'],
  ['the language alone', ['pt-PT', 'en'], 'pt-BR'],
  ['none that is published', ['de'], 'zh-CN'],
  ['no wish at all', [], 'zh-CN'],
])('%s', (_name, wishes, found) => expect(preferredLanguage(wishes, published)).toBe(found));
