import { roleCalls } from '@mooring/contract/access/role-calls';
import { userCalls } from '@mooring/contract/account/calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { blackoutCalls } from '@mooring/contract/blackout/calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { settingCalls } from '@mooring/contract/settings/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { savedViewCalls } from '@mooring/contract/settings/view-calls';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { inMenu } from './menu.ts';
import { settled } from './settled.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

// What people do while an answer is on its way: on a slow line, or where the server is busy.

let stack: Stack;
let browser: Browser;
let page: Page;
let centre: Api;
let products: Page;
let productId: number;

beforeAll(async () => {
  stack = await startStack();
  centre = await administrator(stack.url, stack.password);
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  ({ id: productId } = await manager.call(productCalls.add, { code: 'K1', name: 'Kiosk K1', category: 'smartPos' }));
  browser = await launchBrowser();
  const open = async (platform: 'centre' | 'manager') =>
    (await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform })).page;
  [page, products] = [await open('centre'), await open('manager')];
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Asked at once; the answer stays on its way until it is let go. */
async function held(on: Page, path: string): Promise<{ asked: () => number; letGo: () => Promise<void> }> {
  const way = Promise.withResolvers<void>();
  const asked: Promise<void>[] = [];
  const answer = async (route: Route) => {
    const found = await route.fetch();
    await way.promise;
    await route.fulfill({ response: found });
  };
  await on.route(`**/ops${path}`, (route) => {
    const answered = answer(route);
    asked.push(answered);
    return answered;
  });
  return {
    asked: () => asked.length,
    letGo: async () => {
      way.resolve();
      // Each is answered before the page is its own again.
      await Promise.allSettled(asked);
      await on.unroute(`**/ops${path}`);
    },
  };
}
const dialog = (on: Page) => on.getByRole('dialog');
const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true }).filter({ visible: true });
const submit = (name: string) => dialog(page).getByRole('button', { name, exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const days = { fromDay: '2030-12-20', toDay: '2030-12-31', deptId: 1 };

test('a form that was opened from an empty list stays when the list has its first row', async () => {
  await page.goto(`${stack.url}/device/blackout`);
  await page.getByText('No blackout dates').waitFor();
  await button(page, 'Add blackout dates').last().click();
  await dialog(page).getByLabel('Name', { exact: true }).fill('Easter');
  await centre.call(blackoutCalls.add, { name: 'Year end', ...days });
  await row('Year end').waitFor({ state: 'attached' });
  expect(await dialog(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Easter');
  await page.keyboard.press('Escape');
  await button(page, 'Discard').click();
  await dialog(page).first().waitFor({ state: 'detached' });
});

/** A remark in the form of the row, not yet saved. */
async function write(remark: string): Promise<void> {
  await row('Year end')
    .getByRole('button', { name: /^Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog(page)
    .getByLabel(/^Remark/)
    .fill(remark);
}

test('a row that was just saved is edited once more while its list is still the one of before', async () => {
  const edit = async (remark: string) => {
    await write(remark);
    await submit('Save').click();
    await dialog(page).waitFor({ state: 'detached' });
    await row(remark).waitFor();
  };
  const list = await held(page, blackoutCalls.page.path);
  await edit('Tills are busy');
  await edit('Tills are very busy');
  await list.letGo();
  await settled(page);
  await row('Tills are very busy').waitFor();
});

test('a dialog at work is closed by its answer alone, so the answer closes no other one', async () => {
  await write('Tills are closed');
  const save = await held(page, blackoutCalls.update.path);
  await submit('Save').click();
  await dialog(page).getByRole('button', { name: 'Cancel', exact: true, disabled: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Cancel', exact: true, disabled: true }).waitFor();
  await save.letGo();
  await dialog(page).waitFor({ state: 'detached' });
  await row('Tills are closed').waitFor();
});

test('a question about a row stays when that row leaves the list with all others', async () => {
  await row('Year end')
    .getByRole('button', { name: /^Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await submit('Delete').waitFor();
  const { content } = await centre.call(blackoutCalls.page, { criteria: {}, page: {} });
  for (const { id } of content) await centre.call(blackoutCalls.delete, { id });
  await page.getByText('No blackout dates').waitFor({ state: 'attached' });
  await settled(page);
  await submit('Cancel').click();
  await dialog(page).waitFor({ state: 'detached' });
});

test('a question at work stays until it is answered', async () => {
  await page.goto(`${stack.url}/message`);
  await page.getByRole('heading', { name: 'Messages', exact: true }).waitFor();
  await button(page, 'Delete').click();
  await page.getByRole('menuitem', { name: 'Delete all', exact: true }).click();
  const answer = await held(page, messageCalls.deleteMany.path);
  await submit('Delete').click();
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Cancel', exact: true, disabled: true }).waitFor();
  await answer.letGo();
  // By itself where something was deleted, as a message of a busy server’s jobs; where there was none a person closes it.
  await expect
    .poll(async () => {
      await submit('Cancel')
        .click({ timeout: 500 })
        .catch(() => undefined);
      return dialog(page).count();
    })
    .toBe(0);
});

test('a form in a dialog that is at work stays too, and tells why it was refused', async () => {
  await page.goto(`${stack.url}/accountSetting`);
  await button(page, 'Change password').first().click();
  await dialog(page).getByLabel('Current password', { exact: true }).fill('Harbour.Light8');
  for (const label of ['New password', 'Repeat new password']) await dialog(page).getByLabel(label, { exact: true }).fill('Harbour.Light9');
  const answer = await held(page, userCalls.password.path);
  await submit('Change password').click();
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Cancel', exact: true, disabled: true }).waitFor();
  await answer.letGo();
  await dialog(page).getByText('The current password is wrong.').waitFor();
  await submit('Cancel').click();
  await dialog(page).waitFor({ state: 'detached' });
});

describe('people', () => {
  const ben = { account: 'ben.harbour', userName: 'Ben Harbour', deptId: 1, roleIds: [] as number[] };
  let id: number;

  beforeAll(async () => {
    const [role] = await centre.call(roleCalls.list, {});
    ben.roleIds = [role?.id ?? 0];
    ({ id } = await centre.call(memberCalls.add, ben));
    for (const name of ['Harbour East', 'Harbour West']) await centre.call(deptCalls.add, { parentId: 1, name });
  });

  test('a row is edited as it stands now, not as it was when it was opened before', async () => {
    await page.goto(`${stack.url}/sys/member`);
    const edit = async () => {
      await row('ben.harbour')
        .getByRole('button', { name: /^Actions/ })
        .click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    await edit();
    await submit('Cancel').click();
    await dialog(page).waitFor({ state: 'detached' });
    const { revision } = await centre.call(memberCalls.detail, { id });
    const { account: _, ...rest } = ben;
    await centre.call(memberCalls.update, { id, revision, ...rest, userName: 'Benny Harbour' });
    await row('Benny Harbour').waitFor();
    await edit();
    await dialog(page).waitFor();
    expect(await dialog(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Benny Harbour');
    await submit('Cancel').click();
    await dialog(page).waitFor({ state: 'detached' });
  });

  test('a copy begins as its row stands now, not as it was when it was copied before', async () => {
    const desk = { platforms: ['centre' as const], menus: ['welcome'] };
    const role = await centre.call(roleCalls.add, { ...desk, name: 'Help desk' });
    await page.goto(`${stack.url}/sys/role`);
    const copyOf = async (name: string) => {
      await row(name)
        .getByRole('button', { name: /^Actions/ })
        .click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await page.getByLabel('Name', { exact: true }).waitFor();
      const copied = await page.getByLabel('Name', { exact: true }).inputValue();
      await button(page, 'Cancel').click();
      await row(name).waitFor();
      return copied;
    };
    expect(await copyOf('Help desk')).toContain('Help desk');
    await centre.call(roleCalls.update, { ...desk, id: role.id, revision: role.revision, name: 'Front office' });
    await row('Front office').waitFor();
    expect(await copyOf('Front office')).toContain('Front office');
  });

  test('what is chosen among the rows of before is left with those that the answer shows too', async () => {
    await page.goto(`${stack.url}/sys/member`);
    await row('ben.harbour').waitFor();
    const list = await held(page, memberCalls.page.path);
    // The list may be asked for once more as it was, when something moves: what follows is about the search.
    const asked = page.waitForRequest((one) => one.url().endsWith(memberCalls.page.path) && (one.postData() ?? '').includes('ben.harbour'));
    await page.getByPlaceholder('Account, name or e-mail').fill('ben.harbour');
    await asked;
    for (const name of ['admin', 'ben.harbour']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    const chosen = page.getByRole('region', { name: 'Selection' });
    await chosen.getByText('2 selected').waitFor();
    await list.letGo();
    await row('admin').waitFor({ state: 'detached' });
    await chosen.getByText('1 selected').waitFor();
  });

  test('what is chosen by key among what was found stays chosen when more is found above it', async () => {
    const people = await held(page, memberCalls.page.path);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harbour');
    const option = (name: string) => page.getByRole('option', { name });
    await option('Harbour West').waitFor();
    await page.keyboard.press('ArrowDown');
    const chosen = page.getByRole('option', { selected: true });
    const before = await chosen.textContent();
    await people.letGo();
    await option('Benny Harbour').waitFor();
    expect(await chosen.textContent()).toBe(before);
    await page.keyboard.press('Escape');
  });
});

test('a button that an answer moves away while it is pressed does its work; a pointer that was moved off it does nothing', async () => {
  await page.goto(`${stack.url}/sys/member`);
  await row('ben.harbour').waitFor();
  const add = button(page, 'Add member');
  const press = async (between: () => Promise<unknown>) => {
    await settled(page);
    const at = await add.boundingBox();
    if (!at) throw new Error('no button');
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
    await page.mouse.down();
    await between();
    await page.mouse.up();
  };
  await press(() => page.mouse.move(5, 400));
  await settled(page);
  expect(await dialog(page).count()).toBe(0);
  await press(() => add.evaluate((one) => one.style.setProperty('translate', '0 80px')));
  await dialog(page).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
});

test('a button that is pressed again before it is answered does its work once', async () => {
  await products.goto(`${stack.url}/device/product/${productId}`);
  const publish = await held(products, productCalls.publish.path);
  await button(products, 'Publish').click();
  await button(products, 'Publish').click();
  await publish.letGo();
  await products.getByText('“Kiosk K1” published').waitFor();
  await button(products, 'Publish').waitFor({ state: 'detached' });
  expect(publish.asked()).toBe(1);
});

test('whoever left a form while it was being saved is led nowhere by its answer', async () => {
  await products.goto(`${stack.url}/device/product/${productId}/edit`);
  await products.getByLabel('Name', { exact: true }).fill('Kiosk K2');
  const save = await held(products, productCalls.update.path);
  await button(products, 'Save changes').click();
  await inMenu(products, 'Sales').click();
  await button(products, 'Leave').click();
  await products.getByRole('heading', { name: 'Sales' }).waitFor();
  const address = products.url();
  await save.letGo();
  await products.getByText('“Kiosk K2” saved').waitFor();
  await settled(products);
  expect(products.url()).toBe(address);
});

test('what is typed while a save is on its way stays, and is saved by the next one', async () => {
  const field = (name: string) => products.locator(`#field-${name}`);
  await products.goto(`${stack.url}/system/settings?tab=branding`);
  await field('systemName').fill('Harbour Console');
  const shown = await held(products, systemSettingCalls.findByCriteria.path);
  await button(products, 'Save').click();
  await products.getByText('“Branding” saved').first().waitFor();
  await field('systemName').fill('Harbour Office');
  await shown.letGo();
  await settled(products);
  expect(await field('systemName').inputValue()).toBe('Harbour Office');
  const again = products.waitForResponse(`**/ops${systemSettingCalls.branding.path}`);
  await button(products, 'Save').click();
  expect(await (await again).json()).toMatchObject({ code: 200 });
});

describe('a table that is set up by its person', () => {
  const heads = () => page.getByRole('columnheader').filter({ visible: true }).allTextContents();
  const toggle = async (name: string) => {
    await button(page, 'Columns').click();
    await dialog(page).getByRole('checkbox', { name, exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Done', exact: true }).click();
    await dialog(page).waitFor({ state: 'hidden' });
  };
  const blackouts = async () => {
    await page.goto(`${stack.url}/device/blackout`);
    await page.getByRole('columnheader', { name: 'Name' }).waitFor();
  };

  beforeAll(async () => {
    await centre.call(blackoutCalls.add, { name: 'Easter days', ...days });
    await centre.call(blackoutCalls.add, { name: 'Summer days', ...days });
  });

  test('columns that were chosen stay when another tab of the page was open meanwhile', async () => {
    const members = async () => {
      await page.getByRole('tab', { name: 'Members' }).click();
      await row('ben.harbour').waitFor();
    };
    await page.goto(`${stack.url}/sys/member`);
    await row('ben.harbour').waitFor();
    const saved = page.waitForResponse(`**/ops${settingCalls.saveTableConfig.path}`);
    await toggle('Position');
    await saved;
    await page.reload();
    await row('ben.harbour').waitFor();
    await settled(page);
    expect((await heads()).join()).not.toContain('Position');
    await toggle('Position');
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await members();
    await settled(page);
    expect((await heads()).join()).toContain('Position');
  });

  test('columns that were chosen just before the page was loaded anew are as they were chosen', async () => {
    await blackouts();
    const saved = page.waitForResponse(`**/ops${settingCalls.saveTableConfig.path}`);
    await toggle('Remark');
    await saved;
    const save = await held(page, settingCalls.saveTableConfig.path);
    await toggle('Remark');
    await page.reload();
    await row('Easter days').waitFor();
    await settled(page);
    expect((await heads()).join()).toContain('Remark');
    await save.letGo();
  });

  test('a default view opens over nothing that is being typed', async () => {
    const list = 'release.blackout';
    const view = { list, name: 'Summer', query: 'text=Summer', columns: null };
    const { id } = await centre.call(savedViewCalls.add, view);
    await centre.call(savedViewCalls.setDefault, { list, id });
    const views = await held(page, savedViewCalls.list.path);
    await blackouts();
    await page.getByPlaceholder('Name').pressSequentially('Ea');
    await views.letGo();
    await settled(page);
    await row('Easter days').waitFor();
    expect(await page.getByPlaceholder('Name').inputValue()).toBe('Ea');
    await blackouts();
    await row('Easter days').waitFor({ state: 'detached' });
    await row('Summer days').waitFor();
  });
});
