import { join } from 'node:path';
import { eachMenu } from '@mooring/contract/access/menus';
import { languageCalls } from '@mooring/contract/language/calls';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTurn } from '../tools/suite/sweep.ts';
import { type Platform, platforms } from './addresses.ts';
import { ADMIN } from './api.ts';
import { bareChoices } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { everyRow } from './every-row.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo } from './stack.ts';
import { visit } from './visit.ts';
import { closeAll, overlays } from './walk-dialogs.ts';
import { leadNowhere, type Walk, walkPage } from './walk-page.ts';
import { watchSuccesses } from './walk-success.ts';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  const demo = await startDemo();
  ({ stack } = demo);
  await everyRow(demo);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function enter(platform: Platform): Promise<Walk> {
  const { page, wrong } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform });
  await watchSuccesses(page, wrong);
  page.on('response', (answer) => {
    if (!answer.url().includes('/ops/')) return;
    if (answer.status() >= 500) wrong.push(`${answer.status()} ${answer.url()}`);
    // All texts of a language: to hand them out of the browser at each page takes longer than the page; a failure has its status.
    if (answer.url().includes(languageCalls.findByCriteria.path)) return;
    void answer
      .json()
      .then((body: { code?: number }) => Number(body?.code) >= 500 && wrong.push(`code ${body.code} ${answer.url()}`))
      .catch(() => undefined);
  });
  return { page, url: stack.url, take: () => wrong.splice(0), met: { opened: [], nowhere: [], discarded: [] } };
}

/** One browser for each platform: an entry's turn begins where the one before ended, as a person's day does. */
const walks = new Map<Platform, Promise<Walk>>();
const walkOn = (platform: Platform): Promise<Walk> => {
  const begun = walks.get(platform) ?? enter(platform);
  walks.set(platform, begun);
  return begun;
};
const entriesOf = (platform: Platform) =>
  eachMenu().flatMap((node) => (node.type === 2 && node.url !== undefined && node.platforms.includes(platform) ? [node.url] : []));
const entries = inTurn(platforms.flatMap((platform) => entriesOf(platform).map((path) => [platform, path] as const)));
const isWalked = (platform: Platform, place: string) => entries.some(([on, path]) => on === platform && path === place.split(' ')[0]);

describe('every entry of the menu whose turn it is', () => {
  afterAll(async () => {
    for (const begun of walks.values()) await (await begun).page.context().close();
  });

  test.each(entries)(
    '%s %s: rows open by mouse, tabs, dialogs and empty forms answer, what was typed is asked about',
    async (platform, path) => {
      const walk = await walkOn(platform);
      const found = await walkPage(walk, path).catch(async (error) => {
        await walk.page.screenshot({ path: join(import.meta.dirname, `../.cache/journeys/walk${path.replaceAll('/', '-')}.png`) });
        await walk.page.reload();
        return [`${path}: ${String(error).split('\n')[0]}`];
      });
      expect(found).toEqual([]);
    },
  );

  test.each(platforms)('the menu of %s is what was walked, and rows, dead ends and typed forms were met', async (platform) => {
    const { page, met } = await walkOn(platform);
    const shown = await page
      .getByRole('navigation', { name: 'Menu' })
      .locator('a.m-nav')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    expect(shown.toSorted()).toEqual(entriesOf(platform).toSorted());
    // A list that has no rows any more, or a form that isn't typed into, would say nothing.
    const nowhere = Object.keys(leadNowhere[platform]).filter((place) => isWalked(platform, place));
    expect(met.nowhere.toSorted()).toEqual(nowhere.toSorted());
    expect(met.opened.length).toBeGreaterThan(5);
    expect(met.discarded.length).toBeGreaterThan(5);
  });
});

/** What acts at once isn't tried; what opens a dialog is left by Escape, wherever the keyboard stands. */
test('Escape leaves each dialog of one’s own account', async () => {
  const { page } = await enter('centre');
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
    await dialog.waitFor({ state: 'hidden', timeout: 20_000 }).catch(() => found.push(name));
    await closeAll(page);
  }
  await page.context().close();
  expect(found).toEqual([]);
  expect(opened).toBeGreaterThan(2);
});
