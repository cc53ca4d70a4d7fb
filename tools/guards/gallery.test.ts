import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../suite/processes.ts';
import { unshown } from './gallery.ts';

test('the gallery shows every part', () => {
  const files = (dir: string) => readdirSync(join(root, 'web/src', dir)).filter((file) => file.endsWith('.tsx'));
  const gallery = files('gallery').map((file) => readFileSync(join(root, 'web/src/gallery', file), 'utf8'));
  expect(
    unshown(
      files('ui').map((file) => file.slice(0, -4)),
      gallery,
    ),
  ).toEqual([]);
});

test('a part that is nowhere is seen', () =>
  expect(unshown(['tree', 'tabs', 'icon'], ["import { Tabs } from '../ui/tabs.tsx';"])).toEqual(['tree']));
