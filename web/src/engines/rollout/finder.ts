import type { TextKey } from '@mooring/contract/texts';
import { api } from '../../kit/client.ts';
import { FOUND_MOST, type PaletteSource } from '../../kit/palette.ts';
import { packagePath } from './package-actions.ts';
import { type PackageRelease, type ReleaseKind, taskPath } from './release-kind.ts';

const newest = { size: FOUND_MOST, sort: 'createdAt', order: 'desc' } as const;

/** Tasks of a kind by a part of their name, for the palette. */
export const taskFinder = (kind: ReleaseKind, title: TextKey): PaletteSource => ({
  title,
  call: kind.calls.tasks.page,
  find: async (text, signal) => {
    const page = await api(kind.calls.tasks.page, { criteria: { name: text }, page: newest }, { hidden: true, signal });
    return page.content.map((task) => ({
      key: `${kind.of.kind}-task-${task.id}`,
      label: task.name,
      icon: 'upgrade',
      to: taskPath(kind, task),
    }));
  },
});

/** Packages of a kind by a part of version or product, for the palette. */
export const packageFinder = (kind: PackageRelease, title: TextKey): PaletteSource => ({
  title,
  call: kind.calls.packages.page,
  find: async (text, signal) => {
    const page = await api(kind.calls.packages.page, { criteria: { text }, page: newest }, { hidden: true, signal });
    return page.content.map((found) => ({
      key: `${kind.of.kind}-package-${found.id}`,
      label: [found.productName, found.name, found.version].filter(Boolean).join(' '),
      icon: 'upload',
      to: packagePath(kind, found),
    }));
  },
});
