import { route } from '../../kit/route.ts';

export const orgRoutes = [
  route({
    path: '/sys/dept',
    platform: 'centre',
    title: 'org.title',
    keepAlive: true,
    load: () => import('./dept.page.tsx').then((found) => found.deptPage),
  }),
  route({
    path: '/businessUnit',
    platform: 'manager',
    title: 'org.unit.title',
    keepAlive: true,
    load: () => import('./unit.page.tsx').then((found) => found.unitPage),
  }),
];
