import type { Locator, Page } from 'playwright-core';
import { axe } from './axe.ts';
import { bareChoices, bareKeys } from './bare-keys.ts';
import { settled } from './settled.ts';
import { waitFor } from './stack.ts';
import { typeInto } from './walk-typing.ts';

export interface Walk {
  readonly page: Page;
  readonly url: string;
  /** What went wrong since it was last asked. */
  take(): string[];
  /** Lists whose first row opened or leads nowhere, and dialogs whose typing was discarded. */
  readonly met: { readonly opened: string[]; readonly nowhere: string[]; readonly discarded: string[] };
}

/** Lists whose rows lead nowhere, each with its reason. Whatever else has rows opens them by mouse. */
export const leadNowhere: Readonly<Record<'centre' | 'manager', Readonly<Record<string, string>>>> = {
  centre: {
    '/regDevice Enrolment codes': 'a code is told by its row; what it brought are terminals',
    '/sys/review': 'a grant is told by its row, and decided from its menu',
  },
  manager: {
    '/managerSys/review': 'a grant is told by its row, and decided from its menu',
    '/businessUnit Business units': 'its few fields stand in the row; they are edited from its menu',
    '/businessUnit Product lines': 'its few fields stand in the row; they are edited from its menu',
    '/sched/job/page Runs': 'a run is told by its row',
    '/userFootprint Online now': 'a session is told by its row, and ended from its menu',
    '/system/settings API tokens': 'a token is told by its row, and revoked from its menu',
    '/labelManage Texts': 'a text is told by its row, and edited from its menu',
  },
};
const isNowhere = (place: string): boolean => Object.values(leadNowhere).some((places) => place in places);

export const overlays = (page: Page) => page.locator('[role=dialog]:visible');
/** Buttons of a dialog that read alike, so that nobody knows which is which. */
async function alike(dialog: Locator): Promise<string[]> {
  const said = (await dialog.locator('.m-dialog-foot button').allInnerTexts()).map((one) => one.trim());
  return said.filter((one, at) => said.indexOf(one) !== at).map((one) => `two buttons say ${one}`);
}
const discardIn = (page: Page) => page.getByRole('button', { name: 'Discard', exact: true });

/** Leaves what is open, as a person does who changed nothing. */
export async function closeAll(page: Page): Promise<void> {
  for (let tries = 0; tries < 4 && (await overlays(page).count()) > 0; tries++) {
    const open = await overlays(page).count();
    // What is shown this once stays until it is closed by its button.
    const close = overlays(page).last().getByRole('button', { name: 'Close', exact: true }).last();
    if (await close.isVisible()) await close.click();
    else await page.keyboard.press('Escape');
    await waitFor(async () => (await overlays(page).count()) !== open, 'an answer to Escape', 5);
    if (await discardIn(page).isVisible()) throw new Error('Escape asks, though nothing was typed');
  }
  await overlays(page).first().waitFor({ state: 'hidden' });
}

/** What was typed is asked about at Escape: it can be gone on with, and discarded. */
async function discardTyped(page: Page, dialog: Locator): Promise<string[]> {
  const title = await dialog.locator('.ant-modal-title, .m-drawer-title').first().textContent();
  if (!(await typeInto(page, dialog))) return [`${title}: nothing can be typed`];
  await page.keyboard.press('Escape');
  const discard = discardIn(page);
  const asks = await discard.waitFor({ timeout: 5000 }).then(
    () => true,
    () => false,
  );
  if (!asks) return [`${title}: Escape doesn’t ask about what was typed`];
  await discard.click();
  const leaves = await overlays(page)
    .first()
    .waitFor({ state: 'hidden', timeout: 5000 })
    .then(
      () => true,
      () => false,
    );
  return leaves ? [] : [`${title}: Discard doesn’t leave`];
}

