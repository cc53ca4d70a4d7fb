import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Parts of a page as a person names them. Pages that were left stay in the document: what isn’t seen doesn’t count. */
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true }).filter({ visible: true });
export const dialog = (page: Page): Locator => page.getByRole('dialog').last();
const labelled = (name: string) => new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`);
export const field = (page: Page, name: string): Locator => page.getByLabel(labelled(name)).filter({ visible: true });
export const dialogField = (page: Page, name: string): Locator => dialog(page).getByLabel(labelled(name));
export const rowOf = (page: Page, name: RegExp): Locator => page.getByRole('row', { name }).filter({ visible: true }).first();

/** The button at the foot of the open dialog. */
export const send = (page: Page, name: string): Promise<void> => dialog(page).getByRole('button', { name, exact: true }).click();
export const said = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).filter({ visible: true }).first().waitFor();
export const openTab = (page: Page, name: RegExp | string): Promise<void> =>
  page.getByRole('tab', { name }).filter({ visible: true }).click();

/** An act of a row, out of the menu that it has. */
export async function act(page: Page, row: RegExp, name: string): Promise<void> {
  await rowOf(page, row)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** A picture of the whole page for whoever asked for them by `LOOK`, a folder. */
export async function look(page: Page, name: string): Promise<void> {
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
}

/** Through the wizard of a release, from what is released to its review, with nothing else chosen. */
export async function toReview(page: Page): Promise<void> {
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button(page, 'Next').click();
    await page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
  }
}
