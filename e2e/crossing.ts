import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Platform } from './addresses.ts';
import { settled } from './settled.ts';

export const home = { centre: '/welcome', manager: '/device/all' } as const;
export const named = { centre: 'Operations', manager: 'Customer' } as const;
const words = {
  en: { named, switchTo: (name: string) => `Switch to ${name}`, menu: 'Menu' },
  'zh-CN': { named: { centre: '运维平台', manager: '客户平台' }, switchTo: (name: string) => `切换到${name}`, menu: '菜单' },
} as const;
type Lang = keyof typeof words;
export const other = { centre: 'manager', manager: 'centre' } as const satisfies Record<Platform, Platform>;

export const platformOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('mooring.platform'));

/** The two ways from one platform to the other. */
export const switchBy = {
  menu: async (page: Page, to: Platform, lang: Lang = 'en') => {
    const names = words[lang].named;
    await page.getByRole('button', { name: names[other[to]], exact: false }).first().click();
    await page.getByRole('menuitem', { name: names[to], exact: true }).click();
  },
  palette: async (page: Page, to: Platform, lang: Lang = 'en') => {
    const { named: names, switchTo } = words[lang];
    await page.keyboard.press('Control+k');
    // In full: a page that was seen lately may begin with the platform's name.
    await page.getByRole('dialog').last().getByRole('combobox').fill(switchTo(names[to]));
    await page.getByRole('option', { name: switchTo(names[to]) }).waitFor();
    await page.keyboard.press('Enter');
  },
} as const;

/** The other platform's own home, with its menu, and still there when everything has come to rest. */
export async function arrives(page: Page, to: Platform, from: string, lang: Lang = 'en'): Promise<void> {
  await page.waitForURL(`**${home[to]}`);
  await page.getByRole('navigation', { name: words[lang].menu }).locator('[aria-current=page]').waitFor();
  await settled(page);
  expect({ from, at: new URL(page.url()).pathname, platform: await platformOf(page) }).toEqual({ from, at: home[to], platform: to });
}
