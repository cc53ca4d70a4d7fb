import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { api } from '../../kit/client.ts';
import type { PaletteSource } from '../../kit/palette.ts';

const MOST = 6;

/** Firmware tasks by a part of their name, for the palette. */
export const taskFinder: PaletteSource = {
  title: 'menu.firmwareTask',
  call: taskCalls.page,
  find: async (text, signal) => {
    const page = await api(
      taskCalls.page,
      { criteria: { name: text }, page: { size: MOST, sort: 'createdAt', order: 'desc' } },
      { hidden: true, signal },
    );
    return page.content.map((task) => ({
      key: `task-${task.id}`,
      label: task.name,
      icon: 'upgrade',
      to: `/device/fota/taskmod/${task.id}`,
    }));
  },
};
