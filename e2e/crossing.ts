import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Platform } from './addresses.ts';
import { settled } from './settled.ts';

export const home = { centre: '/welcome', manager: '/device/all' } as const;
export const named = { centre: 'Operations', manager: 'Customer' } as const;
export const other = { centre: 'manager', manager: 'centre' } as const satisfies Record<Platform, Platform>;

export const platformOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('mooring.platform'));

/** The two ways from one platform to the other. */
export const switchBy = {
  menu: async (page: Page, to: Platform) => {
    await page.getByRole('button', { name: named[other[to]], exact: false }).first().click();
    await page.getByRole('menuitem', { name: named[to], exact: true }).click();
  },
  palette: async (page: Page, to: Platform) => {
    await page.keyboard.press('Control+k');
    // In full: a page that was seen lately may begin with the platform's name.
    await page.getByRole('combobox').last().fill(`Switch to ${named[to]}`);
    await page.getByRole('option', { name: `Switch to ${named[to]}` }).waitFor();
    await page.keyboard.press('Enter');
  },
} as const;

/** The other platform's own home, with its menu, and still there when everything has come to rest. */
export async function arrives(page: Page, to: Platform, from: string): Promise<void> {
  await page.waitForURL(`**${home[to]}`);
  await page.getByRole('navigation', { name: 'Menu' }).locator('[aria-current=page]').waitFor();
  await settled(page);
  expect({ from, at: new URL(page.url()).pathname, platform: await platformOf(page) }).toEqual({ from, at: home[to], platform: to });
}
