import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { takeFlaws } from './flaws.ts';
import { waitFor } from './stack.ts';
import { watchSuccesses } from './walk-success.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const shows = (html: string) => `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`;

test('two equal buttons of a dialog are seen on every page', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto('data:text/html,<p>A page</p>');
  await page.evaluate(shows('<div class="m-dialog-foot"><button>Keep</button><button>Cancel</button></div>'));
  await page.evaluate(shows('<div class="m-dialog-foot"><button>Cancel</button><button>Cancel</button></div>'));
  expect(await waitFor(() => takeFlaws()[0], 'the flaw')).toBe('dialog: two buttons say “Cancel”');
  expect(takeFlaws()).toEqual([]);
  await page.context().close();
});

test('a success without any change is seen', async () => {
  const page = await (await browser.newContext()).newPage();
  const wrong: string[] = [];
  await watchSuccesses(page, wrong);
  await page.goto('data:text/html,<p>A page</p>');
  await page.evaluate(shows('<div class="m-toast m-toast-done">Saved</div>'));
  expect(await waitFor(() => wrong[0], 'what is wrong')).toBe('says “Saved”, and no call has changed anything');
  await page.context().close();
});
