import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
const look = (name: string) => process.env.LOOK && page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });

beforeAll(async () => {
  stack = await startStack();
  await administrator(stack.url, stack.password);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
const act = async (name: string, label: string) => {
  await row(name)
    .getByRole('button', { name: /More|Actions/ })
    .click();
  await page.getByRole('menuitem', { name: label }).click();
};

test('a job is run by hand, and its run and who started it stand in its log', async () => {
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Scheduled jobs', exact: true }).click();
  await row('Remove old messages').getByText('Daily at 03:37 UTC').waitFor();
  await look('jobs');
  await act('Remove old messages', 'Run now');
  await page.getByText('Job started').waitFor();
  await row('Remove old messages').getByText('Done').waitFor();
  await row('Remove old messages').getByText('Daily at').click();
  const drawer = page.getByRole('dialog', { name: 'Runs of Remove old messages' });
  await drawer
    .getByRole('row', { name: /Manual/ })
    .getByText('Administrator')
    .waitFor();
  await drawer.getByRole('heading', { name: 'The last two weeks' }).waitFor();
  await drawer.getByText(/1 run, none failed/).waitFor();
  await look('job runs');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
});

test('its schedule is changed, what is wrong is said, and a reload finds it; paused and resumed', async () => {
  await act('Remove old messages', 'Change schedule');
  const dialog = page.getByRole('dialog', { name: /Change schedule/ });
  const submit = dialog.getByRole('button', { name: 'Change schedule' });
  await choose(dialog.getByLabel('Runs', { exact: true }), 'Weekly');
  await choose(dialog.getByLabel('Day of the week', { exact: true }), 'Saturday');
  const at = dialog.getByLabel('Time (UTC)', { exact: true });
  await at.fill('25:00');
  await submit.click();
  await dialog.getByText('Enter a time such as 03:30.').waitFor();
  await look('job change');
  await at.fill('02:30');
  await submit.click();
  await dialog.waitFor({ state: 'hidden' });
  await row('Remove old messages').getByText('Saturday at 02:30 UTC').waitFor();
  await act('Remove old messages', 'Pause');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await row('Remove old messages').getByText('Paused').waitFor();
  await page.reload();
  await row('Remove old messages').getByText('Saturday at 02:30 UTC').waitFor();
  await act('Remove old messages', 'Resume');
  await row('Remove old messages').getByText('Normal').waitFor();
  // One by minutes goes by what an hour divides into.
  await act('Sample online terminals', 'Change schedule');
  await choose(dialog.getByLabel('Minutes between two runs', { exact: true }), '15');
  await look('job minutes');
  await submit.click();
  await row('Sample online terminals').getByText('Every 15 minutes').waitFor();
  await page.getByRole('tab', { name: 'Runs', exact: true }).click();
  await page
    .getByRole('row', { name: /Remove old messages/ })
    .first()
    .waitFor();
  await look('all runs');
  expect(await page.getByRole('row', { name: /Failed/ }).count()).toBe(0);
});
