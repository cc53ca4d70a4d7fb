import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textTables } from '@mooring/contract/texts';
import { expect, it } from 'vitest';
import { filesOf, readManifest, sentSize } from './first-load.ts';

const built = existsSync(join(import.meta.dirname, 'dist', '.vite', 'manifest.json'));

it('counts every file once, whatever imports it', () => {
  const manifest = {
    a: { file: 'a.js', imports: ['c'], css: ['a.css'] },
    b: { file: 'b.js', imports: ['c', 'a'] },
    c: { file: 'c.js', imports: ['a'] },
    d: { file: 'd.js' },
  };
  expect(filesOf(manifest, ['a', 'b']).sort()).toEqual(['a.css', 'a.js', 'b.js', 'c.js', 'index.html']);
});

/**
 * Design: 450 kB brotli and 25 requests to a usable list. The calls of the way there are languages, texts, branding, user, project
 * config, countries, menu, figures, table settings, the page, and the live line.
 */
const CALLS = 11;
const list = 'src/features/device/device-list.page.ts';

it.skipIf(!built)('a list is usable after 450 kB and 25 requests', () => {
  const manifest = readManifest();
  expect(Object.keys(manifest)).toContain(list);
  const late = Object.keys(manifest).filter((name) => /ui\/date-range\.tsx$|locale\/zh_CN/.test(name));
  const files = filesOf(manifest, ['index.html', list, ...late]);
  const size = files.reduce((sum, file) => sum + sentSize(file), 0);
  expect(
    { size: size < 450_000, requests: files.length + CALLS <= 25 },
    `${Math.round(size / 1000)} kB in ${files.length} files: ${files.join(', ')}`,
  ).toEqual({ size: true, requests: true });
});

it.skipIf(!built)('texts come with the language that is read, and are in no file of the build', () => {
  const dir = join(import.meta.dirname, 'dist/assets');
  const code = readdirSync(dir)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('\n');
  const longest = Object.entries(textTables).map(([name, table]) => {
    const [text = ''] = Object.values(table)
      .map(([, chinese]) => chinese)
      .sort((a, b) => b.length - a.length);
    return [name, text] as const;
  });
  expect(longest.filter(([, text]) => code.includes(text)).map(([name]) => name)).toEqual([]);
});

it.skipIf(!built)('the gallery stays out of the build', () => {
  expect(Object.keys(readManifest()).filter((name) => name.includes('gallery'))).toEqual([]);
});
