import type { Locator, Page } from 'playwright-core';

/** An entry of the menu, which says how many wait there once that is known. */
export const inMenu = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: new RegExp(`^${name}(?:\\s?[\\d,]+\\+?)?$`) });
