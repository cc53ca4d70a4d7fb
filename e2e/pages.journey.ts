import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inTurn } from '../tools/suite/sweep.ts';
import { addressesAt, furtherAddresses, type Platform, patternsOf, platforms, publicAddresses } from './addresses.ts';
import { ADMIN } from './api.ts';
import { axe, axeColours, keepAxe } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { arrives, other, switchBy } from './crossing.ts';
import { everyRow } from './every-row.ts';
import { cutTables, cutWords, overflow } from './fits.ts';
import { beginsBeforeFields, mayRefuse, refusedForm } from './refused-form.ts';
import { allDrawn, settled, turn } from './settled.ts';
import { type Stack, startDemo } from './stack.ts';
import { arrive, type Look, speak, visit } from './visit.ts';

/**
 * Every page whose turn it is is loaded once, on a telephone's width, and looked at there in both widths, themes and languages, which are changed on it as a
 * person does: loading it costs more than looking.
 */
let stack: Stack;
let browser: Browser;
let shown: Page | undefined;
let forms = 0;
let rows: Awaited<ReturnType<typeof everyRow>>;

beforeAll(async () => {
  const demo = await startDemo();
  ({ stack } = demo);
  rows = await everyRow(demo);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await shown?.screenshot({
      path: join(import.meta.dirname, '../.cache/journeys', `${task.name.replaceAll(/\W+/g, '-').slice(0, 60)}.png`),
    });
  shown = undefined;
});

const narrow = async (page: Page) => [...(await cutWords(page)), ...(await overflow(page))];
const wide = async (page: Page) => [...(await bareKeys(page)), ...(await cutTables(page)), ...(await narrow(page))];

/** Before: English, light, 390 px. After: English, dark, 1440 px. */
const inEnglish = async (page: Page) => {
  const found = [...(await axeColours(page)), ...(await narrow(page))].map((one) => `light, 390 px: ${one}`);
  await turn(page, 'dark', 1440);
  return [...found, ...(await axe(page)), ...(await wide(page))];
};
/** Before: Chinese, dark, 1440 px. After: Chinese, light, 390 px. */
const inChinese = async (page: Page) => {
  const found = await wide(page);
  await turn(page, 'light', 390);
  return [...found, ...(await narrow(page)).map((one) => `light, 390 px: ${one}`)];
};

async function signedIn(platform: Platform, look: Look) {
  const begun = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform, look });
  await keepAxe(begun.page);
  return begun;
}

/** A page of both platforms stays on the one where the tab is; its language is the browser's. */
async function openOn(page: Page, platform: Platform, path: string, lang: Look['lang']): Promise<void> {
  await page.evaluate(
    ([on, spoken]) => {
      sessionStorage.setItem('mooring.platform', on);
      localStorage.setItem('mooring.lang', spoken);
    },
    [platform, lang] as const,
  );
  await page.goto(`${stack.url}${path}`);
  await page.locator(`html[lang="${lang}"]`).waitFor({ state: 'attached' });
  await settled(page);
  await allDrawn(page);
}

/** The form of a page, opened anew, leads to what is wrong with it. */
async function refusedAt(page: Page, platform: Platform, path: string): Promise<string[] | undefined> {
  await openOn(page, platform, path, 'zh-CN');
  return refusedForm(page);
}

/** One browser for each platform, as a person's day has one. */
const days = new Map<Platform, ReturnType<typeof signedIn>>();
function day(platform: Platform) {
  const begun = days.get(platform) ?? signedIn(platform, { theme: 'light', width: 390, lang: 'en' });
  days.set(platform, begun);
  return begun;
}
const declared = inTurn(platforms.flatMap((platform) => patternsOf(platform).map((pattern) => [platform, pattern] as const)));
const further = inTurn(platforms.flatMap((platform) => furtherAddresses[platform].map((path) => [platform, path] as const)));

/** What the steps find wrong at each address of a pattern, with what its page says of itself. */
async function lookAt(
  visit: Awaited<ReturnType<typeof signedIn>>,
  addresses: readonly string[],
  steps: (path: string) => Promise<string[]>,
) {
  shown = visit.page;
  const found: string[] = [];
  for (const path of addresses) found.push(...[...(await steps(path)), ...visit.wrong.splice(0)].map((one) => `${path}: ${one}`));
  expect(found).toEqual([]);
}

describe('a page', () => {
  afterAll(async () => {
    for (const begun of days.values()) await (await begun).context.close();
  });

  test.each(declared)(
    '%s %s stands, the other platform is reached from it, it changes its language, and its form leads to what is wrong',
    async (platform, pattern) => {
      const visit = await day(platform);
      const { page } = visit;
      await lookAt(visit, addressesAt(pattern, rows), async (path) => {
        await openOn(page, platform, path, 'en');
        const hasForm = await mayRefuse(page);
        const found = [...(await beginsBeforeFields(page)), ...(await inEnglish(page))];
        await speak(page, 'zh-CN');
        await settled(page);
        found.push(...(await inChinese(page)).map((one) => `in Chinese: ${one}`));
        await page.setViewportSize({ width: 1440, height: 900 });
        await switchBy[path.length % 2 === 0 ? 'menu' : 'palette'](page, other[platform], 'zh-CN');
        await arrives(page, other[platform], path, 'zh-CN');
        // Last of all: what is typed into a form would be asked about on the way.
        const refused = hasForm ? await refusedAt(page, platform, path) : undefined;
        if (refused) forms += 1;
        await page.setViewportSize({ width: 390, height: 900 });
        return [...found, ...(refused ?? [])];
      });
    },
  );

  // Something may lie over these, and over what changes their language.
  test.each(further)('%s %s stands in both languages', async (platform, path) => {
    const visit = await day(platform);
    await lookAt(visit, [path], async () => {
      await openOn(visit.page, platform, path, 'en');
      const found = await inEnglish(visit.page);
      await openOn(visit.page, platform, path, 'zh-CN');
      return [...found, ...(await inChinese(visit.page)).map((one) => `in Chinese: ${one}`)];
    });
  });

  test('forms were met that refuse', () => {
    expect(forms).toBeGreaterThan(10);
  });
});

test.each(['light', 'dark'] as const)('axe finds nothing in the palette, %s', async (theme) => {
  const { page } = await signedIn('centre', { theme, width: 1440, lang: 'en' });
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('listbox').waitFor();
  const found = await axe(page);
  await page.context().close();
  expect(found).toEqual([]);
});

test.each([
  ['en', { theme: 'light', width: 390 }, inEnglish],
  ['zh-CN', { theme: 'dark', width: 1440 }, async (page: Page) => [...(await axe(page)), ...(await inChinese(page))]],
] as const)('the doors stand in %s', async (lang, { theme, width }, look) => {
  const { page, wrong } = await arrive(browser, stack.url, { theme, width, lang });
  await keepAxe(page);
  shown = page;
  const found: string[] = [];
  for (const path of publicAddresses) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${stack.url}${path}`);
    await settled(page);
    found.push(...[...(await look(page)), ...wrong.splice(0)].map((one) => `${path}: ${one}`));
  }
  await page.context().close();
  expect(found).toEqual([]);
});
