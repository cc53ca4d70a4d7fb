import { join } from 'node:path';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { declaredRoutes } from '../tools/declared/routes.ts';
import { sourceFiles } from '../tools/guards/source-files.ts';
import { ADMIN, api, signIn } from './api.ts';
import { axe } from './axe.ts';
import { bareChoices, bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { type Look, visit } from './visit.ts';

type Platform = 'centre' | 'manager';
const platforms = ['centre', 'manager'] as const;

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  ({ stack } = await startDemo());
  const admin = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  // Codes that would be read wherever rights are shown one by one.
  await admin.call(tokenCalls.add, { name: 'Ledger export', scopes: ['device:all:page', 'audit:footprint:end'] });
  await admin.call(systemSettingCalls.unauthenticated, { withheld: ['device:all:export', 'firmware:task:export'] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const routes = declaredRoutes(sourceFiles());
const pagesOf = (platform: Platform): string[] => [
  ...new Set(
    routes
      .filter((one) => one.permission !== 'public' && !one.path.includes(':') && (one.platform ?? platform) === platform)
      .map((one) => one.path),
  ),
];

interface Watch {
  readonly page: Page;
  /** What went wrong since it was last asked. */
  take(): string[];
}
async function enter(platform: Platform, look: Look): Promise<Watch> {
  const { page, wrong } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform, look });
  page.on('response', (answer) => {
    if (!answer.url().includes('/ops/')) return;
    if (answer.status() >= 500) wrong.push(`${answer.status()} ${answer.url()}`);
    void answer
      .json()
      .then((body: { code?: number }) => Number(body?.code) >= 500 && wrong.push(`code ${body.code} ${answer.url()}`))
      .catch(() => undefined);
  });
  return { page, take: () => wrong.splice(0) };
}

/** Lists whose columns don't stand in the width of the page. */
const cutTables = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.m-table-frame')]
      .filter((frame) => frame.clientWidth > 0 && frame.scrollWidth > frame.clientWidth + 1)
      .map((frame) => `a table of ${frame.scrollWidth} px in ${frame.clientWidth}`),
  );

const looks = [
  { theme: 'light', width: 1440, lang: 'en' },
  { theme: 'dark', width: 1440, lang: 'zh-CN' },
] as const;
const cases = looks.flatMap((look) => platforms.map((platform) => [platform, look.theme, look] as const));

