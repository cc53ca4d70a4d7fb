import { join } from 'node:path';
import { memberCalls } from '@mooring/contract/account/member-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, api, signIn } from './api.ts';
import { axe } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo } from './stack.ts';
import { visit } from './visit.ts';

/** An approver says that they are away, first wrongly, then from when to when and with a delegate, and comes back early. */
let stack: Stack;
let browser: Browser;
let page: Page;
let wrong: string[];
let password = '';

beforeAll(async () => {
  ({ stack, password } = await startDemo());
  const managing = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const rosa = (await managing.call(memberCalls.page, { criteria: { text: 'rosa.region' } })).content[0];
  const roleIds = rosa?.roles.map((role) => role.id) ?? [];
  await managing.call(memberCalls.add, { account: 'remy.region', userName: 'Remy Almeida', deptId: rosa?.deptId, roleIds });
  browser = await launchBrowser();
  ({ page, wrong } = await visit(browser, { url: stack.url, account: 'rosa.region', password, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const dialog = () => page.getByRole('dialog').last();
async function look(name: string): Promise<void> {
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
}
const two = (count: number) => String(count).padStart(2, '0');
/** A moment as it is typed. */
const typed = (days: number) => {
  const at = new Date(Date.now() + days * 86_400_000);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} 08:00`;
};
async function type(label: string, words: string): Promise<void> {
  await dialog().getByLabel(label, { exact: true }).fill(words);
  await page.keyboard.press('Enter');
}

test('from the account to a delegate: nothing is left out, the times must fit, and who decides is shown until it ends', async () => {
  await page.goto(`${stack.url}/account`);
  await page.getByRole('link', { name: 'Manage absences' }).click();
  await page.getByText('No absence planned').waitFor();
  await page.getByRole('button', { name: 'Add absence', exact: true }).click();
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await dialog().getByText('Required').first().waitFor();
  await look('absence-empty');
  await dialog().getByLabel('Delegate', { exact: true }).click();
  await page.getByText('Remy Almeida', { exact: true }).last().click();
  await type('From', typed(3));
  await type('Until', typed(2));
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await dialog().getByText('The absence must end after it begins').waitFor();
  await look('absence-wrong');
  await type('Until', typed(9));
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await dialog().waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByText('Delegate: Remy Almeida').waitFor();
  await look('absence-light');
  await page.setViewportSize({ width: 390, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('absence-dark-390');
  await page.getByRole('button', { name: /^End absence/ }).click();
  await dialog().getByRole('button', { name: 'End absence', exact: true }).click();
  await page.getByText('No absence planned').waitFor();
  expect(wrong).toEqual([]);
});
