import axeCore, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { inTheme } from './settled.ts';

/** For a tab that is asked on each of its pages: what each load reads in is compiled once, and isn't handed over again. */
export const keepAxe = (page: Page): Promise<unknown> => page.addInitScript(axeCore.source);

/** A page holds it until it is left: read in again for each question it would cost more than the answers. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate('typeof window.axe === "object"'))) await page.evaluate(axeCore.source);
}

/**
 * What axe finds on the page, or in that part of it, a line each.
 * @param within a selector
 */
async function run(page: Page, runOnly?: RunOptions['runOnly'], within?: string): Promise<string[]> {
  await bringAxe(page);
  const { violations } = await page.evaluate(
    ([context, options]) => (window as unknown as { axe: typeof axeCore }).axe.run(context ?? document, options),
    [within, { resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) }] satisfies [string | undefined, RunOptions],
  );
  return violations.map(
    (one) =>
      `${one.id} at ${one.nodes
        .slice(0, 2)
        .map((node) => node.target.join(' '))
        .join(' | ')}`,
  );
}

export const axe = (page: Page, tags?: readonly string[]): Promise<string[]> =>
  run(page, tags ? { type: 'tag', values: [...tags] } : undefined);

/** What binds us; the other rules are advice. */
export const bindingTags = ['wcag2a', 'wcag2aa', 'wcag22aa'] as const;

/** What the colours of a theme decide. */
const ofColours = ['color-contrast', 'link-in-text-block'];

export const axeColours = (page: Page, within?: string): Promise<string[]> => run(page, { type: 'rule', values: ofColours }, within);

/**
 * What lies over a page: all rules in the light theme of a page that follows the system, and then in the dark one those that it decides.
 * The page beneath is looked at before.
 */
export async function axeInBoth(page: Page, within: string): Promise<string[]> {
  const found = await run(page, undefined, within);
  await inTheme(page, 'dark');
  found.push(...(await axeColours(page, within)).map((one) => `dark: ${one}`));
  await inTheme(page, 'light');
  return found;
}
