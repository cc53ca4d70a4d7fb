import { route } from '../../kit/route.ts';

export const alertRoutes = [
  route({
    path: '/device/alertPush',
    platform: 'centre',
    title: 'alarm.title',
    keepAlive: true,
    load: () => import('./alert.page.tsx').then((found) => found.alertPage),
  }),
];
