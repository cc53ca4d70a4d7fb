import { generalTaskCalls } from '@mooring/contract/task/calls';
import { api } from '../../kit/client.ts';
import { FOUND_MOST, type PaletteSource } from '../../kit/palette.ts';

/** General releases by a part of their name, for the palette. */
export const generalTaskFinder: PaletteSource = {
  title: 'menu.generalTask',
  call: generalTaskCalls.page,
  find: async (text, signal) => {
    const page = { size: FOUND_MOST, sort: 'createdAt', order: 'desc' } as const;
    const found = await api(generalTaskCalls.page, { criteria: { name: text }, page }, { hidden: true, signal });
    return found.content.map((task) => ({ key: `general-task-${task.id}`, label: task.name, icon: 'send', to: `/task/detail/${task.id}` }));
  },
};
