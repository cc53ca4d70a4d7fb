import { route } from '../../kit/route.ts';

const log = () => import('./log-list.page.tsx').then((found) => found.logList);

export const auditLogRoutes = [
  route({ path: '/sys/log', platform: 'centre', title: 'log.title', keepAlive: true, load: log }),
  route({ path: '/sys/management/log', platform: 'manager', title: 'log.title', keepAlive: true, load: log }),
  route({
    path: '/userFootprint',
    platform: 'manager',
    title: 'footprint.title',
    load: () => import('./footprint.page.tsx').then((found) => found.footprintPage),
  }),
];
