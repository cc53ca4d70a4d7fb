import type { Page } from 'playwright-core';
import { axe } from './axe.ts';
import { bareChoices, bareKeys } from './bare-keys.ts';
import { allDrawn, settled } from './settled.ts';
import { waitFor } from './stack.ts';
import { stepBack, tryBulk, tryButtons, tryDetail, tryExports, tryForms, tryRowActs } from './walk-acts.ts';
import { closeAll, overlays, readDialog } from './walk-dialogs.ts';

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
    '/app Developers': 'an organisation is told by its row, and decided from its menu',
    '/regDevice Enrolment codes': 'a code is told by its row; what it brought are terminals',
    '/sys/review': 'a grant is told by its row, and decided from its menu',
    '/device/alertPush Rules': 'a rule is told by its row, and edited from its menu',
  },
  manager: {
    '/managerSys/review': 'a grant is told by its row, and decided from its menu',
    '/businessUnit Business units': 'its few fields stand in the row; they are edited from its menu',
    '/businessUnit Product lines': 'its few fields stand in the row; they are edited from its menu',
    '/sched/job/page Runs': 'a run is told by its row',
    '/uploadMonitor Uploads': 'an upload is told by its row, and cancelled from its menu',
    '/userFootprint Online now': 'a session is told by its row, and ended from its menu',
    '/system/settings Release approval': 'its two fields stand in the row; they are edited from its menu',
    '/system/settings API tokens': 'a token is told by its row, and revoked from its menu',
    '/labelManage Texts': 'a text is told by its row, and edited from its menu',
  },
};
const isNowhere = (place: string): boolean => Object.values(leadNowhere).some((places) => place in places);

/** A place of the row that does nothing of its own: not its box, not its menu, no link or button. */
const PLAIN_CELL = 'td:not(.m-check, .m-acts, :has(a, button, input))';

/** The first row of each list of a part opens by mouse, and what it opens is whole. */
async function openRows(
  walk: Walk,
  path: string,
  part: string | undefined,
  tried: Set<string>,
  back: () => Promise<void>,
): Promise<string[]> {
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
    const opens = await waitFor(isThere, 'what it opens', isNamed ? 1 : 30).then(
      () => true,
      () => false,
    );
    (isNamed ? met.nowhere : met.opened).push(place);
    if (opens === isNamed) say([opens ? 'opens, and is said to lead nowhere' : 'opens nothing']);
    if (!opens) continue;
    await settled(page);
    const isBeside = (await overlays(page).count()) > 0;
    say([...(isBeside ? await readDialog(page) : [...(await bareKeys(page)), ...(await axe(page))]), ...walk.take()]);
    await closeAll(page);
    if (new URL(page.url()).pathname !== path) {
      say(await tryDetail(walk, tried));
      for (const inner of await page.getByRole('tab').allInnerTexts()) {
        await page.getByRole('tab', { name: inner, exact: true }).first().click();
        await settled(page);
        const said = [...(await bareKeys(page)), ...(await axe(page)), ...walk.take(), ...(await tryRowActs(walk, tried))];
        say(said.map((one) => `tab ${inner}: ${one}`));
      }
      await stepBack(page, before, back);
      // Another tab of the same page.
    } else if (!isBeside) await stepBack(page, before, back);
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
  await allDrawn(page);
  // The parts of a page: its tabs, or the list at its side.
  const parts = page.getByRole('tab').or(page.locator('.m-side-item'));
  const chosen = page.locator('[role=tab][aria-selected=true], .m-side-item[aria-current=page]');
  const choose = async (name: string) => {
    await parts.filter({ hasText: name }).first().click();
    await chosen.filter({ hasText: name }).first().waitFor();
    await settled(page);
    await allDrawn(page);
  };
  const names = await parts.allInnerTexts();
  const tried = new Set<string>();
  for (const part of names.length > 0 ? names : [undefined]) {
    if (part !== undefined) {
      await choose(part);
      at(
        [...(await bareKeys(page)), ...(await axe(page)), ...(await bareChoices(page, page.locator('main form'))), ...take()].map(
          (one) => `tab ${part}: ${one}`,
        ),
      );
    }
    const back = async () => {
      await again();
      if (part !== undefined) await choose(part);
    };
    // The same acts are offered in a row's menu and on its page.
    const acts = new Set<string>();
    at(await tryRowActs(walk, acts));
    at(await openRows(walk, path, part, acts, back));
    at(await tryExports(walk));
    at(await tryBulk(walk));
    at(await tryForms(walk, back));
    at(await tryButtons(walk, path, tried, back));
  }
  return found;
}
