import { readFileSync } from 'node:fs';
import { textTables } from '@mooring/contract/texts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, bindingTags, keepAxe } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { allDrawn, settled, turn } from './settled.ts';
import { type Stack, startDemo } from './stack.ts';
import { arrive, type Look, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';

beforeAll(async () => {
  ({ stack, password } = await startDemo());
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const wide: Look = { theme: 'light', width: 1440, lang: 'ar' };
const screens = [
  '/welcome',
  '/device/device',
  '/regDevice',
  '/device/fota',
  '/device/fota/taskmod/new',
  '/device/fota/version',
  '/task/export',
  '/accountSetting',
  '/message',
  '/sys/log',
  '/sys/dept',
  '/sys/member',
  '/sys/role',
  '/error/not-found',
];

const arabic = JSON.parse(readFileSync('server/src/modules/language/packs/ar.json', 'utf8')) as Record<string, string>;
const pairs = Object.values(textTables).flatMap((table) => Object.entries<readonly [string, string]>(table));
/** Whole English texts that the pack says otherwise, and the keys. Shorter ones may be names that somebody gave. */
const english = pairs
  .filter(([key, [text]]) => text.split(' ').length > 2 && !text.includes('{') && key in arabic && arabic[key] !== text)
  .map(([, [text]]) => text);
const keys = pairs.map(([key]) => key);

/** As it stands there now. */
async function wrongHere(page: Page): Promise<string[]> {
  const violations = await axe(page, bindingTags);
  const { dir, lang, sideways, said } = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const said: string[] = [];
    while (walker.nextNode()) said.push((walker.currentNode.textContent ?? '').trim());
    const root = document.documentElement;
    return { dir: document.dir, lang: root.lang, sideways: root.scrollWidth - root.clientWidth, said };
  });
  return [
    ...violations,
    ...(dir === 'rtl' && lang === 'ar' ? [] : [`runs ${dir} in ${lang}`]),
    ...(sideways > 0 ? ['scrolls sideways'] : []),
    ...said.filter((line) => english.includes(line)).map((line) => `says “${line}”`),
    ...said.filter((line) => keys.includes(line)).map((line) => `shows ${line}`),
  ];
}

/** Loaded once, and looked at in the light at a desk, and in the dark in a hand. */
async function inspect(page: Page, path: string): Promise<string[]> {
  await page.goto(`${stack.url}${path}`);
  await settled(page);
  await allDrawn(page);
  const found = (await wrongHere(page)).map((one) => `${path}: ${one}`);
  await turn(page, 'dark', 390);
  found.push(...(await wrongHere(page)).map((one) => `${path}, dark, 390 px: ${one}`));
  await turn(page, 'light', 1440);
  return found;
}

test('every screen is Arabic and mirrored', async () => {
  const { context, page, wrong } = await visit(browser, {
    url: stack.url,
    account: 'mark.market',
    password,
    platform: 'centre',
    look: wide,
  });
  await keepAxe(page);
  const found: string[] = [];
  for (const path of screens) found.push(...(await inspect(page, path)));
  const menu = await page.goto(`${stack.url}/welcome`).then(() => page.getByRole('main').first().boundingBox());
  if ((menu?.x ?? 1) > 0) found.push('the menu stands on the left');
  await context.close();
  expect([...found, ...wrong]).toEqual([]);
});

test('the doors are Arabic and mirrored', async () => {
  const { context, page, wrong } = await arrive(browser, stack.url, wide);
  await keepAxe(page);
  const found = [...(await inspect(page, '/login')), ...(await inspect(page, '/password')), ...(await inspect(page, '/register'))];
  await context.close();
  expect([...found, ...wrong]).toEqual([]);
});
