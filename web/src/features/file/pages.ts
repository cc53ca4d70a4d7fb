import { route } from '../../kit/route.ts';

export const fileRoutes = [
  route({
    path: '/task/export',
    platform: 'centre',
    title: 'work.title',
    keepAlive: true,
    load: () => import('./task-centre.page.tsx').then((found) => found.taskCentre),
  }),
];
