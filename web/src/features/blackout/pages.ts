import { route } from '../../kit/route.ts';

export const blackoutRoutes = [
  route({
    path: '/device/blackout',
    platform: 'centre',
    title: 'blackout.title',
    keepAlive: true,
    load: () => import('./blackout-list.page.ts').then((found) => found.blackoutList),
  }),
];
