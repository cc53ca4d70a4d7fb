import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, bindingTags, keepAxe } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { cutWords, overflow } from './fits.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { type Look, plainLook, visit } from './visit.ts';

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

const looks: readonly Look[] = [
  { theme: 'light', width: 1440, lang: 'en' },
  { theme: 'light', width: 390, lang: 'zh-CN' },
];

const open = (look: Look, account: string, platform: 'centre' | 'manager') =>
  visit(browser, { url: stack.url, account, password, platform, look });

async function inspect(page: Page, path: string): Promise<string[]> {
  await page.goto(`${stack.url}${path}`);
  await settled(page);
  return [
    ...(await axe(page, bindingTags)).map((one) => `${path}: ${one}`),
    ...(await bareKeys(page)).map((one) => `${path}: ${one}`),
    ...(await cutWords(page)).map((one) => `${path}: ${one}`),
    ...(await overflow(page)).map((one) => `${path}: ${one}`),
  ];
}

test.each(looks)('real names stand in $theme, $width px, $lang', async (look) => {
  const found: string[] = [];
  const visits = [
    ['olga.manager', 'centre', ['/auth/person', '/auth/org', '/sys/dept?tab=invites']],
    ['aud.auditor', 'manager', ['/authAudit', '/authAudit?text=nobody-like-that', '/auth/person']],
  ] as const;
  for (const [account, platform, paths] of visits) {
    const { context, page, wrong } = await open(look, account, platform);
    await keepAxe(page);
    for (const path of paths) found.push(...(await inspect(page, path)));
    await context.close();
    found.push(...wrong);
  }
  expect(found).toEqual([]);
});

test('dialogs and drawers keep the content policy, and hold the page still', async () => {
  const { context, page, wrong } = await open(plainLook, 'mark.market', 'centre');
  await page.goto(`${stack.url}/device/fota/version`);
  await page.getByRole('button', { name: 'Upload package' }).first().click();
  await page.getByRole('dialog').waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.body).overflowY)).toBe('hidden');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await waitFor(() => page.evaluate(() => getComputedStyle(document.body).overflowY !== 'hidden'), 'the page to be let go');
  await context.close();
  expect(wrong).toEqual([]);
});
