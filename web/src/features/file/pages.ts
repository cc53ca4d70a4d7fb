import { route } from '../../kit/route.ts';

export const fileRoutes = [
  // Each platform has the exports and bulk actions that were begun on it.
  route({
    path: '/task/export',
    title: 'work.title',
    keepAlive: true,
    load: () => import('./task-centre.page.tsx').then((found) => found.taskCentre),
  }),
  route({
    path: '/uploadMonitor',
    platform: 'manager',
    title: 'menu.uploadMonitor',
    keepAlive: true,
    load: () => import('./upload-monitor.page.tsx').then((found) => found.uploadMonitor),
  }),
];
