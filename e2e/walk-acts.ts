import type { Locator, Page } from 'playwright-core';
import { bareKeys } from './bare-keys.ts';
import { settled } from './settled.ts';
import { waitFor } from './stack.ts';
import { closeAll, isAnswered, overlays, readAndSend, tryDialog } from './walk-dialogs.ts';
import type { Walk } from './walk-page.ts';
import { TEXT } from './walk-typing.ts';

const hasOverlay = async (page: Page) => (await overlays(page).count()) > 0;
const isMenuButton = async (button: Locator) => (await button.getAttribute('class'))?.includes('ant-dropdown-trigger') ?? false;
/** The page, and the buttons that say what it is in: Arrange cards, Done. */
const standing = async (page: Page) =>
  [new URL(page.url()).pathname + new URL(page.url()).search, ...(await page.locator('.m-page-acts:visible').allInnerTexts())].join();
/** Toasts that stand there already: the same words may come once more. */
const forgetToasts = (page: Page) =>
  page.locator('.m-toast').evaluateAll((all) => {
    for (const one of all) one.setAttribute('data-seen', '');
  });

/** Presses and waits for whatever comes of it. */
async function press(page: Page, button: Locator): Promise<string[]> {
  const before = await standing(page);
  await forgetToasts(page);
  const isEntry = (await button.getAttribute('role')) === 'menuitem';
  // A file that is handed out changes nothing on the page.
  let handedOut = false;
  page.once('download', () => {
    handedOut = true;
  });
  await button.click();
  const comes = async () =>
    handedOut ||
    (await hasOverlay(page)) ||
    (!isEntry && (await page.getByRole('menu').count()) > 0) ||
    (await page.locator('.m-toast:not([data-seen])').count()) > 0 ||
    (await standing(page)) !== before;
  return waitFor(comes, 'an answer', 30).then(
    () => [],
    () => ['isn’t answered'],
  );
}

/** A step back, as a person goes who has seen enough; what led there without one is asked for anew. */
export async function stepBack(page: Page, address: string, otherwise: () => Promise<unknown>): Promise<void> {
  await page.goBack();
  if (page.url() !== address) await otherwise();
  await settled(page);
}

/** Back to where the walk stands, whatever the press has led to. */
async function comeBack(page: Page, address: string): Promise<void> {
  await closeAll(page);
  if (page.url() !== address) await stepBack(page, address, () => page.goto(address));
}

/** Everything that a menu offers, each once: what it opens is read. An entry that an earlier one has made needless is left out. */
async function tryMenu({ page, take }: Walk, menu: Locator, tried: Set<string>, hint: string): Promise<string[]> {
  const found: string[] = [];
  const address = page.url();
  const items = page.getByRole('menuitem').filter({ visible: true });
  await menu.click();
  await items.first().waitFor();
  const acts = await items.allInnerTexts();
  await page.keyboard.press('Escape');
  for (const act of acts.filter((one) => !tried.has(one))) {
    tried.add(act);
    if ((await menu.count()) === 0) break;
    await menu.click();
    await items.first().waitFor();
    const item = items.filter({ hasText: act }).last();
    if ((await item.count()) === 0 || (await item.getAttribute('aria-disabled')) === 'true') {
      await page.keyboard.press('Escape');
      continue;
    }
    const said = await press(page, item);
    if (await hasOverlay(page)) said.push(...(await readAndSend(page)));
    else said.push(...(await bareKeys(page)));
    found.push(...[...said, ...take()].map((one) => `${hint} ${act}: ${one}`));
    await comeBack(page, address);
  }
  return found;
}

/** What can be done with the first row of a list. */
export async function tryRowActs(walk: Walk, tried: Set<string>): Promise<string[]> {
  const menu = walk.page.locator('.m-list:visible tbody [aria-haspopup=menu]').first();
  return (await menu.count()) === 0 ? [] : tryMenu(walk, menu, tried, 'action');
}

