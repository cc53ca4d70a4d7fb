import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What axe finds on the page, a line each. Our pages hold no frame of another origin, so axe may run in the page itself: its other way carries every
 * passed check through a second page, which takes five times as long on a full list.
 */
export async function axe(page: Page, tags?: readonly string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(tags ? { runOnly: { type: 'tag', values: [...tags] } } : {}),
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

/** What binds us; the other rules are advice. */
export const bindingTags = ['wcag2a', 'wcag2aa', 'wcag22aa'] as const;
