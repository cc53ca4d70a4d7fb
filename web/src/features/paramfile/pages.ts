import { route } from '../../kit/route.ts';

export const paramFileRoutes = [
  route({
    path: '/post/paramfile',
    platform: 'centre',
    title: 'paramSet.title',
    keepAlive: true,
    load: () => import('./param-set-list.page.ts').then((found) => found.paramSetList),
  }),
  route({
    path: '/post/paramfile/detail/:id',
    platform: 'centre',
    title: 'paramSet.title',
    activeMenu: '/post/paramfile',
    parent: '/post/paramfile',
    load: () => import('./param-set.page.tsx').then((found) => found.paramSetPage),
  }),
];