/** A form is read, sent as it opened, and answers; opened again, what is typed into it is asked about. */
async function tryDialog({ page, met }: Walk, place: string, reopen: () => Promise<void>): Promise<string[]> {
  const dialog = overlays(page).last();
  await dialog.waitFor();
  await dialog.evaluate((element) => Promise.all(element.getAnimations({ subtree: true }).map((one) => one.finished)));
  const found = [...(await axe(page)), ...(await alike(dialog)), ...(await bareKeys(page)), ...(await bareChoices(page, dialog))];
  const isForm = (await dialog.locator('form').count()) > 0;
  const submit = dialog.locator('.m-dialog-foot button').last();
  if (isForm && (await submit.count()) > 0 && (await submit.isEnabled())) {
    await submit.click();
    const answered = dialog.locator('[role=alert], .m-note, [aria-invalid=true], .ant-btn-loading, .m-command').first();
    const isAnswered = await Promise.race([
      answered.waitFor({ timeout: 5000 }).then(() => true),
      dialog.waitFor({ state: 'hidden', timeout: 5000 }).then(() => true),
      page
        .locator('.m-toast')
        .first()
        .waitFor({ timeout: 5000 })
        .then(() => true),
    ]).catch(() => false);
    if (!isAnswered) found.push('an empty form isn’t answered');
    found.push(...(await bareKeys(page)));
  }
  await closeAll(page);
  if (!isForm) return found;
  await reopen();
  const again = overlays(page).last();
  await again.waitFor();
  found.push(...(await discardTyped(page, again)));
  met.discarded.push(place);
  await closeAll(page);
  return found;
}

/** A place of the row that does nothing of its own: not its box, not its menu, no link or button. */
const PLAIN_CELL = 'td:not(.m-check, .m-acts, :has(a, button, input))';

/** The first row of each list of a part opens by mouse, and what it opens is whole. */
async function openRows(walk: Walk, path: string, part: string | undefined, back: () => Promise<void>): Promise<string[]> {
  const { page, met } = walk;
  const found: string[] = [];
  const lists = await page.locator('.m-list:visible').count();
  for (let at = 0; at < lists; at++) {
    const row = page.locator('.m-list:visible').nth(at).locator('tbody tr').first();
    if ((await row.count()) === 0) continue;
    const place = `${path}${part === undefined ? '' : ` ${part}`}${at > 0 ? ` ${at}` : ''}`;
    const say = (list: readonly string[]) => found.push(...list.map((one) => `${place}, first row: ${one}`));
    const before = page.url();
    const head = await page.locator('h1:visible').first().textContent();
    const plain = row.locator(PLAIN_CELL).first();
    await ((await plain.count()) > 0 ? plain : row.locator('td a, td button.m-link').first()).click();
    // A page that was left is still there while the next one comes.
    const isThere = async () =>
      (await overlays(page).count()) > 0 ||
      (page.url() !== before &&
        (new URL(page.url()).pathname === path || (await page.locator('h1:visible').first().textContent()) !== head));
    const isNamed = isNowhere(place);
    const opens = await waitFor(isThere, 'what it opens', isNamed ? 1 : 10).then(
      () => true,
      () => false,
    );
    (isNamed ? met.nowhere : met.opened).push(place);
    if (opens === isNamed) say([opens ? 'opens, and is said to lead nowhere' : 'opens nothing']);
    if (!opens) continue;
    await settled(page);
    say([...(await bareKeys(page)), ...(await axe(page)), ...walk.take()]);
    await closeAll(page);
    if (new URL(page.url()).pathname !== path) {
      for (const inner of await page.getByRole('tab').allInnerTexts()) {
        await page.getByRole('tab', { name: inner, exact: true }).first().click();
        await settled(page);
        say([...(await bareKeys(page)), ...walk.take()].map((one) => `tab ${inner}: ${one}`));
      }
      await back();
    }
  }
  return found;
}

