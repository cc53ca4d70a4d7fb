import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly lang: 'en' | 'zh-CN';
}
export const plainLook: Look = { theme: 'light', width: 1440, lang: 'en' };

interface Visitor {
  readonly url: string;
  readonly account: string;
  readonly password: string;
  readonly platform: 'centre' | 'manager';
  readonly look?: Look;
}

/** A person who has signed in, in a browser of their own; what went wrong on their pages is collected. */
export async function visit(
  browser: Browser,
  { url, account, password, platform, look = plainLook }: Visitor,
): Promise<{ context: BrowserContext; page: Page; wrong: string[] }> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: 900 },
    colorScheme: look.theme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (line) => line.type() === 'error' && wrong.push(line.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.sample}`));
  });
  await page.goto(`${url}/login`);
  if (look.lang === 'en') {
    await page.getByRole('button', { name: /语言|Language/ }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
  }
  await page.locator('#login-account').fill(account);
  await page.locator('#login-password').fill(password);
  if (platform === 'manager')
    await page
      .getByText(look.lang === 'en' ? 'Customer' : '客户平台', { exact: false })
      .first()
      .click();
  await page.keyboard.press('Enter');
  await page.waitForURL(platform === 'centre' ? '**/welcome' : '**/device/all');
  return { context, page, wrong };
}