test.each(cases)('axe finds nothing on any page of %s in %s, nor in the palette; no key is bare', async (platform, _theme, look) => {
  const { page, take } = await enter(platform, look);
  const found: string[] = [];
  for (const path of pagesOf(platform)) {
    await page.goto(`${stack.url}${path}`);
    await settled(page);
    found.push(...[...(await axe(page)), ...(await bareKeys(page)), ...(await cutTables(page)), ...take()].map((one) => `${path}: ${one}`));
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('listbox').waitFor();
  found.push(...(await axe(page)).map((one) => `palette: ${one}`));
  await page.context().close();
  expect(found).toEqual([]);
});

const overlays = (page: Page) => page.locator('[role=dialog]:visible');
/** Buttons of a dialog that read alike, so that nobody knows which is which. */
async function alike(dialog: Locator): Promise<string[]> {
  const said = (await dialog.locator('.m-dialog-foot button').allInnerTexts()).map((one) => one.trim());
  return said.filter((one, at) => said.indexOf(one) !== at).map((one) => `two buttons say ${one}`);
}
async function closeAll(page: Page): Promise<void> {
  for (let tries = 0; tries < 4 && (await overlays(page).count()) > 0; tries++) {
    const open = await overlays(page).count();
    const discard = page.getByRole('button', { name: 'Discard', exact: true });
    // What is shown this once stays until it is closed by its button.
    const close = overlays(page).last().getByRole('button', { name: 'Close', exact: true }).last();
    if (await close.isVisible()) await close.click();
    else await page.keyboard.press('Escape');
    await waitFor(async () => (await overlays(page).count()) !== open, 'an answer to Escape', 5);
    if (await discard.isVisible()) await discard.click();
  }
  await overlays(page).first().waitFor({ state: 'hidden' });
}

/** A dialog is read, sent as it opened, and answers; then Escape leaves it. */
async function tryDialog(page: Page): Promise<string[]> {
  const dialog = overlays(page).last();
  await dialog.waitFor();
  await dialog.evaluate((element) => Promise.all(element.getAnimations({ subtree: true }).map((one) => one.finished)));
  const found = [...(await axe(page)), ...(await alike(dialog)), ...(await bareKeys(page)), ...(await bareChoices(page, dialog))];
  const submit = dialog.locator('.m-dialog-foot button').last();
  if ((await submit.count()) > 0 && (await submit.isEnabled()) && (await dialog.locator('form').count()) > 0) {
    await submit.click();
    const answered = dialog.locator('[role=alert], .m-note, [aria-invalid=true], .ant-btn-loading, .m-command').first();
    const isAnswered = await Promise.race([
      answered.waitFor({ timeout: 5000 }).then(() => true),
      dialog.waitFor({ state: 'hidden', timeout: 5000 }).then(() => true),
      page
        .locator('.m-toast')
        .first()
        .waitFor({ timeout: 5000 })
        .then(() => true),
    ]).catch(() => false);
    if (!isAnswered) found.push('an empty form isn’t answered');
    found.push(...(await bareKeys(page)));
  }
  await closeAll(page);
  return found;
}

async function walkPage({ page, take }: Watch, path: string): Promise<string[]> {
  const found: string[] = [];
  const at = (what: string, list: readonly string[]) => found.push(...list.map((one) => `${path} ${what}: ${one}`));
  const again = async () => {
    await page.goto(`${stack.url}${path}`);
    await settled(page);
  };
  await again();
  // The parts of a page: its tabs, or the list at its side.
  const parts = page.getByRole('tab').or(page.locator('.m-side-item'));
  const part = (name: string) => parts.filter({ hasText: name }).first();
  const chosen = page.locator('[role=tab][aria-selected=true], .m-side-item[aria-current=page]');
  const tabs = await parts.allInnerTexts();
  for (const tab of tabs.length > 0 ? tabs : [undefined]) {
    if (tab !== undefined) {
      await part(tab).click();
      await chosen.filter({ hasText: tab }).first().waitFor();
      await settled(page);
      at(`tab ${tab}`, [...(await bareKeys(page)), ...(await bareChoices(page, page.locator('main form'))), ...take()]);
    }
    const list = page.locator('.m-list:visible').first();
    const opener = list.locator('tbody tr .m-row-open, tbody tr td a').first();
    if ((await opener.count()) > 0) {
      const before = page.url();
      const head = await page.locator('h1:visible').first().textContent();
      await opener.click();
      await page.waitForURL((url) => url.href !== before, { timeout: 5000 }).catch(() => at('first row', ['opens nothing']));
      // A page that was left is still there while the next one comes.
      const isThere = async () =>
        (await overlays(page).count()) > 0 ||
        (new URL(page.url()).pathname === path ? page.url() !== before : (await page.locator('h1:visible').first().textContent()) !== head);
      await waitFor(isThere, `what the first row of ${path} opens`, 10);
      await settled(page);
      at('first row', [...(await bareKeys(page)), ...(await axe(page)), ...take()]);
      await closeAll(page);
      if (new URL(page.url()).pathname !== path) {
        for (const inner of await page.getByRole('tab').allInnerTexts()) {
          await page.getByRole('tab', { name: inner, exact: true }).first().click();
          await settled(page);
          at(`first row, tab ${inner}`, [...(await bareKeys(page)), ...take()]);
        }
        await again();
        if (tab !== undefined) await part(tab).click();
      }
    }
    const menu = page.locator('.m-list:visible tbody [aria-haspopup=menu]').first();
    if ((await menu.count()) > 0) {
      await menu.click();
      const acts = await page.getByRole('menuitem').allInnerTexts();
      await page.keyboard.press('Escape');
      for (const act of acts) {
        await menu.click();
        const item = page.getByRole('menuitem', { name: act, exact: true }).last();
        // What acts at once isn't tried here; what asks first is.
        if (!(await item.getAttribute('class'))?.includes('danger')) {
          await page.keyboard.press('Escape');
          continue;
        }
        await item.click();
        await overlays(page)
          .first()
          .waitFor({ timeout: 5000 })
          .catch(() => at(`action ${act}`, ['isn’t asked about']));
        const dialog = overlays(page).last();
        at(`action ${act}`, [...(await alike(dialog)), ...(await bareKeys(page)), ...take()]);
        await closeAll(page);
      }
    }
  }
  await again();
  const names = await page.locator('.m-page-acts button:visible').allInnerTexts();
  for (const name of names) {
    const button = page.locator('.m-page-acts button:visible', { hasText: name }).first();
    if (!name.trim() || !(await button.isEnabled())) continue;
    const toasts = await page.locator('.m-toast').count();
    const acts = await page.locator('.m-page-acts').allInnerTexts();
    await button.click();
    const isAnswered = async () =>
      (await overlays(page).count()) > 0 ||
      new URL(page.url()).pathname !== path ||
      (await page.getByRole('menu').count()) > 0 ||
      (await page.locator('.m-toast').count()) !== toasts ||
      // What the page is in now is said by the button itself: Arrange cards, Done.
      (await page.locator('.m-page-acts').allInnerTexts()).join() !== acts.join();
    await waitFor(isAnswered, `an answer to ${name}`, 10).catch(() => at(`button ${name}`, ['isn’t answered']));
    if ((await overlays(page).count()) > 0) at(`dialog ${name}`, await tryDialog(page));
    at(`dialog ${name}`, take());
    if (new URL(page.url()).pathname !== path) await again();
    else await page.keyboard.press('Escape');
  }
  return found;
}

test.each(platforms)('every entry of the menu of %s: first row, tabs, dialogs and empty forms answer', async (platform) => {
  const watch = await enter(platform, looks[0]);
  const { page } = watch;
  await page.getByRole('navigation', { name: 'Menu' }).waitFor();
  const entries = await page
    .getByRole('navigation', { name: 'Menu' })
    .locator('a.m-nav')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  const found: string[] = [];
  for (const path of entries) {
    try {
      found.push(...(await walkPage(watch, path)));
    } catch (error) {
      await page.screenshot({ path: join(import.meta.dirname, `../.cache/journeys/walk${path.replaceAll('/', '-')}.png`) });
      found.push(`${path}: ${String(error).split('\n')[0]}`);
      await page.reload();
    }
  }
  await page.context().close();
  expect(found).toEqual([]);
});

/** What acts at once isn't tried; what opens a dialog is left by Escape, wherever the keyboard stands. */
test('Escape leaves each dialog of one’s own account', async () => {
  const { page } = await enter('centre', looks[0]);
  const buttons = page.locator('main button:visible:not(.ant-btn-color-dangerous, [role=switch], [disabled])');
  const found: string[] = [];
  await page.goto(`${stack.url}/accountSetting`);
  await settled(page);
  const names = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''));
  let opened = 0;
  for (const [index, name] of names.entries()) {
    if (/^(End|Remove|Revoke|Sign out|Save)/.test(name) || (await buttons.count()) <= index) continue;
    await buttons.nth(index).click();
    const dialog = overlays(page).last();
    if (
      !(await dialog.waitFor({ timeout: 1500 }).then(
        () => true,
        () => false,
      ))
    )
      continue;
    opened += 1;
    await settled(page);
    found.push(...(await bareChoices(page, dialog)).map((one) => `${name}: ${one}`));
    await dialog
      .locator('input:visible')
      .first()
      .focus({ timeout: 500 })
      .catch(() => undefined);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden', timeout: 3000 }).catch(() => found.push(name));
    await closeAll(page);
  }
  await page.context().close();
  expect(found).toEqual([]);
  expect(opened).toBeGreaterThan(2);
});
