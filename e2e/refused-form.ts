import type { Page } from 'playwright-core';

/** Whether a page of fields begins before its first one: to be asked as it opened. */
export async function beginsBeforeFields(page: Page): Promise<string[]> {
  const isPage = (await page.locator('h1[tabindex="-1"], h2[tabindex="-1"]').count()) > 0;
  const head = await page.evaluate(() => document.activeElement?.tagName);
  return isPage && !/^H\d$/.test(head ?? '') ? [`begins at ${head}`] : [];
}

/** Lower than any form is long. */
const LOW = { width: 1000, height: 420 };

const formOf = (page: Page) => page.locator('form.m-form:visible').first();
const saveOf = (page: Page) => formOf(page).locator('button[type=submit]');
/** Whether a page has a form that can be sent. */
export const mayRefuse = async (page: Page): Promise<boolean> => (await saveOf(page).count()) > 0 && (await saveOf(page).isEnabled());

/**
 * The form of a page, filled in too long and sent, leads to what is wrong with it.
 * @returns what is wrong with that; `undefined` where the page has no form that refuses.
 */
export async function refusedForm(page: Page): Promise<string[] | undefined> {
  if (!(await mayRefuse(page))) return undefined;
  const [form, save] = [formOf(page), saveOf(page)];
  await page.setViewportSize(LOW);
  // Too long for any of them: the last one is the farthest from where it is said.
  const texts = form.locator(
    'input:enabled:not([type=radio], [type=checkbox], [type=file], [role=combobox], [readonly], [hidden]), textarea:enabled',
  );
  if ((await texts.count()) > 0) await texts.last().fill('9'.repeat(5000));
  await save.scrollIntoViewIfNeeded();
  await save.click();
  const problems = form.locator('.m-problems');
  if ((await problems.count()) === 0) return undefined;
  const at = await problems.evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    return { focused: document.activeElement === box, seen: top >= 0 && Math.min(bottom, top + 40) <= innerHeight };
  });
  return at.focused && at.seen ? [] : [`a refused form: ${JSON.stringify(at)}`];
}
