import { expect, test } from 'vitest';
import { explaining } from './explained.ts';
import { keysIn, withWords } from './placeholders.ts';

const articles = [{ routes: ['/device/fota'] }, { routes: ['/device/fota/version', '/notice'] }, { routes: ['/notice'] }, { routes: [] }];
test.each([
  ['/device/fota', [0]],
  ['/device/fota/taskmod/:id/edit', [0]],
  ['/device/fota/version/:id', [1]],
  ['/device/fotaX', []],
  ['/notice/new', [1, 2]],
  ['/', []],
  ['', []],
])('%s is explained by the articles that name it most exactly', (route, expected) => {
  expect(explaining(articles, route)).toEqual(expected.map((at) => articles[at]));
});

test('a label is said by its key, and what names nothing stays as it is written', () => {
  const word = (key: string) => ({ 'menu.notice': '**Notices**' })[key];
  expect(withWords('See {{menu.notice}} and {{ menu.notice }}.', word)).toBe('See **Notices** and **Notices**.');
  expect(withWords('{{menu.none}} {{}} {menu.notice} {{{menu.notice}}}', word)).toBe('{{menu.none}} {{}} {menu.notice} {**Notices**}');
  expect(keysIn('{{a.b}} {{ c }} {{d')).toEqual(['a.b', 'c']);
});
