import type { Page } from 'playwright-core';

/**
 * The page has its heading and nothing on it is still being loaded. That the network rests is waited for only a while: what a person sees decides,
 * and a page that follows a busy fleet may never be silent.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1:visible, h2:visible').first().waitFor();
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined);
  await page.locator('[aria-busy=true]:visible').first().waitFor({ state: 'detached' });
}
