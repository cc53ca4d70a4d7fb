import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import type { Fleet } from '@mooring/terminal/start-fleet';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { type ReleaseStack, startReleaseStack } from './release-stack.ts';
import { waitFor } from './stack.ts';

const TERMINALS = 60;
/** Of sixty, eighteen can't install it: three in ten. */
const FLAKY = 36;
/** By their serial numbers three of these are drawn for the first ring, of which one can't. */
const SEED = 'H';
let of: ReleaseStack;
let page: Page;
let fleet: Fleet;
let admin: Api;
let id = 0;

beforeAll(async () => {
  of = await startReleaseStack(TERMINALS, { versions: ['1.0.0', '2.0.0'], seed: SEED, failAttempts: 9, flaky: FLAKY });
  ({ admin, fleet, page } = of);
});
afterAll(() => of?.stop());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const ringOne = async () =>
  (await admin.call(taskDeviceCalls.page, { criteria: { taskId: id }, page: { size: 100 } })).content.filter((one) => one.ring === 1);
/** Terminals that ever held an offer. */
const offered = () =>
  fleet.terminals
    .filter((one) => one.journal.offers.size > 0)
    .map((one) => one.sn)
    .toSorted();

test('a firmware that three in ten can’t install halts in its ring of five percent; the others never saw it', async () => {
  const { content } = await admin.call(packageCalls.page, { criteria: { version: '2.0.0' } });
  const delivery = { rings: [{ share: 5, openAt: 80, haltAt: 30 }, { share: 100 }], retries: 0 };
  const scope = { releaseScope: '0' as const };
  const asked = { name: 'Bad firmware', packageId: content[0]?.id ?? 0, scope, delivery, release: true };
  ({ id } = await admin.call(taskCalls.add, asked));
  await waitFor(async () => (await admin.call(taskCalls.detail, { id })).state === 'halted', 'the release to halt', 120);
  await waitFor(async () => (await ringOne()).every((one) => one.endedAt !== null), 'its ring to end', 120);
  const ring = await ringOne();
  expect(ring.map((one) => one.state).toSorted()).toEqual(['3', '3', '4']);
  expect(offered()).toEqual(ring.map((one) => one.sn).toSorted());
  await page.goto(`${of.stack.url}/device/fota/taskmod/${id}`);
  await page.getByText('Halted', { exact: true }).first().waitFor();
  await page
    .getByRole('region', { name: 'Rings' })
    .getByRole('row', { name: /^Ring 2\b.*Not open yet/ })
    .waitFor();
  const running = fleet.terminals.filter((one) => one.journal.firmware === '2.0.0').map((one) => one.sn);
  expect(running.toSorted()).toEqual(
    ring
      .filter((one) => one.state === '3')
      .map((one) => one.sn)
      .toSorted(),
  );
});

test('it is reverted where it was installed, and nowhere else', async () => {
  const before = offered();
  await page.getByRole('button', { name: 'Roll back: Ring 1' }).click();
  await page.waitForURL(/back=.*ring=1/);
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await step(title);
  }
  await button('Release to 2 terminals').click();
  await page.waitForURL(/taskmod\/\d+$/);
  await waitFor(() => fleet.terminals.every((one) => one.journal.firmware === '1.0.0'), 'all to run the version before', 120);
  expect(offered()).toEqual(before);
  expect((await admin.call(taskCalls.detail, { id })).state).toBe('halted');
});
