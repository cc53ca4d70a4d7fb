import { expect, test } from 'vitest';
import { bring } from './texts.ts';
import { titleFor, titleIn } from './title.ts';

const label = { key: 'dictSheet.label', params: { language: 'Deutsch' } } as const;

test('a column that names something is called so in each language, and with no marks that nobody types', () => {
  expect(titleIn('en', label)).toBe('Label (Deutsch)');
  expect(titleIn('zh-CN', label)).toBe('标签（Deutsch）');
  bring('he', { 'dictSheet.label': 'תווית ({language})' });
  expect(titleIn('he', label)).toBe('תווית (Deutsch)');
});

test('it is answered as it reads, a plain one by its key', () => {
  expect(titleFor('en', label)).toBe('Label (Deutsch)');
  expect(titleFor('en', 'dictSheet.dict')).toBe('dictSheet.dict');
});
