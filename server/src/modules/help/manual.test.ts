import { eachMenu } from '@mooring/contract/access/menus';
import { explaining } from '@mooring/contract/help/explained';
import { keysIn } from '@mooring/contract/help/placeholders';
import { linksIn, MOST_TEXT, readMarkdown, refusedLink } from '@mooring/contract/shared/markdown';
import { describe, expect, test } from 'vitest';
import { readManual } from './manual.ts';
import { wordIn } from './said.ts';

const { articles, categories } = readManual();
const keys = new Set(articles.map(({ key }) => key));

test('every page of the menu has its article', () => {
  const urls = eachMenu().flatMap(({ url, type }) => (url && type === 2 ? [url] : []));
  expect(urls.filter((url) => explaining(articles, url).length === 0)).toEqual([]);
});

describe.each(articles)('$key', (article) => {
  const texts = [article.title, article.titleZh, article.body, article.bodyZh];
  test('names only words that the console has', () => {
    const named = [...texts, ...categories.flatMap(({ name, nameZh }) => [name, nameZh])].flatMap(keysIn);
    expect(named.filter((key) => ['en', 'zh-CN'].some((lang) => wordIn(lang, key) === undefined))).toEqual([]);
  });
  test('says the same in both languages, and leads nowhere that isn’t', () => {
    const shapeOf = (text: string) => readMarkdown(text).map(({ kind }) => kind);
    expect(shapeOf(article.bodyZh)).toEqual(shapeOf(article.body));
    expect(linksIn(article.bodyZh)).toEqual(linksIn(article.body));
    expect(article.bodyZh).toMatch(/\p{Script=Han}/u);
    const led = linksIn(article.body).filter((href) => href.startsWith('/help/'));
    expect(led.filter((href) => !keys.has(href.slice('/help/'.length)))).toEqual([]);
    expect([article.body, article.bodyZh].filter((text) => refusedLink(text) !== undefined || text.length > MOST_TEXT)).toEqual([]);
  });
  test('stands in a category that there is', () => {
    expect(categories.map(({ key }) => key)).toContain(article.category);
    expect(article.position).toBeGreaterThan(0);
  });
});
