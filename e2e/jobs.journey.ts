import { join } from 'node:path';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { openMenu } from './menu.ts';
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
  await openMenu(page, 'Scheduled jobs');
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

/** As whoever looks after the database does it by mistake, and puts it right. */
async function asOperator(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databaseUrl() });
  await client.connect();
  await client.query(statement);
  await client.end();
}

test('one that fails says so by itself, leads to why, and is run again when that is mended', async () => {
  const name = 'Remove old webhook deliveries';
  // All of them on one page.
  await page.goto(`${stack.url}/sched/job/page?j.size=100`);
  await asOperator('revoke delete on settings_webhook_delivery from mooring_system');
  await act(name, 'Run now');
  await row(name).getByText('Failed').waitFor();
  await look('job failed');
  // What watches them comes every five minutes by itself; it is a job like any other.
  await act('Watch scheduled jobs', 'Run now');
  const popup = page.getByText(`Scheduled job “${name}” failed: `, { exact: false });
  await popup.waitFor();
  expect(await popup.textContent()).toContain('permission denied for table settings_webhook_delivery');
  await look('job alarm');
  await page
    .getByRole('alert')
    .or(page.getByRole('status'))
    .filter({ hasText: name })
    .getByRole('button', { name: 'Open', exact: true })
    // By keyboard: what says that the job has started may lie above it for some seconds.
    .press('Enter');
  await page.getByRole('dialog').getByText('permission denied', { exact: false }).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Open', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: `Runs of ${name}` });
  await drawer
    .getByRole('row', { name: /Failed/ })
    .getByText('permission denied', { exact: false })
    .waitFor();
  await drawer.getByText(/1 run, 1 failed/).waitFor();
  await look('job failed runs');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await page.goto(`${stack.url}/sched/job/page?j.size=100`);
  await asOperator('grant delete on settings_webhook_delivery to mooring_system');
  await act(name, 'Run now');
  await row(name).getByText('Done').waitFor();
  await act('Watch scheduled jobs', 'Run now');
  await row('Watch scheduled jobs').getByText('Done').waitFor();
  // It has told once what went wrong once.
  await page.goto(`${stack.url}/manager/message`);
  await page.getByRole('row', { name: new RegExp(name) }).waitFor();
  expect(await page.getByRole('row', { name: new RegExp(name) }).count()).toBe(1);
});
