import { route } from '../../kit/route.ts';

export const hardwareTestRoutes = [
  route({
    path: '/device/hardware',
    title: 'hardwareTest.title',
    keepAlive: true,
    load: () => import('./test-list.page.ts').then((found) => found.hardwareTestList),
  }),
  route({
    path: '/device/hardwareDetail/:id',
    title: 'hardwareTest.title',
    parent: '/device/hardware',
    load: () => import('./test-detail.page.tsx').then((found) => found.hardwareTestDetail),
  }),
];
