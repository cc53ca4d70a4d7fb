import type { Locator, Page } from 'playwright-core';

/** An entry of the menu, which says how many wait there once that is known. */
export const inMenu = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: new RegExp(`^${name}(?:\\s?[\\d,]+\\+?)?$`) });

/** Opens the page of an entry. Until it is the current one, what is pressed next would be found on the page that is left. */
export async function openMenu(page: Page, name: string): Promise<void> {
  const entry = inMenu(page, name);
  await entry.click();
  await entry.and(page.locator('[aria-current=page]')).waitFor();
}
