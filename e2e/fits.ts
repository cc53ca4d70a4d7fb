import type { Page } from 'playwright-core';

/** Lists whose columns don't stand in the width of the page. */
export const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.m-table-frame')]
      .filter((frame) => frame.clientWidth > 0 && frame.scrollWidth > frame.clientWidth + 1)
      .map((frame) => `a table of ${frame.scrollWidth} px in ${frame.clientWidth}`),
  );

/** A page that scrolls sideways. */
export const overflow = async (page: Page): Promise<string[]> => {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return wider > 0 ? [`scrolls sideways by ${wider} px`] : [];
};

/** Words of the console that end in dots: in its menus, heads, buttons, tabs and cards. What people named may be long. */
export const cutWords = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '.m-nav span, .m-topbar button, .m-page-head *, h2, h3, .m-tab, .m-card-head *, .ant-btn, .m-field-label',
      ),
    ]
      .filter((one) => one.children.length === 0 && one.offsetParent !== null && getComputedStyle(one).textOverflow === 'ellipsis')
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `cuts “${one.textContent}”`),
  );
