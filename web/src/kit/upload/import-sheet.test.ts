import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textTables } from '@mooring/contract/texts';
import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '../..');
const keys = globSync('**/*.tsx', { cwd: src }).flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/<ImportSheet[^>]*?\btake="([\w.]+)"/gs)].map(([, key = '']) => key),
);
const texts = new Map<string, readonly [string, string]>(Object.values(textTables).flatMap((table) => Object.entries(table)));

test('what an import’s button says needs the count alone', () => {
  expect(keys.length).toBeGreaterThan(4);
  for (const key of keys)
    for (const [at, text] of (texts.get(key) ?? []).entries())
      expect(new IntlMessageFormat(text, at === 0 ? 'en' : 'zh-CN').format({ count: 2 }), key).not.toBe('');
});
