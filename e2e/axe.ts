import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What axe finds on the page, a line each. Our pages hold no frame of another origin, so axe may run in the page itself: its other way carries every
 * passed check through a second page, which takes five times as long on a full list.
 */
async function run(page: Page, only?: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(only ? { runOnly: only } : {}),
  });
  const { violations } = await builder.analyze();
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

/** All rules in the light theme of a page that follows the system, and then in the dark one those that it decides. */
export async function axeInBoth(page: Page): Promise<string[]> {
  const found = await axe(page);
  const turn = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  };
  await turn('dark');
  found.push(...(await run(page, { type: 'rule', values: ofColours })).map((one) => `dark: ${one}`));
  await turn('light');
  return found;
}