/** Each list is exported as it is shown. */
export async function tryExports({ page }: Walk): Promise<string[]> {
  const found: string[] = [];
  for (const button of await page.locator('.m-list:visible .m-tools').getByRole('button', { name: 'Export', exact: true }).all()) {
    const answered = page.waitForResponse((answer) => /"format":"csv"/.test(answer.request().postData() ?? ''));
    await button.click();
    await page.getByRole('menuitem', { name: 'Export as CSV', exact: true }).click();
    const { msg, body } = (await (await answered).json()) as { msg?: string; body?: { work?: number } };
    if (body?.work === undefined) found.push(`export: ${msg}`);
  }
  return found;
}

/** What can be done with a selection of one row: each opens a dialog, which is read. */
export async function tryBulk(walk: Walk): Promise<string[]> {
  const { page, take } = walk;
  const box = page.locator('.m-list:visible tbody .m-check input').first();
  if ((await box.count()) === 0) return [];
  await box.check();
  const bar = page.locator('.m-selection:visible').first();
  await bar.waitFor();
  const found: string[] = [];
  const buttons = bar.locator('button.ant-btn');
  for (const [at, name] of (await buttons.allInnerTexts()).entries()) {
    const button = buttons.nth(at);
    if (!(await button.isEnabled())) continue;
    if (await isMenuButton(button)) {
      found.push(...(await tryMenu(walk, button, new Set(), 'selection,')));
      continue;
    }
    const said = await press(page, button);
    if (await hasOverlay(page)) said.push(...(await readAndSend(page)));
    found.push(...[...said, ...take()].map((one) => `selection, ${name}: ${one}`));
    await closeAll(page);
  }
  await box.uncheck();
  return found;
}

/** The buttons of the page itself, and those of this part; each once. */
export async function tryButtons(walk: Walk, path: string, tried: Set<string>, again: () => Promise<void>): Promise<string[]> {
  const { page, take, met } = walk;
  const found: string[] = [];
  const names = await page.locator('.m-page-acts button:visible').allInnerTexts();
  for (const name of names) {
    const button = page.locator('.m-page-acts button:visible', { hasText: name }).first();
    if (!name.trim() || tried.has(name) || !(await button.isEnabled())) continue;
    tried.add(name);
    const said = await press(page, button);
    if (await hasOverlay(page))
      said.push(
        ...(await tryDialog(
          page,
          () => button.click(),
          () => void met.discarded.push(`${path} ${name}`),
        )),
      );
    found.push(...[...said, ...take()].map((one) => `button ${name}: ${one}`));
    if (new URL(page.url()).pathname !== path) await again();
    else await page.keyboard.press('Escape');
  }
  return found;
}

/** On the page of a row: its buttons, and what hangs behind "More". What the list's menu has shown already isn't opened again. */
export async function tryDetail(walk: Walk, tried: Set<string>): Promise<string[]> {
  const { page, take } = walk;
  const found: string[] = [];
  const address = page.url();
  const buttons = page.locator('.m-page-head .m-page-acts button:visible');
  for (const name of await buttons.allInnerTexts()) {
    const button = buttons.filter({ hasText: name }).first();
    if (!name.trim() || tried.has(name) || (await button.count()) === 0 || !(await button.isEnabled())) continue;
    if (await isMenuButton(button)) {
      found.push(...(await tryMenu(walk, button, tried, 'more,')));
      continue;
    }
    tried.add(name);
    const said = await press(page, button);
    if (await hasOverlay(page)) said.push(...(await readAndSend(page)));
    found.push(...[...said, ...take()].map((one) => `button ${name}: ${one}`));
    await comeBack(page, address);
  }
  return found;
}

/** Forms that stand in the page itself are sent with nothing in their fields, and answer. */
export async function tryForms({ page, take }: Walk, again: () => Promise<void>): Promise<string[]> {
  const found: string[] = [];
  const forms = page.locator('main form:visible').filter({ has: page.locator('button[type=submit]') });
  const count = await forms.count();
  for (let at = 0; at < count; at++) {
    const form = forms.nth(at);
    const submit = form.locator('button[type=submit]').last();
    if (!(await submit.isEnabled())) continue;
    for (const field of await form.locator(TEXT).all()) await field.fill('');
    await submit.click();
    const said = (await isAnswered(page, form)) || (await hasOverlay(page)) ? [] : ['isn’t answered'];
    found.push(...[...said, ...(await bareKeys(page)), ...take()].map((one) => `form ${at + 1}, sent empty: ${one}`));
    await again();
  }
  return found;
}
