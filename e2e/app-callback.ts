import { join } from 'node:path';
import { appCallbackCalls } from '@mooring/contract/app/callback';
import { developerCalls } from '@mooring/contract/app/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ADMIN, api, signIn } from './api.ts';
import { button, dialog, field, send } from './page-parts.ts';
import { visit } from './visit.ts';

interface At {
  readonly browser: Browser;
  readonly url: string;
  readonly password: string;
  /** The app's developer, signed in. */
  readonly dev: Page;
  readonly look: (name: string) => Promise<void>;
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).filter({ visible: true }).first();

/** For whoever looks at them. */
async function chinese({ browser, url, password }: At, name: string, path: string): Promise<void> {
  if (!process.env.LOOK) return;
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const visitor = { url, account: 'olga.manager', password, platform: 'centre', look: { theme, width, lang: 'zh-CN' } } as const;
    const { page, context } = await visit(browser, visitor);
    await page.goto(url + path);
    await page.locator('h1').filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(process.env.LOOK, `${name}-zh-${theme}-${width}.png`), fullPage: true });
    await context.close();
  }
}

/** The address of another system is set, wrong first, tried, rests while its developer is suspended, and is deleted; others who set it are told of. */
export async function tryCallback(of: At): Promise<void> {
  const { url, dev, look } = of;
  await dev.goto(`${url}/dev`);
  await link(dev, 'Harbour Till').click();
  await dev.getByRole('tab', { name: 'Call-back' }).click();
  await dev.getByText('No call-back address yet').waitFor();
  await look('callback-empty');
  await button(dev, 'Set call-back address').click();
  await field(dev, 'Call-back address').fill('http://127.0.0.1:9/hook');
  await send(dev, 'Save');
  await dialog(dev).getByText('Enter an address that begins with https://.').waitFor();
  await field(dev, 'Call-back address').fill('https://127.0.0.1:9/hook');
  await send(dev, 'Save');
  await dialog(dev).getByText('Reachable private networks').first().waitFor();
  await look('callback-refused');
  const admin = api(url, await signIn(url, 'admin', ADMIN, 'manager'), 'manager', 1);
  await admin.call(systemSettingCalls.outbound, { callbacks: ['127.0.0.1'] });
  await dev.keyboard.press('Control+Enter');
  await dialog(dev)
    .getByText(/whsec_/)
    .waitFor();
  await look('callback-secret');
  await dialog(dev).getByRole('button', { name: 'Close', exact: true }).last().click();
  await dev.getByText('https://127.0.0.1:9/hook').waitFor();
  await button(dev, 'Send test event').click();
  await dev.getByText('Test event queued').waitFor();
  await dev.getByRole('row', { name: /Connection refused/ }).waitFor();
  await look('callback');
  await dev.reload();
  await dev.getByRole('row', { name: /Connection refused/ }).waitFor();
  const above = api(url, await signIn(url, 'admin', ADMIN), 'centre');
  const [developer] = (await above.call(developerCalls.page, {})).content;
  await above.call(developerCalls.suspend, { id: developer?.id, reason: 'Looked into' });
  await dev.getByText('suspended as a developer. Until it is resumed').waitFor();
  expect(await button(dev, 'Send test event').count()).toBe(0);
  await look('callback-suspended');
  await chinese(of, 'callback-suspended', new URL(dev.url()).pathname + new URL(dev.url()).search);
  await above.call(developerCalls.resume, { id: developer?.id });
  await button(dev, 'Send test event').waitFor();
  await button(dev, 'Change address').click();
  await field(dev, 'Call-back address').fill('https://127.0.0.1:9/other');
  await send(dev, 'Save');
  // The same host keeps its secret: nothing is shown again.
  await dev.getByText('https://127.0.0.1:9/other').waitFor();
  await dialog(dev).waitFor({ state: 'hidden' });
  await button(dev, 'Delete address').click();
  await send(dev, 'Delete address');
  await dev.getByText('No call-back address yet').waitFor();
  // Whoever is above the owner may set it too: the owner is told.
  const appId = Number(/\d+/.exec(new URL(dev.url()).pathname)?.[0]);
  await above.call(appCallbackCalls.set, { appId, url: 'https://127.0.0.1:9/above' });
  await dev.goto(`${url}/message`);
  await dev.getByText('Mooring set the call-back address of Harbour Till').first().waitFor();
  await look('callback-told');
  await chinese(of, 'callback-told', '/message');
}
