import type { Locator } from 'playwright-core';
import { waitFor } from './stack.ts';

/**
 * Opens a select, types where it can be searched, and takes the option as it stands when the answer is there: one that is clicked while the
 * list still narrows has moved away from under the pointer.
 */
export async function choose(box: Locator, option: string): Promise<void> {
  const page = box.page();
  await box.click();
  const options = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option').filter({ visible: true });
  if (await box.isEditable()) {
    await page.keyboard.type(option);
    await waitFor(async () => {
      const shown = await options.allTextContents();
      return shown.length > 0 && shown.every((one) => one.toLowerCase().includes(option.toLowerCase()));
    }, `the options for “${option}”`);
  }
  await options.filter({ hasText: option }).last().click();
  // A list of several stays open, and covers what stands below it.
  const several = box.locator('xpath=ancestor::*[contains(concat(" ", @class, " "), " ant-select-multiple ")]');
  if ((await several.count()) > 0) await page.keyboard.press('Escape');
  // A key that comes while it still closes is its own: Tab would choose once more.
  await options.first().waitFor({ state: 'hidden' });
}
