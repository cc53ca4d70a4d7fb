import { explaining } from '@mooring/contract/help/explained';
import { expect, test, vi } from 'vitest';

/** Screens that explain themselves: what isn't there, and a page for those who build the console. */
const plain = (path: string) => path.startsWith('/error/') || path.startsWith('/__');

/** Of the manual's articles the line of their heads that names screens. */
const manual = Object.values(import.meta.glob<string>('../../../docs/help/en/*.md', { query: '?raw', import: 'default', eager: true }));
const articles = manual.map((text) => ({ routes: (/^routes: (.+)$/m.exec(text)?.[1] ?? '').split(',').map((one) => one.trim()) }));

test('every screen of the console has an article of the manual', async () => {
  // What the build says of itself.
  vi.stubGlobal('__GALLERY__', false);
  const { routes } = await import('./routes.ts');
  expect(articles.length).toBeGreaterThan(40);
  expect(routes.map(({ path }) => path).filter((path) => !plain(path) && explaining(articles, path).length === 0)).toEqual([]);
  // It brings in every page, on a machine that may do much else.
}, 60_000);
