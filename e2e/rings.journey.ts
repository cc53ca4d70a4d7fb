import { randomBytes } from 'node:crypto';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api } from './api.ts';
import { choose } from './choose.ts';
import { uploadFirmware } from './estate.ts';
import { addPublished } from './published.ts';
import { quick, type ReleaseStack, startReleaseStack } from './release-stack.ts';
import { type Stack, waitFor } from './stack.ts';

const TERMINALS = 8;
let of: ReleaseStack;
let stack: Stack;
let page: Page;
let fleet: Fleet;
let admin: Api;
let packageId: number;
let code: string;

beforeAll(async () => {
  of = await startReleaseStack(TERMINALS, { seed: 'rings' });
  ({ admin, code, fleet, packageId, page, stack } = of);
});
afterAll(() => of?.stop());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const ring = (no: number) => page.getByRole('group', { name: `Ring ${no}`, exact: true });
const standing = (no: number) => page.getByRole('region', { name: 'Rings' }).getByRole('row', { name: new RegExp(`^Ring ${no}\\b`) });

test('rings are set in the wizard; what is wrong with one is said there, and the review says them all', async () => {
  await page.goto(`${stack.url}/device/fota/taskmod/new?package=${packageId}`);
  await page.getByLabel('Name', { exact: true }).fill('In rings');
  await button('Next').click();
  await step('Targets');
  await page.getByText(`The release would reach ${TERMINALS} terminals`).waitFor();
  await button('Next').click();
  await step('Rollout');
  await button('Release in rings').click();
  expect(await page.getByRole('group', { name: /^Ring \d$/ }).count()).toBe(3);
  // A share that doesn't grow is refused where it stands.
  await ring(2).getByLabel('Cumulative share').fill('5');
  await button('Next').click();
  await page.locator('.m-problems').getByText('Ring 2: Each share must be larger than the one before.').waitFor();
  await ring(2)
    .getByRole('button', { name: /^Remove/ })
    .click();
  await choose(ring(1).getByLabel('Terminals', { exact: true }), 'Serial numbers');
  await button('Next').click();
  await page.locator('.m-problems').getByText('Ring 1: Required').waitFor();
  const [first = '', second = ''] = fleet.terminals.map((one) => one.sn);
  await ring(1).locator('textarea').fill(`${first}\n${second}`);
  await ring(1).getByRole('switch').click();
  await button('Next').click();
  await step('Review');
  const review = page.locator('.m-facts');
  await review.getByText(/2 serial numbers .* the next ring is opened by hand/).waitFor();
  await review.getByText('All remaining terminals').waitFor();
  await page.getByText('Terminals by ring: Ring 1: 2 · Ring 2: 6').waitFor();
  await page.goBack();
  await step('Rollout');
  expect(await ring(1).locator('textarea').inputValue()).toBe(`${first}\n${second}`);
  await button('Next').click();
  await button('Release to 8 terminals').click();
  await page.waitForURL(/taskmod\/\d+$/);
});

test('the first ring is updated alone, then waits for a person, who opens the next one', async () => {
  await standing(1).getByText('Ready: open the next ring').waitFor();
  await standing(2).getByText('Not open yet').waitFor();
  const id = Number(/(\d+)$/.exec(new URL(page.url()).pathname)?.[1]);
  expect((await admin.call(taskCalls.detail, { id })).tally).toEqual({ '1': 6, '3': 2 });
  await button('Open next ring').click();
  // What it means is said of this ring, not of any.
  await page.getByRole('dialog').getByText('Ring 1 has reached its success rate. Ring 2 with 6 terminals opens now.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Open next ring' }).click();
  await standing(1).getByText('Next ring opened').waitFor();
  await standing(2).getByText('by ').waitFor();
  // On a phone nothing of it lies beyond the edge.
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.getByRole('region', { name: 'Rings' }).evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await waitFor(async () => (await admin.call(taskCalls.detail, { id })).state === 'finished', 'the release to finish', 90);
  expect(fleet.terminals.every((one) => one.journal.firmware === '2.0.0')).toBe(true);
  await page.reload();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.locator('.m-facts').getByText('the next ring is opened by hand').waitFor();
});

