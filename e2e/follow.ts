import type { Page } from 'playwright-core';
import { settled } from './settled.ts';

/** To an address as a link of the console leads there, without loading the console again; loaded again where the page stands there already. */
export async function follow(page: Page, address: string): Promise<void> {
  if (page.url() === address) await page.goto(address);
  else
    await page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    }, address);
  await settled(page);
}
