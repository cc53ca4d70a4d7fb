import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { makeEstate, uploadFirmware } from './estate.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

/** A package is published to a download domain that is down, and comes back. */
let stack: Stack;
let browser: Browser;
let page: Page;
let admin: Api;
let domain: Server;
let isDown = true;
let packageId: number;
const look = (name: string) => process.env.LOOK && page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });

beforeAll(async () => {
  stack = await startStack();
  admin = await administrator(stack.url, stack.password);
  const keeper = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  domain = createServer((request, response) => {
    if (isDown) return void response.writeHead(503).end();
    const { range } = request.headers;
    void fetch(`${stack.url}${request.url}`, { headers: range === undefined ? {} : { range } }).then(async (got) => {
      const bytes = Buffer.from(await got.arrayBuffer());
      const part = got.headers.get('content-range');
      response.writeHead(got.status, { 'content-length': bytes.length, ...(part === null ? {} : { 'content-range': part }) }).end(bytes);
    });
  });
  await new Promise<void>((done) => domain.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(domain.address() as AddressInfo).port}`;
  await keeper.call(systemSettingCalls.outbound, { downloads: ['127.0.0.1'] });
  await keeper.call(downloadDomainCalls.add, { name: 'Harbour cache', url, deptId: 1 });
  const { productId } = await makeEstate(stack.url, admin, ADMIN, 1);
  const fileId = await uploadFirmware(stack.url, ADMIN, randomBytes(3_000_000));
  packageId = (await admin.call(packageCalls.add, { productId, version: '5.0.0', fileId })).id;
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await new Promise((done) => domain.close(done));
});

test('the page of a package says what each download location has, and is right by itself when a domain is back', async () => {
  await page.goto(`${stack.url}/device/fota/version/${packageId}?tab=places`);
  await page.getByText('Locations are checked when the package is published.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText(/^Package .*5\.0\.0 is being published$/).waitFor();
  const row = page.getByRole('row', { name: /Harbour cache/ });
  // Of a machine inside nothing more is told than whether it has the file.
  await row.getByText('It answers with an error.', { exact: true }).waitFor();
  await row.getByText('Not available').waitFor();
  await page
    .getByRole('row', { name: /This server/ })
    .getByText('Available', { exact: true })
    .waitFor();
  await page.getByText('A failed check is repeated for some minutes.').waitFor();
  expect(await page.getByRole('button', { name: 'Release', exact: true }).count()).toBe(0);
  await look('publish-waits');
  isDown = false;
  await row.getByText('Available', { exact: true }).waitFor();
  await page.getByText('Published', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Release', exact: true }).waitFor();
  await look('publish-done');
});
