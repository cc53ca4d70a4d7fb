import type { Locator, Page } from 'playwright-core';
import { axeInBoth } from './axe.ts';
import { bareChoices, bareKeys } from './bare-keys.ts';
import { waitFor } from './stack.ts';
import { TEXT, typeInto } from './walk-typing.ts';

export const overlays = (page: Page) => page.locator('[role=dialog]:visible');
const discardIn = (page: Page) => page.getByRole('button', { name: 'Discard', exact: true });

/** Leaves what is open, as a person does who changed nothing. */
export async function closeAll(page: Page): Promise<void> {
  for (let tries = 0; tries < 4 && (await overlays(page).count()) > 0; tries++) {
    const open = await overlays(page).count();
    // What is shown this once stays until it is closed by its button.
    const close = overlays(page).last().getByRole('button', { name: 'Close', exact: true }).last();
    const isShownOnce = await close.isVisible();
    if (isShownOnce) await close.click();
    else await page.keyboard.press('Escape');
    // What was still being sent may have been followed meanwhile by what is shown this once.
    const answers = async () => (await overlays(page).count()) !== open || (!isShownOnce && (await close.isVisible()));
    await waitFor(answers, 'an answer to Escape', 30);
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
  const asks = await discard.waitFor({ timeout: 20_000 }).then(
    () => true,
    () => false,
  );
  if (!asks) return [`${title}: Escape doesn’t ask about what was typed`];
  await discard.click();
  const leaves = await overlays(page)
    .first()
    .waitFor({ state: 'hidden', timeout: 20_000 })
    .then(
      () => true,
      () => false,
    );
  return leaves ? [] : [`${title}: Discard doesn’t leave`];
}

/** How a dialog is built: its elements with their roles, states and classes, without its words. */
const builtAs = (dialog: Locator): Promise<string> =>
  dialog.evaluate((element) =>
    [element, ...element.querySelectorAll('*')]
      .map((one) => {
        const names = one.getAttributeNames().filter((name) => name.startsWith('aria-') || name === 'disabled' || name === 'type');
        // Numbered by the page that it stands on.
        return [one.tagName, one.getAttribute('role'), one.getAttribute('class')?.replaceAll(/css-[\w-]+/g, ''), ...names].join(' ');
      })
      .join('\n'),
  );
const looked = new Set<string>();

/** A form that can't do without something typed is sent without it, and says so; any other would be done. */
async function sendEmpty(page: Page, dialog: Locator): Promise<string[]> {
  const needed = await dialog.locator(TEXT).and(dialog.locator('[aria-required=true]')).all();
  const submit = dialog.locator('.m-dialog-foot button').last();
  if (needed.length === 0 || (await submit.count()) === 0 || !(await submit.isEnabled())) return [];
  for (const field of needed) await field.fill('');
  await submit.click();
  const found = (await isAnswered(page, dialog)) ? await bareKeys(page) : ['a form without what it needs isn’t answered'];
  if (!(await dialog.isVisible())) return [...found, 'a form without what it needs is taken'];
  await page.keyboard.press('Escape');
  const discard = discardIn(page);
  await waitFor(async () => !(await dialog.isVisible()) || (await discard.isVisible()), 'an answer to Escape', 30);
  if (await discard.isVisible()) await discard.click();
  await dialog.waitFor({ state: 'hidden' });
  return found;
}

/** What is open, as it stands, and a form without what it needs: what is built as one before was is neither read nor sent again. */
export async function readAndSend(page: Page): Promise<string[]> {
  const dialog = overlays(page).last();
  const { found, isNew } = await readNew(page, dialog);
  return isNew ? [...found, ...(await sendEmpty(page, dialog))] : found;
}

export const readDialog = async (page: Page): Promise<string[]> => (await readNew(page, overlays(page).last())).found;

/** What is open, as it stands: in both themes, without a bare key. What is built as another one was is built no worse: most of a list's are. */
async function readNew(page: Page, dialog: Locator): Promise<{ readonly found: string[]; readonly isNew: boolean }> {
  await dialog.waitFor();
  // One that is broken off has ended, too.
  await dialog.evaluate(async (element) => {
    await Promise.allSettled(element.getAnimations({ subtree: true }).map((one) => one.finished));
  });
  // What it is about is still on its way.
  await dialog.locator('.m-bone').first().waitFor({ state: 'detached' });
  const built = await builtAs(dialog);
  const isNew = !looked.has(built);
  looked.add(built);
  return { found: [...(isNew ? await axeInBoth(page, '[role=dialog]') : []), ...(await bareKeys(page))], isNew };
}

/** Whether what was sent is answered: by what is wrong, by its going away, by a word, or by being under way. */
export function isAnswered(page: Page, form: Locator): Promise<boolean> {
  const said = form.locator('[role=alert], .m-note, [aria-invalid=true], .ant-btn-loading, .m-command').or(page.locator('.m-toast'));
  const comes = async () => (await said.filter({ visible: true }).count()) > 0 || !(await form.isVisible());
  return waitFor(comes, 'an answer', 20).then(
    () => true,
    () => false,
  );
}

/** A form is read, sent as it opened, and answers; opened again, what is typed into it is asked about. */
export async function tryDialog(page: Page, reopen: () => Promise<void>, discarded: () => void): Promise<string[]> {
  const dialog = overlays(page).last();
  const found = [...(await readDialog(page)), ...(await bareChoices(page, dialog))];
  const isForm = (await dialog.locator('form').count()) > 0;
  const submit = dialog.locator('.m-dialog-foot button').last();
  if (isForm && (await submit.count()) > 0 && (await submit.isEnabled())) {
    await submit.click();
    if (!(await isAnswered(page, dialog))) found.push('an empty form isn’t answered');
    found.push(...(await bareKeys(page)));
  }
  await closeAll(page);
  if (!isForm) return found;
  await reopen();
  const again = overlays(page).last();
  await again.waitFor();
  found.push(...(await discardTyped(page, again)));
  discarded();
  await closeAll(page);
  return found;
}
