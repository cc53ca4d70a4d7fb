import { deptCalls } from '@mooring/contract/org/calls';
import { api } from '../../kit/client.ts';
import { FOUND_MOST, type PaletteSource } from '../../kit/palette.ts';

/** Organisations by a part of their name, for the palette of those who see their page. */
export const deptFinder: PaletteSource = {
  title: 'org.title',
  call: deptCalls.tree,
  find: async (text, signal) => {
    const found = await api(deptCalls.search, { text }, { hidden: true, signal });
    return found.slice(0, FOUND_MOST).map((dept) => ({
      key: `dept-${dept.id}`,
      label: dept.name,
      icon: 'shop',
      to: `/sys/dept?id=${dept.id}`,
    }));
  },
};
