import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { api } from '../../kit/client.ts';
import { FOUND_MOST, type PaletteSource } from '../../kit/palette.ts';
import { packagePath } from './package-actions.ts';

/** Firmware tasks by a part of their name, for the palette. */
export const taskFinder: PaletteSource = {
  title: 'menu.firmwareTask',
  call: taskCalls.page,
  find: async (text, signal) => {
    const page = await api(
      taskCalls.page,
      { criteria: { name: text }, page: { size: FOUND_MOST, sort: 'createdAt', order: 'desc' } },
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

/** Firmware packages by a part of version or product, for the palette. */
export const packageFinder: PaletteSource = {
  title: 'menu.firmwarePackage',
  call: packageCalls.page,
  find: async (text, signal) => {
    const page = await api(
      packageCalls.page,
      { criteria: { text }, page: { size: FOUND_MOST, sort: 'createdAt', order: 'desc' } },
      { hidden: true, signal },
    );
    return page.content.map((found) => ({
      key: `package-${found.id}`,
      label: `${found.productName} ${found.version}`,
      icon: 'upload',
      to: packagePath(found),
    }));
  },
};
