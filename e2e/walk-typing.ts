import type { Locator, Page } from 'playwright-core';

/** Fields that take a text. */
export const TEXT =
  'input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [role=combobox], [readonly], :disabled):visible, textarea:not(:disabled):visible';
const TICK = 'input[type=checkbox]:not(:disabled), input[type=radio]:not(:disabled, :checked), [role=switch]:not(:disabled)';

/** Fills in something, as the first field of the form takes it. False where no field takes anything. */
export async function typeInto(page: Page, dialog: Locator): Promise<boolean> {
  const text = dialog.locator(TEXT).first();
  if ((await text.count()) > 0) {
    await text.click();
    await page.keyboard.press('End');
    await page.keyboard.type('7');
    return true;
  }
  const select = dialog.locator('.ant-select:visible:not(.ant-select-disabled)').first();
  if ((await select.count()) > 0) {
    await select.click();
    const option = page.locator('.ant-select-dropdown:visible .ant-select-item-option:not(.ant-select-item-option-selected)').first();
    await option.click();
    await page.keyboard.press('Tab');
    return true;
  }
  const tick = dialog.locator(TICK).first();
  if ((await tick.count()) === 0) return false;
  await tick.click();
  return true;
}