test('an ended release is copied with all that was set, and its package’s page names it', async () => {
  const copy = page.getByText('Copy to a new release');
  if (!(await copy.isVisible())) await button('More').click();
  await copy.click();
  await page.waitForURL(/new\?copy=/);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('In rings (copy)');
  await button('Next').click();
  await step('Targets');
  await button('Next').click();
  await step('Rollout');
  expect(await ring(1).locator('textarea').inputValue()).toContain(fleet.terminals[0]?.sn);
  await page.goto(`${stack.url}/device/fota/version/${packageId}`);
  await page.getByRole('link', { name: 'In rings', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Versions in the fleet' }).click();
  await button('Table').click();
  await page.getByRole('row', { name: '2.0.0 (this package) 8' }).waitFor();
});

test('a first-contact release waits for a terminal that nobody has added yet, and updates it when it comes', async () => {
  await page.goto(`${stack.url}/device/fota`);
  await page.getByRole('tab', { name: 'At first contact' }).click();
  await page.getByText('No first-contact releases yet').waitFor();
  await page.getByRole('link', { name: 'New first-contact release' }).or(button('New first-contact release')).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Newcomers');
  await choose(page.getByLabel('Package', { exact: true }), '2.0.0');
  await button('Next').click();
  await step('Targets');
  await button('Next').click();
  await step('Rollout');
  await button('Next').click();
  await step('Review');
  await page.getByText('365 days after it starts').waitFor();
  await button('Release').click();
  await page.waitForURL(/taskmod\/\d+$/);
  const late = startFleet({
    server: stack.url,
    count: 1,
    code,
    product: 'A920',
    seed: 'late',
    sns: ['LATE0001'],
    firmware: '1.0.0',
    ...quick,
  });
  try {
    await page
      .getByRole('row', { name: /LATE0001/ })
      .getByText('Succeeded')
      .waitFor();
    expect(late.terminals[0]?.journal.firmware).toBe('2.0.0');
    await page.getByText('Running', { exact: true }).first().waitFor();
  } finally {
    await late.stop();
  }
});

test('a release is reverted: the version before goes to the terminals that run its own', async () => {
  await page.goto(`${stack.url}/device/fota`);
  await page.getByRole('link', { name: 'In rings', exact: true }).click();
  await page.getByRole('heading', { name: 'In rings', level: 1 }).waitFor();
  const back = page.getByText('Roll back to the previous version', { exact: true });
  const begin = async () => {
    if (!(await back.isVisible())) await button('More').click();
    await back.click();
  };
  await begin();
  await page.getByText('8 terminals can’t go back to 1.0.0: it has no published full package. Publish it first.').waitFor();
  const { productId } = await admin.call(packageCalls.detail, { id: packageId });
  const fileId = await uploadFirmware(stack.url, ADMIN, randomBytes(4000));
  await addPublished(admin, packageCalls, { productId, version: '1.0.0', fileId });
  await page.reload();
  await page.getByRole('button', { name: 'Roll back: Ring 1' }).click();
  await page.waitForURL(/back=.*ring=1/);
  await button('Next').click();
  await step('Targets');
  await page.getByText('Terminals that In rings updated in ring 1').waitFor();
  await page.goto(`${stack.url}/device/fota`);
  await page.getByRole('link', { name: 'In rings', exact: true }).click();
  await page.getByRole('heading', { name: 'In rings', level: 1 }).waitFor();
  await begin();
  await page.waitForURL(/back=/);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Rollback from 2.0.0');
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await step(title);
  }
  await button('Release to 8 terminals').click();
  await page.waitForURL(/taskmod\/\d+$/);
  await waitFor(() => fleet.terminals.every((one) => one.journal.firmware === '1.0.0'), 'the terminals to run the version before', 90);
});
