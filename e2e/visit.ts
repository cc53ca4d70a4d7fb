import type { Browser, BrowserContext, Page } from 'playwright-core';
import { watchTraffic } from './settled.ts';

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly lang: 'en' | 'zh-CN' | 'ar';
}
export const plainLook: Look = { theme: 'light', width: 1440, lang: 'en' };

const spoken = { en: 'English', 'zh-CN': '简体中文', ar: 'العربية' } as const;
/** At the sign-in page: the browser of the journeys is English. */
async function speak(page: Page, lang: Look['lang']): Promise<void> {
  if (lang === 'en') return;
  await page.getByRole('button', { name: /语言|Language/ }).click();
  await page.getByRole('menuitem', { name: spoken[lang] }).click();
  await page.locator(`html[lang="${lang}"]`).waitFor({ state: 'attached' });
}

interface Visitor {
  readonly url: string;
  readonly account: string;
  readonly password: string;
  readonly platform: 'centre' | 'manager';
  readonly look?: Look;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong on the page. */
  readonly wrong: string[];
}

/** A browser of its own that has never been here, at the door. */
export async function arrive(browser: Browser, url: string, look: Look = plainLook): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: 900 },
    colorScheme: look.theme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(45_000);
  const page = await context.newPage();
  watchTraffic(page);
  const wrong: string[] = [];
  page.on('console', (line) => line.type() === 'error' && wrong.push(line.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  await page.goto(`${url}/login`);
  await speak(page, look.lang);
  return { context, page, wrong };
}

/** A person who has signed in, in a browser of their own. */
export async function visit(browser: Browser, { url, account, password, platform, look = plainLook }: Visitor): Promise<Visit> {
  const visit = await arrive(browser, url, look);
  const { page } = visit;
  await page.locator('#login-account').fill(account);
  await page.locator('#login-password').fill(password);
  if (platform === 'manager')
    await page.getByText({ en: 'Customer', 'zh-CN': '客户平台', ar: 'منصة العملاء' }[look.lang], { exact: false }).first().click();
  await page.keyboard.press('Enter');
  await page.waitForURL(platform === 'centre' ? '**/welcome' : '**/device/all');
  return visit;
}
