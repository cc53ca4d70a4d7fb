import { allPermissions } from '@mooring/contract/access/menus';
import { textTables } from '@mooring/contract/texts';
import type { Locator, Page } from 'playwright-core';

const keys = new Set(Object.values(textTables).flatMap((table) => Object.keys(table)));
/** What stands beside texts that there are is one that is missing. */
const families = new Set([...keys].filter((key) => key.split('.').length > 2).map((key) => key.slice(0, key.lastIndexOf('.'))));
const isMissing = (key: string) => families.has(key.slice(0, key.lastIndexOf('.')));
const areas = [...new Set([...keys].map((key) => key.split('.')[0]))].join('|');
const bareKey = new RegExp(`(?<![\\w./-])(?:${areas})\\.[a-zA-Z]\\w*(?:\\.\\w+)*(?![\\w/-])`, 'g');
const permissions = new Set(allPermissions);
/** `firmware:task:add`: what a call asks for, which people know as the page and the button. */
const bareCode = /(?<![\w:/-])[a-z]\w*(?::\w+)+(?![\w:/-])/g;
const platformCodes = new Set(['centre', 'manager']);

/** What is written on a page, each piece on a line of its own: neighbours don't run together into a word. */
const written = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode())
      if (!walker.currentNode.parentElement?.closest('script, style, textarea')) found.push(walker.currentNode.nodeValue ?? '');
    return found;
  });

/** Keys and codes that are shown in the place of their text; what a person typed may look like one and isn't. */
export async function bareKeys(page: Page): Promise<string[]> {
  // The list of texts shows keys because they are what it lists.
  const { pathname, searchParams } = new URL(page.url());
  if (pathname === '/labelManage' && searchParams.get('tab') === 'texts') return [];
  const pieces = await written(page);
  const text = pieces.join('\n');
  const found = [
    ...(text.match(bareKey) ?? []).filter((one) => keys.has(one) || isMissing(one) || /^(invalid|fault|kit|done)\./.test(one)),
    ...(text.match(bareCode) ?? []).filter((one) => permissions.has(one)),
    ...pieces.map((one) => one.trim()).filter((one) => platformCodes.has(one)),
  ];
  return [...new Set(found)].map((key) => `shows ${key}`);
}

/** Keys in what a part of the page offers to choose from: its selects are opened one after the other. */
export async function bareChoices(page: Page, part: Locator): Promise<string[]> {
  const found: string[] = [];
  // One to type words of one's own into has no arrow, and offers nothing.
  for (const select of await part.locator('.ant-select:visible:not(.ant-select-disabled):has(.ant-select-suffix)').all()) {
    await select.click();
    const list = page.locator('.ant-select-dropdown:visible').last();
    await list.waitFor();
    await page.locator('.ant-select-loading:visible').waitFor({ state: 'hidden' });
    found.push(...(await bareKeys(page)));
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
  }
  return [...new Set(found)];
}
