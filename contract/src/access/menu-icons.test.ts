import { expect, it } from 'vitest';
import { eachMenu } from './menus.ts';

it.each(['centre', 'manager'] as const)('each page of %s has an icon, and no two the same', (platform) => {
  const pages = eachMenu().filter((node) => node.type === 2 && node.platforms.includes(platform));
  const icons = pages.map((node) => node.icon);
  expect(icons).not.toContain(undefined);
  expect(new Set(icons).size).toBe(pages.length);
});