/** Acts of the first row that ask first. What acts at once isn't tried: the next rows would be others. */
async function tryRowActs({ page, take }: Walk): Promise<string[]> {
  const found: string[] = [];
  const menu = page.locator('.m-list:visible tbody [aria-haspopup=menu]').first();
  if ((await menu.count()) === 0) return [];
  await menu.click();
  const acts = await page.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  for (const act of acts) {
    const at = (list: readonly string[]) => found.push(...list.map((one) => `action ${act}: ${one}`));
    await menu.click();
    const item = page.getByRole('menuitem', { name: act, exact: true }).last();
    if (!(await item.getAttribute('class'))?.includes('danger')) {
      await page.keyboard.press('Escape');
      continue;
    }
    await item.click();
    await overlays(page)
      .first()
      .waitFor({ timeout: 5000 })
      .catch(() => at(['isn’t asked about']));
    at([...(await alike(overlays(page).last())), ...(await bareKeys(page)), ...take()]);
    await closeAll(page);
  }
  return found;
}

/** The buttons of the page itself, and those of this part; each once. */
async function tryButtons(walk: Walk, path: string, tried: Set<string>, again: () => Promise<void>): Promise<string[]> {
  const { page, take } = walk;
  const found: string[] = [];
  const names = await page.locator('.m-page-acts button:visible').allInnerTexts();
  for (const name of names) {
    const button = page.locator('.m-page-acts button:visible', { hasText: name }).first();
    if (!name.trim() || tried.has(name) || !(await button.isEnabled())) continue;
    tried.add(name);
    const at = (list: readonly string[]) => found.push(...list.map((one) => `button ${name}: ${one}`));
    const toasts = await page.locator('.m-toast').count();
    const acts = await page.locator('.m-page-acts').allInnerTexts();
    await button.click();
    const isAnswered = async () =>
      (await overlays(page).count()) > 0 ||
      new URL(page.url()).pathname !== path ||
      (await page.getByRole('menu').count()) > 0 ||
      (await page.locator('.m-toast').count()) !== toasts ||
      // What the page is in now is said by the button itself: Arrange cards, Done.
      (await page.locator('.m-page-acts').allInnerTexts()).join() !== acts.join();
    await waitFor(isAnswered, `an answer to ${name}`, 10).catch(() => at(['isn’t answered']));
    if ((await overlays(page).count()) > 0) at(await tryDialog(walk, `${path} ${name}`, () => button.click()));
    at(take());
    if (new URL(page.url()).pathname !== path) await again();
    else await page.keyboard.press('Escape');
  }
  return found;
}

export async function walkPage(walk: Walk, path: string): Promise<string[]> {
  const { page, take, url } = walk;
  const found: string[] = [];
  const at = (list: readonly string[]) => found.push(...list.map((one) => (one.startsWith(path) ? one : `${path} ${one}`)));
  const again = async () => {
    await page.goto(`${url}${path}`);
    await settled(page);
  };
  await again();
  // The parts of a page: its tabs, or the list at its side.
  const parts = page.getByRole('tab').or(page.locator('.m-side-item'));
  const chosen = page.locator('[role=tab][aria-selected=true], .m-side-item[aria-current=page]');
  const choose = async (name: string) => {
    await parts.filter({ hasText: name }).first().click();
    await chosen.filter({ hasText: name }).first().waitFor();
    await settled(page);
  };
  const names = await parts.allInnerTexts();
  const tried = new Set<string>();
  for (const part of names.length > 0 ? names : [undefined]) {
    if (part !== undefined) {
      await choose(part);
      at(
        [...(await bareKeys(page)), ...(await bareChoices(page, page.locator('main form'))), ...take()].map((one) => `tab ${part}: ${one}`),
      );
    }
    const back = async () => {
      await again();
      if (part !== undefined) await choose(part);
    };
    at(await openRows(walk, path, part, back));
    at(await tryRowActs(walk));
    at(await tryButtons(walk, path, tried, back));
  }
  return found;
}
