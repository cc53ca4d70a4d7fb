import { route } from '../../kit/route.ts';

const wizard = () => import('./task-wizard.page.tsx').then((found) => found.taskWizard);
const preWizard = () => import('./task-wizard.page.tsx').then((found) => found.preTaskWizard);

export const firmwareRoutes = [
  route({
    path: '/device/fota',
    platform: 'centre',
    title: 'firmware.task.title',
    keepAlive: true,
    load: () => import('./task-list.page.tsx').then((found) => found.taskList),
  }),
  route({
    path: '/device/fota/taskmod/new',
    platform: 'centre',
    title: 'firmware.task.add',
    activeMenu: '/device/fota',
    parent: '/device/fota',
    load: wizard,
  }),
  route({
    path: '/device/fota/taskmod/pre/new',
    platform: 'centre',
    title: 'firmware.pretask.add',
    activeMenu: '/device/fota',
    parent: '/device/fota',
    load: preWizard,
  }),
  route({
    path: '/device/fota/taskmod/pre/:id/edit',
    platform: 'centre',
    title: 'firmware.pretask.editTitle',
    activeMenu: '/device/fota',
    parent: '/device/fota',
    load: preWizard,
  }),
  route({
    path: '/device/fota/taskmod/:id/edit',
    platform: 'centre',
    title: 'firmware.task.editTitle',
    activeMenu: '/device/fota',
    parent: '/device/fota',
    load: wizard,
  }),
  route({
    path: '/device/fota/taskmod/:id',
    platform: 'centre',
    title: 'firmware.task.title',
    activeMenu: '/device/fota',
    parent: '/device/fota',
    load: () => import('./task-detail.page.tsx').then((found) => found.taskDetail),
  }),
  route({
    path: '/device/fota/version',
    platform: 'centre',
    title: 'firmware.package.title',
    keepAlive: true,
    load: () => import('./package-list.page.tsx').then((found) => found.packageList),
  }),
  route({
    path: '/device/fota/version/:id',
    platform: 'centre',
    title: 'firmware.package.title',
    activeMenu: '/device/fota/version',
    parent: '/device/fota/version',
    load: () => import('./package-detail.page.tsx').then((found) => found.packageDetail),
  }),
];
